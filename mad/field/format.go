package field

// Format is how libibmad prints a field. The names in the comments are those
// of the struct tags.
type Format uint8

// The formats.
const (
	Uint               Format = iota // "uint": decimal
	Hex                              // "hex": 0x and two digits for each byte that the field touches
	RawHex                           // "rhex": the same without 0x
	Array                            // "array": all bytes in hexadecimal
	Text                             // "string": text up to the first NUL, in single quotes
	NodeTypeText                     // "nodetype"
	StateText                        // "state": logical port state
	PhysText                         // "phys": physical port state
	DownDefaultText                  // "ddstate": state that a port falls back to
	MTUText                          // "mtu": size in bytes
	VLCapText                        // "vlcap": range of virtual lanes
	OperVLsText                      // "opervls": the same, with "No change" for 0
	Width                            // "width": one link width
	WidthSupported                   // "width-sup": several
	WidthEnabled                     // "width-en"
	Speed                            // "speed": one lane speed up to QDR
	SpeedSupported                   // "speed-sup": several
	SpeedEnabled                     // "speed-en"
	ExtSpeed                         // "espeed": one lane speed from FDR to NDR
	ExtSpeedSupported                // "espeed-sup": several
	ExtSpeedEnabled                  // "espeed-en"
	ExtSpeed2                        // "espeed2": one lane speed from XDR on
	ExtSpeed2Supported               // "espeed2-sup": several
	ExtSpeed2Enabled                 // "espeed2-en"
	CapMask                          // "capmask": PortInfo.CapabilityMask, one line for each capability
	CapMask2                         // "capmask2": PortInfo.CapabilityMask2
	formats
)

var formatNames = [formats]string{
	Uint: "uint", Hex: "hex", RawHex: "rhex", Array: "array", Text: "string",
	NodeTypeText: "nodetype", StateText: "state", PhysText: "phys", DownDefaultText: "ddstate",
	MTUText: "mtu", VLCapText: "vlcap", OperVLsText: "opervls",
	Width: "width", WidthSupported: "width-sup", WidthEnabled: "width-en",
	Speed: "speed", SpeedSupported: "speed-sup", SpeedEnabled: "speed-en",
	ExtSpeed: "espeed", ExtSpeedSupported: "espeed-sup", ExtSpeedEnabled: "espeed-en",
	ExtSpeed2: "espeed2", ExtSpeed2Supported: "espeed2-sup", ExtSpeed2Enabled: "espeed2-en",
	CapMask: "capmask", CapMask2: "capmask2",
}

// String is the name that struct tags use.
func (f Format) String() string {
	if f < formats {
		return formatNames[f]
	}
	return "unknown"
}

// ParseFormat is the format with that name; false if there is none.
func ParseFormat(name string) (Format, bool) {
	for f, n := range formatNames {
		if n == name {
			return Format(f), true
		}
	}
	return 0, false
}
