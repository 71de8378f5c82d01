package dashboard

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strconv"
)

// field is how the values of a name look: the defaults, and what overrides them.
func (p *Panel) field(name string) Field {
	f := p.FieldConfig.Defaults
	for _, o := range p.FieldConfig.Overrides {
		if !o.fits(name) {
			continue
		}
		for _, property := range o.Properties {
			into := map[string]any{
				"unit": &f.Unit, "decimals": &f.Decimals, "min": &f.Min, "max": &f.Max, "noValue": &f.NoValue, "color": &f.Color,
				"thresholds": &f.Thresholds, "mappings": &f.Mappings, "custom.width": &f.Custom.Width, "custom.align": &f.Custom.Align, "custom.hidden": &f.Custom.Hidden,
				"custom.cellOptions": &f.Custom.CellOptions, "custom.drawStyle": &f.Custom.DrawStyle, "custom.fillOpacity": &f.Custom.FillOpacity,
			}[property.ID]
			if into != nil {
				reflect.ValueOf(into).Elem().SetZero()   // what it points to belongs to the defaults
				_ = json.Unmarshal(property.Value, into) // what does not fit stays as it was
			}
		}
	}
	return f
}

func (o *Override) fits(name string) bool {
	switch o.Matcher.ID {
	case "byName":
		return o.Matcher.Options == name
	case "byRegexp":
		pattern := o.Matcher.Options
		if len(pattern) > 1 && pattern[0] == '/' {
			pattern = pattern[1 : len(pattern)-1]
		}
		ok, err := regexp.MatchString(pattern, name)
		return ok && err == nil
	}
	return false
}

// text is a value in words, and its colour where a mapping or a threshold has one.
func (f *Field) text(v float64) (text, colour string) {
	colour = f.colour(v)
	if math.IsNaN(v) {
		return f.NoValue, colour
	}
	for _, m := range f.Mappings {
		if m.Type != "value" {
			continue
		}
		var words map[string]struct{ Text, Color string }
		if json.Unmarshal(m.Options, &words) != nil {
			continue
		}
		if w, ok := words[strconv.FormatFloat(v, 'f', -1, 64)]; ok {
			if w.Color != "" {
				colour = named(w.Color)
			}
			if w.Text != "" {
				return w.Text, colour
			}
		}
	}
	unit := units[f.Unit]
	if unit == nil {
		unit = units["short"]
	}
	return unit(v, f.Decimals), colour
}

// colour is that of the highest threshold that a value reaches, "" without any.
func (f *Field) colour(v float64) (colour string) {
	if f.Color.Mode == "fixed" {
		return named(f.Color.FixedColor)
	}
	for _, s := range f.Thresholds.Steps {
		if s.Value == nil || v >= *s.Value {
			colour = named(s.Color)
		}
	}
	return colour
}
