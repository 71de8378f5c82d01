package sweep

import (
	"os"
	"strings"
)

// IsURI reports whether an argument that may also be the name of a file is a fabric
// URI: it begins with a scheme, and no file has that name.
func IsURI(argument string) bool {
	scheme, _, found := strings.Cut(argument, ":")
	switch scheme {
	case "umad", "ibsim":
	case "sim", "file":
		if !found {
			return false
		}
	default:
		return false
	}
	_, err := os.Stat(argument)
	return err != nil
}

// FabricURI is the URI that an argument stands for, which may be the name of a file.
func FabricURI(argument string) string {
	if IsURI(argument) {
		return argument
	}
	return "file:" + argument
}
