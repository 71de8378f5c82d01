// Package fabricjson writes a fabric as JSON, in one document or as one object
// per line (NDJSON). docs/json.md describes the schema; Schema and Version name
// it in each output. Within one version fields are only ever added.
//
// Both writers stream: memory does not grow with the fabric. Text from the
// fabric is always valid UTF-8 in the output, and every character that a
// terminal could act on is written as \uNNNN.
package fabricjson

// Identity of the schema.
const (
	Schema  = "ibscope.fabric"
	Version = 1
)
