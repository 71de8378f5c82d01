// Package health finds what is wrong with a fabric, and says how bad each thing
// is, where it is, what it rests on and what to do.
//
// Examine works on the graph alone; counters, subnet managers, firmware and
// forwarding tables are looked at where the caller has them. Each check tells
// whether it could look: what is not known is said, and never taken for good.
package health
