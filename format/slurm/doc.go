// Package slurm writes trees of hosts for Slurm: topology.conf for its plugins
// topology/tree and topology/block, and topology.yaml of Slurm 25.05 and newer, which
// holds several topologies. It also compresses and expands Slurm's lists of hosts.
//
// The formats are those of topology.conf(5) and topology.yaml(5).
package slurm
