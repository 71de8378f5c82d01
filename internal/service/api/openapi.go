package api

import (
	"reflect"
	"strconv"
	"strings"
)

// Document is the description of the API (OpenAPI 3.1), made from the endpoints and the
// types of their answers.
func Document() map[string]any {
	s := &schemas{named: object{}}
	paths := object{}
	for _, e := range endpoints() {
		paths[Prefix+e.path] = object{"get": e.operation(s)}
	}
	s.reference(reflect.TypeFor[ErrorAnswer]())
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "ibscope", "version": strconv.Itoa(Version),
			"description": "InfiniBand fabrics as ibscope serve knows them. All requests only read. " +
				"Fields that do not apply or are not known are left out. GUIDs and masks are strings of hexadecimal digits with 0x; units stand in names. " +
				"Text from a fabric may be anything; characters that a terminal or a browser could act on are written as \\uNNNN. " +
				"Within a version fields are only added. Answers have an ETag: ask again with If-None-Match.",
		},
		"paths": paths,
		"components": object{
			"schemas":         s.named,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}, "basic": object{"type": "http", "scheme": "basic"}},
		},
		// A service may want a token, a password or neither.
		"security": []any{object{}, object{"token": []any{}}, object{"basic": []any{}}},
	}
}

// operation describes the one thing that can be done at an endpoint.
func (e *endpoint) operation(s *schemas) object {
	op := object{"operationId": e.id, "summary": e.summary, "responses": e.responses(s)}
	if e.doc != "" {
		op["description"] = e.doc
	}
	if list := e.parameters(); len(list) > 0 {
		op["parameters"] = list
	}
	return op
}

func (e *endpoint) responses(s *schemas) object {
	media, schema := e.media, object{"type": "string"}
	switch {
	case e.answer != nil:
		media, schema = jsonMedia, s.of(reflect.TypeOf(e.answer))
	case media == snapshotMedia:
		schema = object{"type": "string", "contentEncoding": "binary"}
	}
	return object{
		"200":     object{"description": e.summary, "content": object{media: object{"schema": schema}}},
		"304":     object{"description": "It has not changed since the answer with the ETag of If-None-Match"},
		"default": object{"description": "What is wrong", "content": object{problemMedia: object{"schema": object{"$ref": "#/components/schemas/ErrorAnswer"}}}},
	}
}

func (e *endpoint) parameters() (list []any) {
	for part := range strings.SplitSeq(e.path, "/") {
		name, isParam := strings.CutPrefix(part, "{")
		if !isParam {
			continue
		}
		p := inPath[strings.TrimSuffix(name, "}")]
		list = append(list, object{"name": p.name, "in": "path", "required": true, "description": p.doc, "schema": p.schema()})
	}
	for _, p := range e.params {
		one := object{"name": p.name, "in": "query", "description": p.doc, "schema": p.schema()}
		if p.must {
			one["required"] = true
		}
		if p.kind == wordsParam {
			one["style"], one["explode"] = "form", false
		}
		list = append(list, one)
	}
	return list
}

func (p *param) schema() object {
	s := object{"type": "string"}
	switch p.kind {
	case numberParam:
		s = object{"type": "integer", "minimum": p.low, "maximum": p.high}
		if n, err := strconv.Atoi(p.def); err == nil {
			s["default"] = n
		}
		return s
	case flagParam:
		return object{"type": "boolean"}
	case nameParam:
		s["pattern"] = "^[a-z0-9_-]{1,63}$"
	case guidParam:
		s["pattern"] = "^(0x)?[0-9A-Fa-f]{1,16}$"
	case wordsParam:
		items := object{"type": "string"}
		if p.enum != nil {
			items["enum"] = words(p.enum)
		}
		return object{"type": "array", "items": items}
	}
	if p.enum != nil {
		s["enum"] = words(p.enum)
	}
	if p.def != "" {
		s["default"] = p.def
	}
	return s
}
