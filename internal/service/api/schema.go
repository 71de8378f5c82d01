package api

import (
	"encoding"
	"reflect"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// object is a piece of a JSON document.
type object = map[string]any

// schemas makes JSON schemas (draft 2020-12) of Go types, and collects those of structs
// under their names.
type schemas struct {
	named object
}

var (
	timeType          = reflect.TypeFor[time.Time]()
	guidType          = reflect.TypeFor[ib.GUID]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// of is the schema of a type.
func (s *schemas) of(t reflect.Type) object {
	switch {
	case t == timeType:
		return object{"type": "string", "format": "date-time"}
	case t == guidType:
		return object{"type": "string", "pattern": "^0x[0-9a-f]{16}$"}
	case t.Kind() != reflect.Pointer && t.Implements(textMarshalerType):
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Slice:
		return object{"type": "array", "items": s.element(t.Elem())}
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return object{"type": "object"}
		}
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.reference(t)
	}
	panic("api: no schema for " + t.String()) // a new type of a field needs a line above
}

// element is the schema of an element, which is null where a pointer is nil.
func (s *schemas) element(t reflect.Type) object {
	schema := s.of(t)
	if t.Kind() == reflect.Pointer {
		schema["type"] = []any{schema["type"], "null"}
	}
	return schema
}

// reference names a struct, and makes its schema the first time.
func (s *schemas) reference(t reflect.Type) object {
	name := schemaName(t)
	if _, ok := s.named[name]; !ok {
		s.named[name] = object{} // for types that hold themselves
		s.named[name] = s.structure(t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// schemaName is the name of a type; that of Page[api.Node] is NodePage.
func schemaName(t reflect.Type) string {
	name := t.Name()
	if base, of, generic := strings.Cut(strings.TrimSuffix(name, "]"), "["); generic {
		return of[strings.LastIndexByte(of, '.')+1:] + base
	}
	return name
}

func (s *schemas) structure(t reflect.Type) object {
	properties, required := object{}, []any{}
	s.fields(t, properties, &required)
	return object{"type": "object", "properties": properties, "required": required}
}

// fields adds the fields of a struct, and those of structs that it embeds.
func (s *schemas) fields(t reflect.Type, properties object, required *[]any) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			s.fields(f.Type, properties, required)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		schema := s.of(f.Type)
		if doc := f.Tag.Get("doc"); doc != "" {
			schema["description"] = doc
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			schema["enum"] = words(strings.Split(enum, ","))
		}
		properties[name] = schema
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}

// words are strings as elements of a JSON document.
func words(list []string) []any {
	out := make([]any, len(list))
	for i, w := range list {
		out[i] = w
	}
	return out
}
