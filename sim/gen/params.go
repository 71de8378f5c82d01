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
			return &Error{Op: p.op, Param: name, Value: strings.Join(p.values[name], ","), Detail: "is given more than once"}
		}
	}
	return nil
}

// number reads a number; without a value it is the default. Zero, which means
// the default in options, is refused: who writes it means it.
func (p *params) number(name string, otherwise int) int {
	text := p.values.Get(name)
	if text == "" && !p.values.Has(name) {
		return otherwise
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < 1 {
		p.fail(name, text, "must be a number from 1")
	}
	return v
}

func (p *params) speed() ib.LinkSpeed {
	text := p.values.Get("speed")
	if text == "" {
		return 0
	}
	v, err := ib.ParseLinkSpeed(text)
	if _, ok := generationOf(v); err != nil || !ok {
		p.fail("speed", text, "must be one of "+speedNames())
	}
	return v
}

func (p *params) width() ib.LinkWidth {
	text := p.values.Get("width")
	if text == "" {
		return 0
	}
	lanes, err := strconv.Atoi(strings.TrimSuffix(strings.ToLower(text), "x"))
	v, ok := ib.WidthFromLanes(lanes)
	if err != nil || !ok {
		p.fail("width", text, "must be one of 1x, 2x, 4x, 8x, 12x")
	}
	return v
}

func (p *params) fail(name, text, detail string) {
	if p.err == nil {
		p.err = &Error{Op: p.op, Param: name, Value: strconv.Quote(text), Detail: detail}
	}
}
