//go:build !linux

package metrics

func usageNow() usage { return noUsage }
