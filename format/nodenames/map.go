package nodenames

import "github.com/ibscope/ibscope/ib"

// Map gives names to nodes. A nil Map knows none, and can be used.
type Map struct {
	names map[ib.GUID]string
}

// Len is the number of names.
func (m *Map) Len() int {
	if m == nil {
		return 0
	}
	return len(m.names)
}

// Name is the name of a node: that in the map, else its description as the C
// tools print it, see Clean. Names from the map are not changed: they are the
// user's own, as untrusted as the file.
func (m *Map) Name(guid ib.GUID, desc string) string {
	if m != nil {
		if name, ok := m.names[guid]; ok {
			return name
		}
	}
	return Clean(desc)
}

// maxDescription is how much of a description the C tools print: the last of its
// 64 bytes is always a NUL to them.
const maxDescription = 63

// Clean is a description as the C tools print it: at most 63 bytes, up to the
// first NUL, with a blank for each byte that is not printable ASCII.
func Clean(desc string) string {
	desc = desc[:min(len(desc), maxDescription)]
	clean := []byte(desc)
	for i, c := range clean {
		if c == 0 {
			return string(clean[:i])
		}
		if c < ' ' || c > '~' {
			clean[i] = ' '
		}
	}
	return string(clean)
}
