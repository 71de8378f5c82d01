package testenv

import (
	"errors"
	"os"
	"path/filepath"
)

// umad2simEnv overrides the search of the preload library.
const umad2simEnv = "IBSCOPE_UMAD2SIM"

// umad2simPlaces are where distributions and a build from source put it, as
// patterns of filepath.Glob.
var umad2simPlaces = []string{
	"/usr/lib/*/umad2sim/libumad2sim.so*", // Debian: the multiarch directory
	"/usr/lib64/umad2sim/libumad2sim.so*",
	"/usr/lib/umad2sim/libumad2sim.so*",
	"/usr/local/lib*/umad2sim/libumad2sim.so*",
	"/usr/lib/*/libumad2sim.so*",
	"/usr/lib*/libumad2sim.so*",
}

// Umad2sim finds the library that lets C tools talk to ibsim when it is
// preloaded: the file that IBSCOPE_UMAD2SIM names, or one in the usual places.
func Umad2sim() (string, error) {
	if path := os.Getenv(umad2simEnv); path != "" {
		return filepath.Abs(path)
	}
	for _, pattern := range umad2simPlaces {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0], nil
		}
	}
	return "", errors.New("libumad2sim.so not found; name it in " + umad2simEnv)
}
