package smp

// VendorDiag is diagnostic data in a form that only the vendor knows
// (14.2.5.14). The attribute modifier is the index of the data.
//
//mad:attr id=0x0030
type VendorDiag struct {
	NextIndex uint16   `mad:"0,16" c:"NextIndex,uint"` // modifier to go on with, 0 after the last
	Data      [62]byte `mad:"16,496" c:"DiagData,array"`
}

// LedInfo turns the light of a port on and off (14.2.5.15). The attribute
// modifier is the port number.
//
//mad:attr id=0x0031
type LedInfo struct {
	On bool `mad:"0,1" c:"LedMask,uint"`
}
