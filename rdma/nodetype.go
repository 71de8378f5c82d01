package rdma

import (
	"strconv"

	"github.com/ibscope/ibscope/ib"
)

// NodeType is the kind of a device. The first three are those of the InfiniBand
// specification, the others are the kernel's.
type NodeType uint8

// The node types, with the kernel's numbers (enum rdma_node_type).
const (
	NodeUnknown     NodeType = 0 // could not be read
	NodeCA          NodeType = 1
	NodeSwitch      NodeType = 2
	NodeRouter      NodeType = 3
	NodeRNIC        NodeType = 4 // iWARP
	NodeUSNIC       NodeType = 5
	NodeUSNICUDP    NodeType = 6
	NodeUnspecified NodeType = 7 // EFA and others of their own kind
)

var nodeTypeNames = [...]string{"unknown", "CA", "Switch", "Router", "RNIC", "usNIC", "usNIC UDP", "unspecified"}

// String is "CA", "Switch", "Router", "RNIC", "usNIC", "usNIC UDP",
// "unspecified", "unknown" or "unknown (N)".
func (t NodeType) String() string {
	if int(t) < len(nodeTypeNames) {
		return nodeTypeNames[t]
	}
	return unknownCode(int(t))
}

// MarshalText implements encoding.TextMarshaler.
func (t NodeType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// IsIB reports whether t is a node type of the InfiniBand specification. RoCE
// adapters are channel adapters too: ask the port for its link layer.
func (t NodeType) IsIB() bool { return t >= NodeCA && t <= NodeRouter }

// IB is the node type in the terms of the specification, 0 for others.
func (t NodeType) IB() ib.NodeType {
	if t.IsIB() {
		return ib.NodeType(t)
	}
	return 0
}

// Transport is the transport that devices of the type speak.
func (t NodeType) Transport() Transport {
	switch t {
	case NodeCA, NodeSwitch, NodeRouter:
		return TransportIB
	case NodeRNIC:
		return TransportIWARP
	case NodeUSNIC:
		return TransportUSNIC
	case NodeUSNICUDP:
		return TransportUSNICUDP
	case NodeUnspecified:
		return TransportUnspecified
	}
	return TransportUnknown
}

// Transport is a transport protocol, with the numbers of libibverbs.
type Transport int8

// The transports.
const (
	TransportUnknown     Transport = -1
	TransportIB          Transport = 0 // InfiniBand, and RoCE
	TransportIWARP       Transport = 1
	TransportUSNIC       Transport = 2
	TransportUSNICUDP    Transport = 3
	TransportUnspecified Transport = 4
)

var transportNames = [...]string{"unknown", "InfiniBand", "iWARP", "usNIC", "usNIC UDP", "unspecified"}

// String is "InfiniBand", "iWARP", "usNIC", "usNIC UDP", "unspecified" or "unknown".
func (t Transport) String() string {
	if i := int(t) + 1; i >= 0 && i < len(transportNames) {
		return transportNames[i]
	}
	return unknownCode(int(t))
}

// MarshalText implements encoding.TextMarshaler.
func (t Transport) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// unknownCode is how a code without a name is written, as in package ib.
func unknownCode(code int) string { return "unknown (" + strconv.Itoa(code) + ")" }
