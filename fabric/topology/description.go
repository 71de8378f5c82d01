package topology

import (
	"slices"
	"strings"
)

// devicePrefixes begin the names that drivers give adapters and what other
// conventions put there; a digit follows.
var devicePrefixes = [...]string{
	"mlx4_", "mlx5_", "mthca", "smi_", "hfi1_", "hfi", "qib", "ipath", "HCA-", "hca-", "HCA", "hca",
	"ibp", "ibs", "ibo", "ib", "rocep", "roceo", "rdmap", "bnxt_re", "irdma", "usnic_", "efa_", "rxe",
}

// ParseDescription takes the NodeDescription of a channel adapter apart into the
// name of the machine and of the adapter in it: "node7 mlx5_0", "node7 HCA-1",
// "node7 mlx5_0 vf2" of a virtual function, "node7". The host is "" for texts that
// name no machine, as those that firmware has before a driver sets another. Both
// are untrusted text.
func ParseDescription(description string) (host, device string) {
	words := strings.Fields(description)
	if len(words) == 0 || isFirmwareText(description) {
		return "", ""
	}
	at := slices.IndexFunc(words, isDeviceName)
	switch {
	case len(words) == 1 && at < 0:
		return words[0], ""
	case at == 1 && (len(words) == 2 || len(words) == 3 && isFunctionName(words[2])):
		return words[0], strings.Join(words[1:], " ")
	}
	return "", ""
}

// isFirmwareText reports whether a description is that of unnamed hardware, as
// "MT4123 ConnectX6   Mellanox Technologies".
func isFirmwareText(description string) bool {
	return strings.Contains(description, "Mellanox Technologies") || strings.HasPrefix(description, "MT") &&
		strings.Contains(description, "ConnectX")
}

func isDeviceName(word string) bool {
	for _, prefix := range devicePrefixes {
		if rest, ok := strings.CutPrefix(word, prefix); ok && rest != "" && isDigit(rest[0]) {
			return true
		}
	}
	return false
}

// isFunctionName reports whether a word names a virtual function, as "vf3".
func isFunctionName(word string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(word), "vf")
	return ok && (rest == "" || isDigit(rest[0]) || rest[0] == '-')
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isDefaultName reports whether a host name is one that many machines have
// before they get their own.
func isDefaultName(host string) bool {
	short, _, _ := strings.Cut(host, ".")
	switch short {
	case "localhost", "ubuntu", "debian", "linux", "(none)", "host":
		return true
	}
	return false
}
