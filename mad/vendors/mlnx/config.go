package mlnx

// ConfigSpaceAccess reads and writes the configuration space of a device. The
// attribute modifier comes from ConfigSpaceModifier.
//
//mad:attr id=0x0050 size=232
type ConfigSpaceAccess struct {
	Records [18]ConfigRecord `mad:"64,96*18"`
}

// ConfigRecord is a word of the configuration space.
//
//mad:part size=12
type ConfigRecord struct {
	Address uint32 `mad:"0,32" c:"Address,hex"`
	Data    uint32 `mad:"32,32" c:"Data,hex"`
	Mask    uint32 `mad:"64,32" c:"Mask,hex"` // bits to read or write
}

// MaxConfigRecords is the number of words in a ConfigSpaceAccess.
const MaxConfigRecords = 18

// ConfigSpaceModifier is the attribute modifier for n records, at most
// MaxConfigRecords.
func ConfigSpaceModifier(n int) uint32 {
	return 2<<22 | uint32(max(0, min(n, MaxConfigRecords)))<<16
}

// CounterGroupInfo says which groups of counters a switch of the fourth
// generation (InfiniScale IV) has. The attribute modifier is the port.
//
//mad:attr id=0x0090 size=232
type CounterGroupInfo struct {
	NumGroups uint8     `mad:"88,8" c:"NumGroups,uint"`
	Groups    [2]uint32 `mad:"96,32*2" c:"GroupMask,hex"`
}

// ConfigCounterGroup chooses the two groups that are counted. The attribute
// modifier is the port.
//
//mad:attr id=0x0091 size=232
type ConfigCounterGroup struct {
	Groups [2]uint8 `mad:"120,8*2/32" c:"GroupSelect,uint"`
}
