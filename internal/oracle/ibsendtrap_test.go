package oracle_test

import (
	"strings"
	"testing"
)

// TestIbsendtrap: the C tool is not in Debian's package. This is what it prints,
// from its declaration of options, and its exit codes.
func TestIbsendtrap(t *testing.T) {
	const uri = "sim:star?hosts=3"
	for line, code := range map[string]int{"": 0, "node_desc_change": 0, "local_link_integrity 3": 0, "qkey": 0, "nonsense": 2, "-h": 2, "-G": 2, "-K": 2, "-t 0": 255} {
		got := ours(t, uri, append([]string{"ibsendtrap"}, strings.Fields(line)...)...)
		if got.code != code || code == 0 && got.stdout+got.stderr != "" {
			t.Errorf("%q: exit code %d, want %d\n%s%s", line, got.code, code, got.stdout, got.stderr)
		}
	}
	const usage = `
Usage: ibsendtrap [options] [<trap_name>] [<error_port>]

Argument <trap_name> can be one of the following:
  node_desc_change
  link_speed_enabled_change
  local_link_integrity
  sys_image_guid_change
  mkey_lid
  mkey_dr
  pkey
  qkey

  default behavior is to send "node_desc_change"

Options:
  --config, -z <config>   use config file, default: /etc/infiniband-diags/ibdiag.conf
`
	if got := ours(t, uri, "ibsendtrap", "nonsense"); !strings.HasPrefix(got.stderr, usage) {
		t.Errorf("usage differs, first in %s", firstDifference(usage, got.stderr))
	}
}
