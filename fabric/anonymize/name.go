package anonymize

import (
	"regexp"
	"strings"
	"sync"
)

// What stays of a node description: what makers write, and the device that a
// driver appends to the host's name.
var (
	makersWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(mellanox|technologies|aggregation|node|quantum-?[0-9]?|switchx-?[0-9]?|switch-?ib-?[0-9]?|infiniscale(-i[iv]+)?|` +
			`connect(x-?[0-9]{0,2}|-?ib)|mt[0-9]{4,5}|bluefield-?[0-9]?|voltaire|qlogic|silverstorm|sun|cisco|topspin|xsigo|intel|oracle|nvidia|ibm|hpe?|dell|` +
			`switch|hca|infiniband|dual|single|port|adapter|sdr|ddr|qdr|fdr|edr|hdr|ndr|xdr|omni-path)$`)
	})
	device = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(HCA-?[0-9]{1,2}|mlx[0-9]_(ib|bond_?)?[0-9]{1,3}|mlx[0-9]_?|ib[ps]?[0-9]{1,4}(s[0-9]{1,3})?(f[0-9]{1,2})?(np?[0-9]{1,2})?|` +
			`hfi1_[0-9]{1,2}|qib[0-9]{1,2}|mthca[0-9]{1,2}|ipath[0-9]{1,2})$`)
	})
	// module is the type of a switch and its place: MCS8500/L01/U2, Q3400_RA/U2/RT.
	module = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Z]{1,4}[0-9]{3,4}[A-Z0-9_]{0,6}(/[A-Z]{1,3}[0-9]{0,3}(:[A-Z]{1,4}[0-9]{0,4})?)*$`)
	})
)

// shape is a description: the name that somebody gave, and what is around it.
type shape struct{ before, name, after string }

// shapeOf takes a description apart. Without a name all of it is a maker's. Where
// vendors are hidden, nothing is.
func shapeOf(description string, hideVendors bool) shape {
	if rest, ok := strings.CutPrefix(description, "MF0;"); ok {
		name, place, _ := strings.Cut(rest, ":")
		s := shape{before: "MF0;", name: name}
		if hideVendors {
			return shape{name: name}
		}
		if module().MatchString(place) {
			s.after = ":" + place
		}
		return s
	}
	var before, name, after []string
	for _, field := range strings.Fields(description) {
		switch maker := !hideVendors && makersWord().MatchString(field); {
		case maker && len(name) == 0:
			before = append(before, field)
		case len(name) > 0 && (maker || device().MatchString(field)):
			after = append(after, field)
		default:
			name = append(name, field)
		}
	}
	if len(name) == 0 {
		return shape{before: description}
	}
	s := shape{name: strings.Join(name, " ")}
	if len(before) > 0 {
		s.before = strings.Join(before, " ") + " "
	}
	if len(after) > 0 {
		s.after = " " + strings.Join(after, " ")
	}
	return s
}

// skeleton is a name with # in place of each number, and the numbers.
func skeleton(name string) (text string, numbers []string) {
	var b strings.Builder
	for len(name) > 0 {
		digits := len(name) - len(strings.TrimLeft(name, "0123456789"))
		if digits > 0 {
			b.WriteByte('#')
			numbers = append(numbers, name[:digits])
			name = name[digits:]
			continue
		}
		next := strings.IndexAny(name, "0123456789")
		if next < 0 {
			next = len(name)
		}
		b.WriteString(name[:next])
		name = name[next:]
	}
	return b.String(), numbers
}
