// Package versus measures the C tools and ours in turn on one simulated fabric:
// time, CPU and memory. It has tests only; `make bench-vs-c` runs them.
package versus
