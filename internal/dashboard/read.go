package dashboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxSize bounds the text of a dashboard.
const maxSize = 4 << 20

// Dashboard is a dashboard as Grafana stores it, as much of it as matters here.
type Dashboard struct {
	UID, Title, Description string
	SchemaVersion           int
	Time                    struct{ From, To string }
	Templating              struct{ List []Variable }
	Annotations             struct{ List []Annotation }
	Panels                  []Panel
}

// Variable is a choice at the head of the page.
type Variable struct {
	Name, Type, Label, Definition, Regex, AllValue string
	IncludeAll, Multi                              bool
	Hide                                           int // 2: not shown
}

// Annotation marks times in all panels that show time.
type Annotation struct {
	Name, Expr, IconColor string
	Enable                bool
}

// Panel is a rectangle of the grid, which is 24 columns wide.
type Panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ X, Y, W, H int }
	Targets                  []Target
	FieldConfig              FieldConfig
	Options                  Options
	Transformations          []Transformation
}

// Target is a query. One with Instant asks for the end of the time shown.
type Target struct {
	RefID, Expr, LegendFormat, Format, Interval string
	Instant, Range                              bool
}

// FieldConfig tells how values look.
type FieldConfig struct {
	Defaults  Field
	Overrides []Override
}

// Field is how values of one column or line look.
type Field struct {
	Unit       string
	Decimals   *int
	Min, Max   *float64
	NoValue    string
	Color      struct{ Mode, FixedColor string }
	Thresholds struct{ Steps []Step }
	Mappings   []Mapping
	Custom     Custom
}

// Step is a colour from a value on; nil is from the least.
type Step struct {
	Color string
	Value *float64
}

// Custom is what kinds of panels have of their own.
type Custom struct {
	DrawStyle         string
	LineWidth         float64
	FillOpacity       float64
	Stacking          struct{ Mode string }
	Width             float64
	Align             string
	AxisLabel         string
	CellOptions       struct{ Type string }
	Hidden            bool
	LineInterpolation string
}

// Mapping says values as words. Type is "value", "range" or "special".
type Mapping struct {
	Type    string
	Options json.RawMessage
}

// Override changes the look of fields that a matcher finds: "byName" or "byRegexp".
type Override struct {
	Matcher    struct{ ID, Options string }
	Properties []struct {
		ID    string
		Value json.RawMessage
	}
}

// Options are those of the panel as a whole.
type Options struct {
	Legend struct {
		DisplayMode, Placement string
		Calcs                  []string
		Width                  float64
		ShowLegend             *bool
	}
	ReduceOptions struct{ Calcs []string }
	ColorMode     string
	GraphMode     string
	TextMode      string
	SortBy        []Sort
}

// Sort is an order of the rows of a table.
type Sort struct {
	DisplayName string
	Desc        bool
}

// Transformation changes tables: "merge" or "organize".
type Transformation struct {
	ID      string
	Options struct {
		ExcludeByName map[string]bool
		RenameByName  map[string]string
		IndexByName   map[string]int
	}
}

// types are the kinds of panels that can be drawn. None of them is deprecated in Grafana
// 9 to 11.
var types = map[string]bool{"row": true, "stat": true, "timeseries": true, "table": true, "state-timeline": true, "bargauge": true}

// Read reads a dashboard and checks it: its errors, all of them *Error and joined, are
// kinds of panels, units and transformations that are not known, panels without a query or
// with an identity that another one has, and those that lie on each other or beside the
// grid.
func Read(r io.Reader) (*Dashboard, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize))
	if err != nil {
		return nil, err
	}
	d := new(Dashboard)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, &Error{"read", "dashboard", err}
	}
	return d, d.check()
}

func (d *Dashboard) check() error {
	var list []error
	ids, taken := map[int]string{}, map[[2]int]string{}
	for i := range d.Panels {
		p := &d.Panels[i]
		for _, err := range p.check() {
			list = append(list, &Error{"read", d.Title + "/" + p.Title, err})
		}
		if other, ok := ids[p.ID]; ok {
			list = append(list, &Error{"read", d.Title + "/" + p.Title, fmt.Errorf("has the ID of %q", other)})
		}
		ids[p.ID] = p.Title
		if other := p.take(taken); other != "" {
			list = append(list, &Error{"read", d.Title + "/" + p.Title, fmt.Errorf("lies on %s", other)})
		}
	}
	return errors.Join(list...)
}

// take marks the cells of a panel, and tells what is there already.
func (p *Panel) take(taken map[[2]int]string) (other string) {
	g := p.GridPos
	if g.X < 0 || g.Y < 0 || g.W < 1 || g.H < 1 || g.X+g.W > columns || g.H > 100 || g.Y > 1000 {
		return "the edge of the grid"
	}
	for x := g.X; x < g.X+g.W; x++ {
		for y := g.Y; y < g.Y+g.H; y++ {
			if who := taken[[2]int{x, y}]; who != "" {
				other = who
			}
			taken[[2]int{x, y}] = p.Title
		}
	}
	return other
}

func (p *Panel) check() (list []error) {
	if !types[p.Type] {
		return []error{fmt.Errorf("panels of type %q are not known", p.Type)}
	}
	if p.Type == "row" {
		return nil
	}
	if len(p.Targets) == 0 {
		list = append(list, errors.New("has no query"))
	}
	for _, unit := range p.units() {
		if unit != "" && units[unit] == nil {
			list = append(list, fmt.Errorf("unit %q is not known", unit))
		}
	}
	merged := false
	for _, t := range p.Transformations {
		merged = merged || t.ID == "merge"
		if t.ID != "merge" && t.ID != "organize" {
			list = append(list, fmt.Errorf("transformation %q is not known", t.ID))
		}
	}
	if p.Type == "table" && len(p.Targets) > 1 && !merged {
		list = append(list, errors.New("has several queries and does not merge them: only the first would be shown"))
	}
	return list
}

// units are all units that a panel names.
func (p *Panel) units() []string {
	list := []string{p.FieldConfig.Defaults.Unit}
	for _, o := range p.FieldConfig.Overrides {
		for _, property := range o.Properties {
			if s := ""; property.ID == "unit" && json.Unmarshal(property.Value, &s) == nil {
				list = append(list, s)
			}
		}
	}
	return list
}
