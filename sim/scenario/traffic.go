package scenario

import (
	"errors"
	"os"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/traffic"
)

// trafficRule is a rule by name.
type trafficRule struct {
	at *located // nil for everywhere
	traffic.Rule
}

// traffic reads the section: a list of rules, each the text of
// traffic.ParseRule, or a mapping of the same parts, in which "at" is a name.
func (f *file) traffic(n *yaml.Node) []trafficRule {
	var all []trafficRule
	for _, item := range f.list(n, "rules") {
		own := trafficRule{}
		if item.Kind == yaml.MappingNode {
			own.Rule = f.rule(item, &own.at)
		} else {
			own.Rule = f.ruleText(item, f.text(item, "a rule, as load:30%,spread:0.5"))
		}
		all = append(all, own)
	}
	return all
}

func (f *file) ruleText(n *yaml.Node, text string) traffic.Rule {
	if text == "" {
		return traffic.Rule{}
	}
	r, err := traffic.ParseRule(text)
	if err != nil {
		f.failAt(n, &mistake{strings.TrimSuffix(err.Error(), ": "+os.ErrInvalid.Error()), err})
	}
	return r
}

// rule reads a mapping: each part on its own, so that a mistake has its place,
// then all of them.
func (f *file) rule(n *yaml.Node, at **located) traffic.Rule {
	var parts []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Value == "at":
			*at = f.nameAt(v, (*words).place)
		case v.Kind != yaml.ScalarNode || strings.Contains(v.Value, ",") || k.Value == "on":
			f.failAt(v, expected(describe(v), "one value; the place is at: "+aPlace))
		default:
			text := k.Value + ":" + v.Value
			f.ruleText(k, text)
			parts = append(parts, text)
		}
	}
	if len(f.errs) > 0 || len(parts) == 0 {
		return traffic.Rule{}
	}
	return f.ruleText(n, strings.Join(parts, ","))
}

// makeTraffic finds out where the rules are for.
func (s *Scenario) makeTraffic(names *sim.Fabric) ([]traffic.Rule, error) {
	var all []traffic.Rule
	var errs []error
	for _, t := range s.traffic {
		if t.at == nil {
			all = append(all, t.Rule)
			continue
		}
		errs = append(errs, t.at.everywhere(names, func(guid ib.GUID, port int) {
			own := t.Rule
			own.Node, own.Port = guid, port
			all = append(all, own)
		}))
	}
	return all, errors.Join(errs...)
}
