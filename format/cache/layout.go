package cache

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// All integers in the file are little-endian; attributes are in wire form.
const (
	magic   = 0x8FE7832B
	version = 1

	headerLen     = 28
	nodeHeaderLen = 15 + 3*mad.DataSize // and k keys of keyLen bytes
	keyLen        = 9
	portLen       = 31 + mad.DataSize
)

// Offsets in the header.
const (
	offMagic     = 0
	offVersion   = 4
	offNodes     = 8
	offPorts     = 12
	offFromGUID  = 16
	offMaxHops   = 24
	nodesPerFile = 1 << 20 // bounds for counts that come from a file
	portsPerFile = 1 << 22
)

// Offsets in a node record.
const (
	offNodeLID      = 0
	offNodeLMC      = 2
	offNodeEnhanced = 3
	offSwitchInfo   = 4
	offNodeGUID     = 68
	offNodeType     = 76
	offNodeNumPorts = 77
	offNodeInfo     = 78
	offDescription  = 142
	offKeyCount     = 206
)

// Offsets in a port record.
const (
	offPortKey    = 0
	offPortExt    = 9
	offPortLID    = 10
	offPortLMC    = 12
	offPortInfo   = 13
	offPortOwner  = 77
	offPortLinked = 85
	offPeerKey    = 86
)

// Offsets in NodeInfo: of the fields that a node record repeats, and of the system
// image GUID.
const (
	offInfoType       = 2
	offInfoNumPorts   = 3
	offInfoSystemGUID = 4
	offInfoGUID       = 12
)

var le, be = binary.LittleEndian, binary.BigEndian

// portKey names a port in the file. All ports of a switch have one GUID.
type portKey struct {
	guid ib.GUID
	num  uint8
}

func getKey(b []byte) portKey { return portKey{ib.GUID(le.Uint64(b)), b[8]} }

func putKey(b []byte, k portKey) {
	le.PutUint64(b, uint64(k.guid))
	b[8] = k.num
}

// Recognise reports whether a file that begins with head is a cache file.
func Recognise(head []byte) bool { return len(head) >= 4 && le.Uint32(head) == magic }
