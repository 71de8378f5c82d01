package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// validator checks values against the schemas of the document: as much of JSON Schema as
// the document uses, and no more. What is not in a schema is a fault too, so that the
// document cannot fall behind.
type validator struct{ schemas map[string]any }

func newValidator(t testing.TB) *validator {
	t.Helper()
	var document struct {
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
	}
	b, err := json.Marshal(Document())
	if err == nil {
		err = json.Unmarshal(b, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &validator{document.Components.Schemas}
}

// check lists the faults of a JSON text against a schema.
func (v *validator) check(schema any, text []byte) []string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return []string{err.Error()}
	}
	return v.value("$", schema.(map[string]any), value)
}

func (v *validator) value(at string, schema map[string]any, value any) (faults []string) {
	if ref, ok := schema["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		inner, ok := v.schemas[name].(map[string]any)
		if !ok {
			return []string{at + ": there is no schema " + name}
		}
		return v.value(at, inner, value)
	}
	fault := func(format string, args ...any) { faults = append(faults, at+": "+fmt.Sprintf(format, args...)) }
	types := []any{schema["type"]}
	if list, ok := schema["type"].([]any); ok {
		types = list
	}
	if !slices.ContainsFunc(types, func(t any) bool { return isType(t.(string), value) }) {
		fault("%v is no %v", value, types)
		return faults
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, value) {
		fault("%v is none of %v", value, enum)
	}
	switch value := value.(type) {
	case string:
		if p, ok := schema["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(value) {
			fault("%q does not fit %s", value, p)
		}
		if schema["format"] == "date-time" {
			if when, err := time.Parse(time.RFC3339Nano, value); err != nil || when.Location() != time.UTC {
				fault("%q is no time in UTC", value)
			}
		}
	case []any:
		for i, one := range value {
			faults = append(faults, v.value(fmt.Sprintf("%s[%d]", at, i), schema["items"].(map[string]any), one)...)
		}
	case map[string]any:
		faults = append(faults, v.object(at, schema, value)...)
	}
	return faults
}

func (v *validator) object(at string, schema, value map[string]any) (faults []string) {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := value[name.(string)]; !ok {
			faults = append(faults, fmt.Sprintf("%s: %v is missing", at, name))
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, one := range value {
		inner, ok := properties[name]
		if !ok {
			inner, ok = schema["additionalProperties"]
		}
		if !ok && properties == nil {
			continue // any object
		}
		if !ok {
			faults = append(faults, fmt.Sprintf("%s: %s is not in the document", at, name))
			continue
		}
		faults = append(faults, v.value(at+"."+name, inner.(map[string]any), one)...)
	}
	return faults
}

func isType(name string, value any) bool {
	switch value := value.(type) {
	case nil:
		return name == "null"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		f, err := value.Float64()
		return err == nil && (name == "number" || name == "integer" && f == math.Trunc(f))
	}
	return false
}

// TestValidator makes sure that the validator finds what it is there to find.
func TestValidator(t *testing.T) {
	v := &validator{map[string]any{"Thing": map[string]any{
		"type": "object", "required": []any{"n"}, "properties": map[string]any{
			"n": map[string]any{"type": "integer"}, "w": map[string]any{"type": "string", "enum": []any{"a", "b"}},
			"t": map[string]any{"type": "string", "format": "date-time"},
		},
	}}}
	thing := map[string]any{"$ref": "#/components/schemas/Thing"}
	for _, tt := range []struct {
		text   string
		faults int
	}{
		{`{"n":1,"w":"a","t":"2026-01-01T00:00:00Z"}`, 0},
		{`{}`, 1},
		{`{"n":1.5}`, 1},
		{`{"n":1,"x":2}`, 1},
		{`{"n":1,"w":"c"}`, 1},
		{`{"n":"1"}`, 1},
		{`[]`, 1},
		{`{"n":1,"t":"yesterday"}`, 1},
		{`{"n":1,"t":"2026-01-01T00:00:00+01:00"}`, 1},
	} {
		if got := v.check(thing, []byte(tt.text)); len(got) != tt.faults {
			t.Errorf("%s: %v", tt.text, got)
		}
	}
}
