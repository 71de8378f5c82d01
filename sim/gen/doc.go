// Package gen makes fabrics: fat trees, pods of GPU servers, dragonflies,
// lattices, director switches, subnets, planes, of any size that one could buy,
// and small regular ones for tests. They are complete, with real looking GUIDs, LIDs,
// capabilities and port states, and have the same order as a sweep of them from
// their start port gives.
//
// Parse makes one from a text such as "fattree?levels=3&radix=64&speed=ndr".
package gen
