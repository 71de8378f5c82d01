package wiring

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/fabric/verify"
)

// sentence is one form of rules.
type sentence struct {
	form *regexp.Regexp
	make func(d *ruleReader, m []string) (verify.Rule, error)
}

// sentences are all forms; docs/verify.md lists them.
var sentences = sync.OnceValue(func() []sentence {
	return []sentence{
		{regexp.MustCompile(`^(?:every|each) (.+?) has (exactly |at least |at most )?(\d+|no|one|two|a) links?(?: to (each |every )?(.+))?$`), makeCount},
		{regexp.MustCompile(`^no (.+?) has links? to (.+)$`), makeNone},
		{regexp.MustCompile(`^all links(?: (?:between|from) (.+?) (?:and|to) (.+?))?(?: (?:are|run|run at|are at))?(?: at least)? ([0-9a-z/ ]+)$`), makeRate},
		{regexp.MustCompile(`^(?:all )?rails(?: (\d+) ?(?:-|to) ?(\d+))?(?: are| stay)? apart$`), makeRails},
		{regexp.MustCompile(`^(?:every|each|all) (.+?) (?:runs?|has|have)(?: (exactly|at least))? firmware (exactly |at least )?(\S+)$`), makeFirmware},
	}
})

const forms = `expected one of
  every leaf has 2 links to each spine
  every host has at least 1 link
  no leaf has links to leaf
  all links are at least 4x NDR
  all links between leaf and spine are at least 4x HDR
  rails 1-8 apart
  every ConnectX-7 runs at least firmware 28.39.1002`

// parse understands a rule.
func (d *ruleReader) parse(text string) (verify.Rule, error) {
	plain := strings.ToLower(strings.Join(strings.Fields(text), " "))
	plain = strings.NewReplacer("–", "-", "—", "-", ",", "").Replace(strings.TrimSuffix(plain, "."))
	for _, s := range sentences() {
		if m := s.form.FindStringSubmatch(plain); m != nil {
			return s.make(d, m)
		}
	}
	return verify.Rule{}, mistakef("rule %q: %s", text, strings.Join(strings.Fields(forms), " "))
}

// group is nodes by a group's name, in singular or plural.
func (d *ruleReader) group(name string) verify.Group {
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(name, "any "), "the "))
	forms := []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")}
	if stem, found := strings.CutSuffix(name, "ves"); found {
		forms = append(forms, stem+"f")
	}
	for _, form := range forms {
		if patterns, ok := d.groups[form]; ok {
			return verify.Group{Name: form, Patterns: patterns}
		}
	}
	for _, form := range forms {
		if roles[form] {
			return verify.Group{Name: form}
		}
	}
	return verify.Group{Name: name}
}

// roles are the groups that need no patterns.
var roles = words("host storage management gateway leaf spine core switch router")

func makeCount(d *ruleReader, m []string) (verify.Rule, error) {
	n, ok := map[string]int{"no": 0, "a": 1, "one": 1, "two": 2}[m[3]]
	if !ok {
		var err error
		if n, err = strconv.Atoi(m[3]); err != nil || n > 1000 {
			return verify.Rule{}, mistakef("%s links are more than a node can have", m[3])
		}
	}
	r := &verify.CountRule{Of: d.group(m[1]), Each: m[4] != "", Min: n, Max: n}
	switch m[2] {
	case "at least ":
		r.Max = -1
	case "at most ":
		r.Min = 0
	}
	if m[5] != "" {
		to := d.group(m[5])
		r.To = &to
	}
	return verify.Rule{Count: r}, nil
}

func makeNone(d *ruleReader, m []string) (verify.Rule, error) {
	to := d.group(m[2])
	return verify.Rule{Count: &verify.CountRule{Of: d.group(m[1]), To: &to}}, nil
}

func makeRate(d *ruleReader, m []string) (verify.Rule, error) {
	width, speed, err := parseRate(m[3])
	if err != nil {
		return verify.Rule{}, err
	}
	r := &verify.RateRule{Width: width, Speed: speed}
	if m[1] != "" {
		a, b := d.group(m[1]), d.group(m[2])
		r.A, r.B = &a, &b
	}
	return verify.Rule{Rate: r}, nil
}

// makeFirmware: who is not a group and has no role is a model or a board.
func makeFirmware(d *ruleReader, m []string) (verify.Rule, error) {
	if !verify.IsVersion(m[4]) {
		return verify.Rule{}, mistakef("firmware %q: expected a version, as 28.39.1002", m[4])
	}
	r := &verify.FirmwareRule{Version: m[4], AtLeast: strings.HasPrefix(m[2]+m[3], "at least")}
	of := d.group(m[1])
	switch {
	case of.Patterns != nil || roles[of.Name]:
		r.Of = &of
	case !every[of.Name]:
		r.Device = of.Name
	}
	return verify.Rule{Firmware: r}, nil
}

// every are the words for all nodes.
var every = words("node nodes device devices")

func makeRails(_ *ruleReader, m []string) (verify.Rule, error) {
	r := &verify.RailRule{First: 1}
	if m[1] != "" {
		r.First, _ = strconv.Atoi(m[1]) // digits; too many of them are no rail
		r.Last, _ = strconv.Atoi(m[2])
		if r.First < 1 || r.Last < r.First || r.Last > 1000 {
			return verify.Rule{}, mistakef("rails %s-%s: expected two numbers from 1, the lower one first", m[1], m[2])
		}
	}
	return verify.Rule{Rails: r}, nil
}
