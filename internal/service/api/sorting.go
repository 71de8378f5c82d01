package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric/topology"
)

// sortBy sorts a list by a value as the request wants it; what has none comes last. What
// is equal stays in its order.
func sortBy[T any](r *request, list []T, value func(T) *float64) {
	type entry struct {
		item T
		key  *float64
	}
	entries := make([]entry, len(list))
	for i, item := range list {
		entries[i] = entry{item, value(item)}
	}
	sign := 1
	if strings.HasPrefix(r.text("sort"), "-") {
		sign = -1
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		switch {
		case a.key == nil || b.key == nil:
			return cmp.Compare(flagOf(a.key == nil), flagOf(b.key == nil))
		}
		return sign * cmp.Compare(*a.key, *b.key)
	})
	for i := range entries {
		list[i] = entries[i].item
	}
}

func flagOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareNames puts "node2" before "node10".
func compareNames(a, b string) int { return topology.CompareNatural(a, b) }

func float(n *uint64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

func number(n int) *float64 {
	f := float64(n)
	return &f
}

func pointer[T any](v T) *T { return &v }
