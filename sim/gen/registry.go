package gen

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// Generator is a kind of fabric that Parse knows.
type Generator struct {
	Name    string
	Summary string
	Params  []Param
	build   func(*params) (*fabric.Fabric, error)
}

// Param is a parameter of a generator.
type Param struct {
	Name    string
	Summary string // with the values it may have and its default
}

var speedParam = Param{"speed", "lane speed, sdr…xdr; default hdr"}

// Generators lists what Parse knows.
func Generators() []Generator {
	return []Generator{
		{"fattree", "folded Clos network", []Param{
			{"levels", "of switches, 1…8; default 2"},
			{"radix", "ports of a switch, even, 2…254; default 40"},
			{"hosts", "default as many as fit"},
			{"uplinks", "of a leaf switch; default radix/2"},
			speedParam,
			{"width", "1x, 2x, 4x, 8x, 12x; default 4x"},
		}, buildFatTree},
		{"line", "switches in a row, each with a host", []Param{{"switches", "1…4096; default 4"}, speedParam}, buildLine},
		{"ring", "switches in a ring, each with a host", []Param{{"switches", "1…4096; default 4"}, speedParam}, buildRing},
		{"star", "one switch with hosts", []Param{{"hosts", "1…254; default 4"}, speedParam}, buildStar},
	}
}

func buildFatTree(p *params) (*fabric.Fabric, error) {
	o := FatTreeOptions{
		Levels: p.number("levels", 0), Radix: p.number("radix", 0), Hosts: p.number("hosts", 0),
		Uplinks: p.number("uplinks", 0), Speed: p.speed(), Width: p.width(),
	}
	if p.err != nil {
		return nil, p.err
	}
	return FatTree(o)
}

func buildLine(p *params) (*fabric.Fabric, error) { return buildRow("line", p) }
func buildRing(p *params) (*fabric.Fabric, error) { return buildRow("ring", p) }

func buildRow(op string, p *params) (*fabric.Fabric, error) {
	n, speed := p.number("switches", 4), p.speed()
	if p.err != nil {
		return nil, p.err
	}
	return row(op, n, speed)
}

func buildStar(p *params) (*fabric.Fabric, error) {
	n, speed := p.number("hosts", 4), p.speed()
	if p.err != nil {
		return nil, p.err
	}
	return star(n, speed)
}

// Parse makes the fabric that text describes: the name of a generator, and
// after a question mark its parameters in the form of a URL query, as in
// "fattree?levels=3&radix=64&hosts=1024&speed=ndr". Names and parameters that
// are not known, or cannot be, are an Error.
func Parse(text string) (*fabric.Fabric, error) {
	name, query, _ := strings.Cut(text, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &Error{Op: name, Detail: fmt.Sprintf("parameters %q cannot be read: %v", query, err)}
	}
	return Make(name, values)
}

// Make is Parse with the parameters taken apart already.
func Make(name string, values url.Values) (*fabric.Fabric, error) {
	var names []string
	for _, g := range Generators() {
		if g.Name == name {
			p := params{op: name, values: values}
			if err := p.checkNames(g.Params); err != nil {
				return nil, err
			}
			return g.build(&p)
		}
		names = append(names, g.Name)
	}
	return nil, &Error{Op: "generator", Detail: fmt.Sprintf("%q is not known; known are %s", name, strings.Join(names, ", "))}
}
