// Package sa holds the attributes of subnet administration (IBA vol. 1, 15.2.5):
// the records that a subnet manager keeps about its fabric.
//
// Each record is one struct whose tags are the only place where its layout and
// the bits of the ComponentMask stand; see internal/madgen. Records that hold an
// attribute of subnet management nest the struct of package smp.
//
// A query is a record and a ComponentMask, which says what of the record counts
// (the constants Comp…). In a table records follow each other at the distance
// that the AttributeOffset of the reply gives; see Stride. A record has a few
// bytes less than its distance: what it has on the wire is its size.
//
//mad:class ClassSubnAdm
package sa

//go:generate go run ../../internal/madgen -dir .
