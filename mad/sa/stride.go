package sa

// offsetUnit is the unit of AttributeOffset, in bytes.
const offsetUnit = 8

// Stride is the least distance in bytes between records of a size: the size,
// rounded up to a multiple of 8.
func Stride(size int) int { return (size + offsetUnit - 1) / offsetUnit * offsetUnit }

// AttributeOffset is Stride in the unit of the header of a table, 8 bytes.
func AttributeOffset(size int) uint16 { return uint16(Stride(size) / offsetUnit) }
