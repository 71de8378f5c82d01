package source

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/traffic"
)

// useAgents plugs in what answers beside subnet management: traffic= gives the
// counters something to count, and ping= names where ibping and ibsysstat have
// servers.
func useAgents(u *URI, s *sim.Fabric, own url.Values) (*agents.Agents, error) {
	o := &agents.Options{}
	var err error
	if text, given := own["traffic"]; given {
		if o.Traffic, err = traffic.ParseRules(text[0]); err != nil {
			return nil, u.wrap("argument traffic", err)
		}
	}
	if text := own.Get("seed"); text != "" {
		o.Seed, _ = strconv.ParseUint(text, 0, 64) // simOptions has refused what is no number
	}
	if o.Servers, err = pingServers(u, s, own.Get("ping")); err != nil {
		return nil, err
	}
	a, err := agents.Use(s, o)
	if err != nil {
		return nil, u.wrap("argument traffic", err)
	}
	return a, nil
}

// pingServers reads ping=: "all" channel adapters, or GUIDs and descriptions
// joined by commas.
func pingServers(u *URI, s *sim.Fabric, text string) (func(*fabric.Node) bool, error) {
	switch text {
	case "":
		return nil, nil
	case "all":
		return func(n *fabric.Node) bool { return n.Type() == ib.NodeCA }, nil
	}
	runs := map[*fabric.Node]bool{}
	for name := range strings.SplitSeq(text, ",") {
		n, err := (&Simulator{Fabric: s}).Node(name)
		if err != nil {
			return nil, u.wrap("argument ping", err)
		}
		runs[n] = true
	}
	return func(n *fabric.Node) bool { return runs[n] }, nil
}
