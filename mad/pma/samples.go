package pma

// PortSamplesControl sets up the sampling of up to 15 quantities at a port
// (16.1.3.2). A counter is there if its mask is; what it counts is in
// CounterSelect.
//
//mad:attr id=0x0010 size=192
type PortSamplesControl struct {
	OpCode                uint8      `mad:"0,8" c:"OpCode,hex"`
	PortSelect            uint8      `mad:"8,8" c:"PortSelect,uint"`
	Tick                  uint8      `mad:"16,8" c:"Tick,hex"`
	CounterWidth          uint8      `mad:"29,3" c:"CounterWidth,uint"` // 16 bits and four for each step
	CounterMask0          uint8      `mad:"34,3" c:"CounterMask0,hex"`
	CounterMasks1to9      uint32     `mad:"37,27" c:"CounterMasks1to9,hex"`
	CounterMasks10to14    uint16     `mad:"65,15" c:"CounterMasks10to14,hex"`
	SampleMechanisms      uint8      `mad:"80,8" c:"SampleMechanisms,uint"`
	SampleStatus          uint8      `mad:"94,2" c:"SampleStatus,uint"` // Sample… constants
	OptionMask            uint64     `mad:"96,64" c:"OptionMask,hex"`
	VendorMask            uint64     `mad:"160,64" c:"VendorMask,hex"`
	SampleStart           uint32     `mad:"224,32" c:"SampleStart,uint"`    // ticks until sampling starts
	SampleInterval        uint32     `mad:"256,32" c:"SampleInterval,uint"` // ticks that it takes
	Tag                   uint16     `mad:"288,16" c:"Tag,hex"`
	CounterSelect         [15]uint16 `mad:"304,16*15" c:"CounterSelect,hex"`
	SamplesOnlyOptionMask uint64     `mad:"576,64" c:"SamplesOnlyOptionMask,hex"`
}

// States of sampling.
const (
	SampleDone    uint8 = 0
	SampleStarted uint8 = 1 // until SampleStart is over
	SampleRunning uint8 = 2
)

// PortSamplesResult is what sampling counted (16.1.3.4).
//
//mad:attr id=0x0011 size=192
type PortSamplesResult struct {
	Tag          uint16     `mad:"0,16" c:"Tag,hex"` // of the PortSamplesControl
	SampleStatus uint8      `mad:"30,2" c:"SampleStatus,hex"`
	Counters     [15]uint32 `mad:"32,32*15" c:"Counter,uint"`
}
