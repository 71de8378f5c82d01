// Package nodelabels writes where hosts are in the network as labels of Kubernetes
// nodes, with the keys that NVIDIA topograph uses, as JSON.
package nodelabels

import (
	"fmt"
	"io"
	"sort"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// Identity of the schema.
const (
	Schema  = "ibscope.nodelabels"
	Version = 1
)

// Scheme is a set of keys.
type Scheme string

// The schemes.
const (
	// NVIDIA is network.topology.nvidia.com/leaf, spine and core. What is above
	// the third level has no key.
	NVIDIA Scheme = "nvidia"

	// Topograph is fabric.topograph.run/tier-0 for the leaf, tier-1 for what is
	// above it, and so on.
	Topograph Scheme = "topograph"
)

// Schemes are all of them.
func Schemes() []string { return []string{string(NVIDIA), string(Topograph)} }

// key is the key for a level from 0, "" for none.
func (s Scheme) key(level int) string {
	if s == Topograph {
		return fmt.Sprintf("fabric.topograph.run/tier-%d", level)
	}
	names := [...]string{"leaf", "spine", "core"}
	if level >= len(names) {
		return ""
	}
	return "network.topology.nvidia.com/" + names[level]
}

// Node is a Kubernetes node with its labels.
type Node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
}

// Labels are the labels of all hosts, in natural order of their names. A host that
// is in several networks has those of the first. Values are legal for Kubernetes:
// names of domains are at most 63 characters long.
func Labels(forest *hosttree.Forest, scheme Scheme) []Node {
	nodes := []Node{}
	seen := map[string]bool{}
	var walk func(d *hosttree.Domain, above []string)
	walk = func(d *hosttree.Domain, above []string) {
		chain := append([]string{d.Name}, above...)
		for _, child := range d.Children {
			walk(child, chain)
		}
		for _, host := range d.Hosts {
			if seen[host] {
				continue
			}
			seen[host] = true
			labels := map[string]string{}
			for level, name := range chain {
				if key := scheme.key(level); key != "" {
					labels[key] = name
				}
			}
			nodes = append(nodes, Node{host, labels})
		}
	}
	for _, n := range forest.Networks {
		for _, root := range n.Roots {
			walk(root, nil)
		}
	}
	sort.Slice(nodes, func(i, j int) bool {
		a, b := nodes[i], nodes[j]
		return topology.CompareNatural(a.Name, b.Name) < 0
	})
	return nodes
}

// Document is what Write writes.
type Document struct {
	Schema   string   `json:"schema"`
	Version  int      `json:"version"`
	Sources  []string `json:"sources,omitempty"` // URIs of the fabrics
	Complete bool     `json:"complete"`          // all of the fabrics could be read
	Scheme   Scheme   `json:"scheme"`
	Nodes    []Node   `json:"nodes"`
	Left     []Left   `json:"left"`
}

// Left is a host without labels.
type Left struct {
	Name     string          `json:"name,omitempty"`
	Reason   hosttree.Reason `json:"reason"`
	Role     topology.Role   `json:"role,omitempty"`
	Adapters []ib.GUID       `json:"adapters,omitempty"`
}

// NewDocument puts a document together.
func NewDocument(inputs []hosttree.Input, forest *hosttree.Forest, scheme Scheme) *Document {
	d := &Document{Schema: Schema, Version: Version, Complete: true, Scheme: scheme, Nodes: Labels(forest, scheme), Left: []Left{}}
	for _, in := range inputs {
		if source := in.Fabric.Sweep().Source; source != "" {
			d.Sources = append(d.Sources, source)
		}
		d.Complete = d.Complete && in.Fabric.IsComplete()
	}
	for _, l := range forest.Left {
		d.Left = append(d.Left, Left(l))
	}
	return d
}

// Write writes a document.
func (d *Document) Write(out io.Writer) error { return encode(out, d) }
