package pma

import "github.com/ibscope/ibscope/mad/field"

// Clear sets those counters of v to 0 that a reset by mask resets; see
// SelectCounters. The rest stays.
func Clear(v field.Value, mask uint64) error {
	return write(v, func(data []byte) error {
		fields := v.Fields()
		for i := range fields {
			for j := range fields[i].Elements() {
				if e := fields[i].Element(j); e.Mask&mask != 0 {
					e.SetUint(data, 0)
				}
			}
		}
		return nil
	})
}
