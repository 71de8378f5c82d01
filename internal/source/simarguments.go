package source

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/sim/gen"
)

// checkParams refuses arguments that neither the generator nor the simulator
// knows. Generators that do not exist are for gen.Parse to refuse.
func checkParams(u *URI, rest url.Values) error {
	for _, g := range gen.Generators() {
		if g.Name != u.Name {
			continue
		}
		var known []string
		for _, p := range g.Params {
			known = append(known, p.Name)
		}
		for _, key := range slices.Sorted(maps.Keys(rest)) {
			if !slices.Contains(known, key) {
				return u.Wrap("argument "+key, &core.Syntax{Text: fmt.Sprintf("it is not known; %s has %s, and every simulated fabric %s",
					g.Name, strings.Join(known, ", "), strings.Join(simArguments, ", "))})
			}
		}
	}
	return nil
}
