package bm

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
)

// ClassPortInfo describes the agent at a port.
//
//mad:attr id=0x0001 size=72
type ClassPortInfo struct {
	gs.ClassPortInfo `mad:"0,576"`
}

// BKeyInfo protects the agent from strangers (16.2.3.3).
//
//mad:attr id=0x0010 size=192
type BKeyInfo struct {
	BKey        uint64 `mad:"0,64" c:"BKey,hex,secret"`
	Protect     bool   `mad:"64,1" c:"BKeyProtect,uint"`
	LeasePeriod uint16 `mad:"80,16" c:"BKeyLease,uint"` // seconds
	Violations  uint16 `mad:"96,16" c:"BKeyViolations,uint"`
}

// Identifiers of attributes that have no type here: their data is a command to
// the module, or what it answers.
const (
	AttrWriteVPD           mad.AttrID = 0x0020
	AttrReadVPD            mad.AttrID = 0x0021
	AttrResetIBML          mad.AttrID = 0x0022
	AttrSetModulePMControl mad.AttrID = 0x0023
	AttrGetModulePMControl mad.AttrID = 0x0024
	AttrSetUnitPMControl   mad.AttrID = 0x0025
	AttrGetUnitPMControl   mad.AttrID = 0x0026
	AttrSetIOCPMControl    mad.AttrID = 0x0027
	AttrGetIOCPMControl    mad.AttrID = 0x0028
	AttrSetModuleState     mad.AttrID = 0x0029
	AttrSetModuleAttention mad.AttrID = 0x002a
	AttrGetModuleStatus    mad.AttrID = 0x002b
	AttrIB2IBML            mad.AttrID = 0x002c
	AttrIB2CME             mad.AttrID = 0x002d
	AttrIB2MME             mad.AttrID = 0x002e
	AttrOEM                mad.AttrID = 0x002f
)
