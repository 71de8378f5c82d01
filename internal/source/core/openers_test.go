package core

import (
	"errors"
	"testing"
)

func noEnv(string) string { return "" }

// TestOthersAreNotThere: without a table of others, their schemes are mistakes.
func TestOthersAreNotThere(t *testing.T) {
	for _, uri := range []string{"sim:star", "file:a", "x:y", ":"} {
		w := World{Getenv: noEnv}
		if _, err := w.Open(t.Context(), uri); !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}
