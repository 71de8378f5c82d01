package model

import "strings"

// IsAggregationNode tells the adapters that are built into switches for SHARP.
func IsAggregationNode(vendor uint32, device uint16) bool {
	return strings.HasSuffix(Name(vendor, device), "aggregation node")
}
