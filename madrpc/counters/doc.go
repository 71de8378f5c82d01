// Package counters resets the counters of many ports, several nodes at once.
package counters
