package openib

import "github.com/ibscope/ibscope/mad"

// OUI is the vendor in the packets of both classes.
const OUI uint32 = 0x001405

// The classes.
const (
	ClassPing    mad.Class = 0x32
	ClassSysstat mad.Class = 0x33
)

// Ping is answered with the same data, except that the server writes its name
// over the beginning. The method is Get.
//
//mad:attr id=0x0000 size=216 class=0x32
type Ping struct {
	Data [216]byte `mad:"0,1728" c:"Data,string"` // in a reply host.domain, ended by NUL
}

// SysstatPing asks whether the server is there.
//
//mad:attr id=0x0010 size=216 class=0x33
type SysstatPing struct {
	Data [216]byte `mad:"0,1728" c:"Data,string"`
}

// SysstatHost is the name of the server's machine. The answer may be longer than
// a MAD and then comes by RMPP.
//
//mad:attr id=0x0011 size=216 class=0x33
type SysstatHost struct {
	Name [216]byte `mad:"0,1728" c:"Host,string"`
}

// SysstatCPU is a line of text for each processor.
//
//mad:attr id=0x0012 size=216 class=0x33
type SysstatCPU struct {
	Text [216]byte `mad:"0,1728" c:"Cpu,string"`
}
