package process

import (
	"testing"

	"github.com/ibscope/ibscope/internal/cli/env"
)

func TestSweeps(t *testing.T) {
	for _, test := range []struct {
		args []string
		want bool
	}{
		{[]string{"ibscope"}, false},
		{[]string{"/usr/sbin/ibnetdiscover", "-p"}, true},
		{[]string{"ibscope", "iblinkinfo"}, true},
		{[]string{"ibscope", "discover", "--fabric", "ibsim:"}, true},
		{[]string{"ibscope", "sim", "serve"}, false},
		{[]string{"ibscope", "--version"}, false},
		{[]string{"ibstat"}, false},
		{[]string{"smpquery", "NI", "discover"}, false},
	} {
		if got := sweeps(&env.Env{Args: test.args}); got != test.want {
			t.Errorf("%q: %v", test.args, got)
		}
	}
}
