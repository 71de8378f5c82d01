package source

import (
	"net/url"
	"os"
	"strings"

	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// manage puts a subnet manager and its subnet administration into the fabric;
// routing= names how it routes, and pkeys= its partitions. Without sm=on or sm=off, generated fabrics have
// one, and those from files do not: they are simulated as they are stored, LIDs
// and port states included.
func manage(u *URI, s *sim.Fabric, own url.Values) error {
	o := &sm.Options{Aliases: !isFile(u.Name)}
	if text, given := own["routing"]; given {
		var err error
		if o.Engine, err = route.ParseEngine(text[0]); err != nil {
			return u.Expected("argument routing", text[0], "minhop, updn or ftree")
		}
	}
	switch own.Get("sm") { // simOptions has refused what is neither on nor off
	case "off":
		return nil
	case "":
		if isFile(u.Name) && own.Get("routing") == "" && own.Get("pkeys") == "" {
			return nil
		}
	}
	var err error
	if o.Partitions, err = partitions(u, s, own); err != nil {
		return err
	}
	m, err := sm.Start(s, o)
	if err != nil {
		return u.Wrap("arguments", err)
	}
	if _, err := sa.Start(m); err != nil {
		return u.Wrap("arguments", err)
	}
	return nil
}

// isFile reports whether the name of a sim: URI is that of a file; a plain word
// that is none names a generator.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil || strings.ContainsAny(name, "/.")
}
