package nldev

import (
	"fmt"

	"github.com/mdlayher/netlink"
)

// decode calls one for each attribute of a message or of a nest.
func decode(b []byte, one func(*netlink.AttributeDecoder)) error {
	ad, err := netlink.NewAttributeDecoder(b)
	if err != nil {
		return err
	}
	for ad.Next() {
		one(ad)
	}
	return ad.Err()
}

// number reads an integer of any size that fits into bits: kernels do not agree
// with the header's comments on all sizes.
func number(ad *netlink.AttributeDecoder, bits int) uint64 {
	var v uint64
	ad.Do(func(b []byte) error {
		switch len(b) {
		case 1:
			v = uint64(ad.Uint8())
		case 2:
			v = uint64(ad.Uint16())
		case 4:
			v = uint64(ad.Uint32())
		case 8:
			v = ad.Uint64()
		default:
			return fmt.Errorf("attribute %d is a number of %d bytes", ad.Type(), len(b))
		}
		if bits < 64 && v>>bits != 0 {
			err := fmt.Errorf("attribute %d holds %d, more than %d bits", ad.Type(), v, bits)
			v = 0
			return err
		}
		return nil
	})
	return v
}
