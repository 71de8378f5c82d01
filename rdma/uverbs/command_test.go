package uverbs

import (
	"bytes"
	"runtime"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// TestMarshal reads a command as the kernel does.
func TestMarshal(t *testing.T) {
	long, answer := bytes.Repeat([]byte{7}, 9), make([]byte, 48)
	c := &command{object: 1, method: 2, driver: 14, attrs: []attr{
		in(5, uint64(0x1122)), {id: 6, in: long}, {id: 7, out: answer}, in(8, uint32(3)), {id: 9, in: []byte{}},
	}}
	var p runtime.Pinner
	defer p.Unpin()
	buf := c.marshal(&p)
	h := view[ioctlHeader](buf)
	if h.Length != 24+5*16 || h.Object != 1 || h.Method != 2 || h.NumAttrs != 5 || h.Driver != 14 {
		t.Errorf("header %+v", h)
	}
	var got []ioctlAttr
	for i := range c.attrs {
		got = append(got, view[ioctlAttr](buf[headerSize+i*attrSize:]))
	}
	want := []ioctlAttr{
		{ID: 5, Len: 8, Flags: 1, Data: 0x1122},
		{ID: 6, Len: 9, Flags: 1, Data: uint64(uintptr(unsafe.Pointer(&long[0])))},
		{ID: 7, Len: 48, Flags: 1, Data: uint64(uintptr(unsafe.Pointer(&answer[0])))},
		{ID: 8, Len: 4, Flags: 1},
		{ID: 9, Flags: 1},
	}
	copy(bytesOf(&want[3].Data), wire(uint32(3)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
}
