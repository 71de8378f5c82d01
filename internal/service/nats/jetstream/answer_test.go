package jetstream

import (
	"errors"
	"testing"

	"github.com/ibscope/ibscope/internal/service/nats"
)

// TestAcked: an answer that is none of JetStream is said to be none.
func TestAcked(t *testing.T) {
	for text, want := range map[string]error{
		`{"stream":"S","seq":7,"duplicate":true}`: nil,
		``:                        ErrBadAnswer,
		`{}`:                      ErrBadAnswer,
		`{"stream":"S","seq":-1}`: ErrBadAnswer,
		`[]`:                      ErrBadAnswer,
		`{"error":{"code":400,"err_code":10071,"description":"wrong"}}`: ErrWrongRevision,
		`{"error":{"code":503,"err_code":10039,"description":"no"}}`:    ErrNotEnabled,
	} {
		a, err := acked(&nats.Message{Data: []byte(text)})
		if !errors.Is(err, want) || err == nil && (a.Sequence != 7 || !a.Duplicate) {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}
