// Package nodenames reads node name maps: files that give names to node GUIDs,
// for switches whose own description says nothing. Opensm and the C tools
// (option --node-name-map) use the same files:
//
//	# comment
//	0x0002c90300000010  "leaf # 1"   # the name may be in quotes
//	0x0002c90300000011  leaf 2       # or not
//
// It differs from C where C is of no use: C forgets the whole map for one bad
// line, ends a name in quotes at "#", and keeps the blanks behind a bare name
// that a comment follows. Of several names for one GUID the first holds, as in C.
package nodenames
