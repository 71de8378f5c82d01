package mad

import "testing"

func TestTargetText(t *testing.T) {
	tests := []struct {
		to   Target
		want string
	}{
		{ByLID(5), "Lid 5"},
		{Target{}, "DR path slid 0; dlid 0; 0"},
		{ByPath(path(t, 1, 7)), "DR path slid 0; dlid 0; 0,1,7"},
		{Target{LID: 5, SLID: 3, Path: path(t, 1)}, "Lid 5 DR path slid 3; dlid 65535; 0,1"},
		{Target{LID: 5, Path: path(t, 1)}, "Lid 5 DR path slid 65535; dlid 65535; 0,1"},
	}
	for _, tt := range tests {
		if got := tt.to.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
