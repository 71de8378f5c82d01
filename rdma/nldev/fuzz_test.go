package nldev

import (
	"testing"

	"github.com/mdlayher/netlink"
)

// FuzzAttributes feeds all parsers of messages.
func FuzzAttributes(f *testing.F) {
	f.Add(body(f, hfi))
	f.Add(body(f, func(ae *netlink.AttributeEncoder) {
		ae.Nested(80, func(ae *netlink.AttributeEncoder) error {
			ae.Nested(81, func(ae *netlink.AttributeEncoder) error {
				ae.String(82, "x")
				ae.Uint64(83, 1)
				return nil
			})
			return nil
		})
	}))
	f.Add([]byte{4, 0, 1, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, parse := range []func([]byte) error{
			new(Device).parse, new(Port).parse, new(CharDev).parse, new(System).parse,
			func(b []byte) error {
				counters, err := parseCounters(b)
				if len(counters)*4 > len(b) {
					t.Errorf("%d counters in %d bytes", len(counters), len(b))
				}
				return err
			},
		} {
			if parse(b) == nil && len(b)%4 != 0 && len(b) < 4 && len(b) > 0 {
				t.Errorf("% x is a message", b)
			}
		}
		var p Port
		if p.parse(b) == nil && p.Num < 0 {
			t.Errorf("port %d", p.Num)
		}
	})
}
