package cache

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

// GUIDKind says which GUIDs a change is about.
type GUIDKind uint8

// The kinds.
const (
	// SwitchGUID is that of a switch and of all its ports.
	SwitchGUID GUIDKind = iota
	// CAGUID is the node GUID of a channel adapter. Its ports keep theirs.
	CAGUID
	// SystemImageGUID is that of all nodes that have it.
	SystemImageGUID
	// PortGUID is that of a port of one node; of a switch as SwitchGUID.
	PortGUID
)

// Change is a GUID to replace.
type Change struct {
	Kind          GUIDKind
	Node          ib.GUID // of PortGUID: the node GUID of the port's node
	Before, After ib.GUID
}

// Replace makes a change. What is named by a GUID that changes stays named: the
// other ends of links, the node that the sweep started from. As with ibcacheedit of
// infiniband-diags, the node GUID and the port GUID inside of a NodeInfo stay as
// they were, which no reader of the file looks at.
//
// The error is an *Error with ErrNoSuchGUID; nothing has been changed then.
func (r *Records) Replace(c Change) error {
	switch c.Kind {
	case SwitchGUID:
		return r.each(c, "switchguid", ib.NodeSwitch, r.renameSwitch)
	case CAGUID:
		return r.each(c, "caguid", ib.NodeCA, r.renameNode)
	case SystemImageGUID:
		return r.replaceSystemImage(c)
	}
	return r.replacePort(c)
}

// each renames the nodes of a type that have the GUID: one, in a fabric whose
// GUIDs are not mixed up.
func (r *Records) each(c Change, what string, t ib.NodeType, rename func(int, ib.GUID)) error {
	found := false
	for i := range r.nodes {
		if n := &r.nodes[i]; n.guid() == c.Before && n.nodeType() == t {
			rename(i, c.After)
			found = true
		}
	}
	if !found {
		return noSuch(what, c.Before)
	}
	return nil
}

// noSuch has C's words for what was not found.
func noSuch(what string, guid ib.GUID) error {
	return &Error{Op: "edit", Offset: -1, What: fmt.Sprintf("%s = %x", what, uint64(guid)), Err: ErrNoSuchGUID}
}

func (r *Records) replaceSystemImage(c Change) error {
	const at = offNodeInfo + offInfoSystemGUID
	found := false
	for i := range r.nodes {
		raw := &r.nodes[i].raw
		if ib.GUID(be.Uint64(raw[at:])) == c.Before {
			be.PutUint64(raw[at:], uint64(c.After))
			found = true
		}
	}
	if !found {
		return noSuch("sysimgguid", c.Before)
	}
	return nil
}

func (r *Records) replacePort(c Change) error {
	isNode, found := false, false
	for i := range r.nodes {
		if r.nodes[i].guid() == c.Node {
			isNode = true
			found = r.replacePortOf(i, c) || found
		}
	}
	switch {
	case !isNode:
		return noSuch("nodeguid", c.Node)
	case !found:
		return noSuch("portguid", c.Before)
	}
	return nil
}

func (r *Records) replacePortOf(i int, c Change) (found bool) {
	for place, port := range r.keys[i] {
		if r.nodes[i].keys[place].guid == c.Before && port >= 0 {
			found = true
			r.renamePort(port, c.After)
		}
	}
	if found && r.nodes[i].nodeType() == ib.NodeSwitch {
		r.renameSwitch(i, c.After)
	}
	return found
}

func (r *Records) renameSwitch(i int, guid ib.GUID) {
	r.renameNode(i, guid)
	for _, port := range r.keys[i] {
		if port >= 0 {
			r.renamePort(port, guid)
		}
	}
}

// renameNode changes a node's GUID wherever it is named by it.
func (r *Records) renameNode(i int, guid ib.GUID) {
	le.PutUint64(r.nodes[i].raw[offNodeGUID:], uint64(guid))
	if r.start == i {
		le.PutUint64(r.header[offFromGUID:], uint64(guid))
	}
	for port, owner := range r.owner {
		if owner == i {
			le.PutUint64(r.ports[port].raw[offPortOwner:], uint64(guid))
		}
	}
}

// renamePort changes a port's GUID wherever it is named by it.
func (r *Records) renamePort(port int, guid ib.GUID) {
	rename := func(b []byte) { le.PutUint64(b, uint64(guid)) }
	rename(r.ports[port].raw[offPortKey:])
	if peer := r.peer[port]; peer >= 0 && r.peer[peer] == port {
		rename(r.ports[peer].raw[offPeerKey:])
	}
	if owner := r.owner[port]; owner >= 0 {
		for place, other := range r.keys[owner] {
			if other == port {
				r.nodes[owner].keys[place].guid = guid
			}
		}
	}
}
