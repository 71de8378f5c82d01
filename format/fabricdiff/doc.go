// Package fabricdiff writes the differences of two fabrics, as package fabric/diff
// finds them: as text for people, or as JSON.
//
// docs/json.md describes the JSON.
package fabricdiff
