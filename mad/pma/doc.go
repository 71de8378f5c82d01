// Package pma holds the attributes of performance management (IBA vol. 1,
// 16.1.3): the counters of ports.
//
// Each attribute is one struct whose tags are the only place where its layout,
// the widths at which counters stop, and the bits that select counters stand;
// see internal/madgen. The data of a request names the port (PortSelect) and,
// when counters are to be reset, which (CounterSelect); the attribute modifier
// is always 0.
//
// Counters stop at their largest value; they do not wrap.
//
//mad:class ClassPerf
package pma

//go:generate go run ../../internal/madgen -dir .
