package source

import (
	"net/url"

	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// manage puts a subnet manager and its subnet administration into the fabric,
// unless sm=off; routing= names how it routes.
func manage(u *URI, s *sim.Fabric, own url.Values) error {
	o := &sm.Options{}
	if text, given := own["routing"]; given {
		var err error
		if o.Engine, err = route.ParseEngine(text[0]); err != nil {
			return u.expected("argument routing", text[0], "minhop, updn or ftree")
		}
	}
	if off, err := parseOff(own.Get("sm")); err == nil && off {
		return nil // simOptions has refused what is neither on nor off
	}
	m, err := sm.Start(s, o)
	if err != nil {
		return u.wrap("arguments", err)
	}
	if _, err := sa.Start(m); err != nil {
		return u.wrap("arguments", err)
	}
	return nil
}
