package api

import (
	"encoding/json"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestDocument compares the document with the one in docs, so that a change of the API
// is seen as one.
func TestDocument(t *testing.T) {
	b, err := json.MarshalIndent(Document(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	testenv.Golden(t, "../../../../docs/openapi.json", append(b, '\n'))
}
