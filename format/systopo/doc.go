// Package systopo reads the topologies of ibutils: .topo files, which connect
// whole systems, and .ibnl files, which define what nodes a system has inside.
//
// It is how a fabric is planned, so that nothing in it has a GUID or a LID: nodes
// get invented GUIDs, and the names that ibdm gives them, "SW1/leaf1/U1".
package systopo
