package traffic

import (
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// maxRuleText bounds the text of a rule.
const maxRuleText = 4096

// ParseRules reads rules joined by bars, "load:30%|discards:2/s,on:0x17/3".
func ParseRules(text string) ([]Rule, error) {
	var rules []Rule
	for part := range strings.SplitSeq(text, "|") {
		r, err := ParseRule(part)
		if err != nil {
			return nil, err
		}
		if rules = append(rules, r); len(rules) > maxRules {
			return nil, invalid("parse", "rules", "there are more than %d", maxRules)
		}
	}
	return rules, nil
}

// ParseRule reads a rule: parts "name:value" joined by commas. Shares are
// numbers from 0 to 1 or percents; events are a number "/s", "/m", "/h" or "/d",
// per second without. "on" is a GUID, and a port behind a slash. A value alone is
// the load. Mistakes are an *Error that wraps os.ErrInvalid and names the part.
//
//	load spread swing multicast wait marked   shares
//	period                                    a duration, as 10s
//	size                                      bytes of a packet
//	symbol-errors link-recovered link-downed rcv-errors remote-errors discards
//	integrity-errors overruns vl15-dropped fec-corrected fec-uncorrected
func ParseRule(text string) (Rule, error) {
	var r Rule
	if len(text) > maxRuleText {
		return r, invalid("parse", "rule", "it is longer than %d bytes", maxRuleText)
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, named := strings.Cut(strings.TrimSpace(part), ":")
		if !named {
			name, value = "load", name
		}
		if err := r.parse(name, value); err != nil {
			return Rule{}, err
		}
	}
	return r, r.check("parse", strconv.Quote(text))
}

// parse reads one part.
func (r *Rule) parse(name, value string) (err error) {
	shares := map[string]*float64{
		"load": &r.Load, "spread": &r.Spread, "swing": &r.Swing,
		"multicast": &r.Multicast, "wait": &r.Wait, "marked": &r.Marked,
	}
	if share := shares[name]; share != nil {
		if *share, err = parseShare(value); err != nil {
			return invalid("parse", name, "expected a share, as 0.3 or 30%%, found %q", value)
		}
		return nil
	}
	switch name {
	case "period":
		if r.Period, err = time.ParseDuration(value); err != nil {
			return invalid("parse", name, "expected a duration, as 10s, found %q", value)
		}
		return nil
	case "size":
		if r.PacketSize, err = strconv.Atoi(value); err != nil {
			return invalid("parse", name, "expected a number of bytes, found %q", value)
		}
		return nil
	case "on":
		return r.parseOn(value)
	}
	for e := range NumEvents {
		if name == eventNames[e] {
			if r.Events[e], err = parseRate(value); err != nil {
				return invalid("parse", name, "expected a rate, as 3/h or 0.5/s, found %q", value)
			}
			return nil
		}
	}
	return invalid("parse", strconv.Quote(name), "expected load, spread, swing, period, size, multicast, wait, marked, on, %s",
		strings.Join(eventNames[:], ", "))
}

func (r *Rule) parseOn(value string) (err error) {
	guid, port, hasPort := strings.Cut(value, "/")
	if r.Node, err = ib.ParseGUID(guid); err != nil || r.Node == 0 {
		return invalid("parse", "on", "expected the GUID of a node, found %q", guid)
	}
	if hasPort {
		n, err := strconv.ParseUint(port, 10, 8)
		if err != nil || n == 0 {
			return invalid("parse", "on", "expected the number of a port, found %q", port)
		}
		r.Port = int(n)
	}
	return nil
}

func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	return v, err
}

var rateUnits = map[string]float64{"s": 1, "m": 60, "h": 3600, "d": 86400}

func parseRate(s string) (float64, error) {
	number, unit, hasUnit := strings.Cut(s, "/")
	v, err := strconv.ParseFloat(number, 64)
	if !hasUnit {
		return v, err
	}
	seconds, ok := rateUnits[unit]
	if !ok {
		return 0, strconv.ErrSyntax
	}
	return v / seconds, err
}
