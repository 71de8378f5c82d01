package history

import (
	"testing"
	"time"
)

func TestUnitsOfKeys(t *testing.T) {
	for part := range numParts {
		at := time.Date(2100, 1, 2, 3, 4, 5, 0, time.UTC)
		if got, p := splitKey(rateKey(1<<10, 3, at, part)); !got.Equal(at) || p != part {
			t.Errorf("%v part %d became %v part %d", at, part, got, p)
		}
	}
}
