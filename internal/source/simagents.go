package source

import (
	"net/url"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/traffic"
)

// useAgents plugs in what answers beside subnet management: traffic= gives the
// counters something to count beside what o has, and ping= names where ibping and
// ibsysstat have servers.
func useAgents(u *URI, s *sim.Fabric, own url.Values, o *agents.Options) (*agents.Agents, error) {
	var err error
	if text, given := own["traffic"]; given {
		rules, err := traffic.ParseRules(text[0])
		if err != nil {
			return nil, u.Wrap("argument traffic", err)
		}
		o.Traffic = append(o.Traffic, rules...)
	}
	if o.Servers, err = pingServers(u, s, own.Get("ping")); err != nil {
		return nil, err
	}
	a, err := agents.Use(s, o)
	if err != nil {
		return nil, u.Wrap("argument traffic", err)
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
			return nil, u.Wrap("argument ping", err)
		}
		runs[n] = true
	}
	return func(n *fabric.Node) bool { return runs[n] }, nil
}
