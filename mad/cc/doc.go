// Package cc holds the attributes of congestion control (IBA vol. 1, annex A10).
//
// Each attribute is one struct whose tags are the only place where its layout
// stands; see internal/madgen. Requests carry a CC_Key (mad.Packet.SetClassKey).
// What libibmad and its tools print as a list of entries is an array of structs
// here: the dump of the attribute leaves it out, and each entry has its own.
//
//mad:class ClassCC
package cc

//go:generate go run ../../internal/madgen -dir .
