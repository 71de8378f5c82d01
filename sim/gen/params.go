package gen

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ib"
)

// params reads the parameters of a generator. The first that cannot be read
// stays in err.
type params struct {
	op     string
	values url.Values
	err    error
}

// checkNames refuses parameters that are not among the known ones, or are
// there twice.
func (p *params) checkNames(known []Param) error {
	var names []string
	for _, k := range known {
		names = append(names, k.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if !slices.Contains(names, name) {
			return &Error{Op: p.op, Detail: fmt.Sprintf("parameter %q is not known; known are %s", name, strings.Join(names, ", "))}
		}
		if len(p.values[name]) > 1 {
			return &Error{Op: p.op, Param: name, Value: strconv.Quote(strings.Join(p.values[name], ",")), Detail: "is given more than once"}
		}
	}
	return nil
}

// number reads a number from 1; without a value it is 0, which means the
// default in options. Who writes 0 means it, and is refused.
func (p *params) number(name string) int { return p.from(1, name) }

// count reads a number from 0, which is also the default.
func (p *params) count(name string) int { return p.from(0, name) }

func (p *params) from(least int, name string) int {
	if !p.values.Has(name) {
		return 0
	}
	text := p.values.Get(name)
	v, err := strconv.Atoi(text)
	if err != nil || v < least {
		p.fail(name, text, fmt.Sprintf("must be a number from %d", least))
	}
	return v
}

// flag reads yes or no; without a value it is otherwise.
func (p *params) flag(name string, otherwise bool) bool {
	if !p.values.Has(name) {
		return otherwise
	}
	switch text := p.values.Get(name); text {
	case "yes", "true", "1":
		return true
	case "no", "false", "0":
	default:
		p.fail(name, text, "must be yes or no")
	}
	return false
}

// ratio reads "3", "1.5" or "3:2"; without a value it is 0.
func (p *params) ratio(name string) float64 {
	if !p.values.Has(name) {
		return 0
	}
	text := p.values.Get(name)
	above, below, found := strings.Cut(text, ":")
	if !found {
		below = "1"
	}
	a, errA := strconv.ParseFloat(above, 64)
	b, errB := strconv.ParseFloat(below, 64)
	if errA != nil || errB != nil || !(b > 0) || !(a/b > 0) {
		p.fail(name, text, "must be a ratio, as 3:1 or 1.5")
		return 0
	}
	return a / b
}

// sizes reads "4x4x2".
func (p *params) sizes(name string) []int {
	if !p.values.Has(name) {
		return nil
	}
	text := p.values.Get(name)
	var list []int
	for part := range strings.SplitSeq(text, "x") {
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 {
			p.fail(name, text, "must be sizes, as 4x4x2")
			return nil
		}
		list = append(list, v)
	}
	return list
}

func (p *params) speed() ib.LinkSpeed {
	if !p.values.Has("speed") {
		return 0
	}
	text := p.values.Get("speed")
	v, err := ib.ParseLinkSpeed(text)
	if _, ok := generationOf(v); err != nil || !ok {
		p.fail("speed", text, "must be one of "+speedNames())
	}
	return v
}

const widthNames = "1x, 2x, 4x, 8x, 12x"

func (p *params) width() ib.LinkWidth {
	if !p.values.Has("width") {
		return 0
	}
	text := p.values.Get("width")
	lanes, err := strconv.Atoi(strings.TrimSuffix(strings.ToLower(text), "x"))
	v, ok := ib.WidthFromLanes(lanes)
	if err != nil || !ok {
		p.fail("width", text, "must be one of "+widthNames)
	}
	return v
}

func (p *params) fail(name, text, detail string) {
	if p.err == nil {
		p.err = &Error{Op: p.op, Param: name, Value: strconv.Quote(text), Detail: detail}
	}
}
