// Package anonymize replaces what identifies the owner of a fabric: names, GUIDs,
// LIDs, subnet prefixes and keys. What the fabric is stays: nodes and links and
// their order, models, rates, states, routes, chassis, which GUIDs belong
// together, and which names are alike.
//
// A Mapping does the same for several fabrics, so that what was one thing in all
// of them is one thing in the results. The same seed gives the same result; who
// knows the seed can test a guess of a GUID, so keep it.
package anonymize
