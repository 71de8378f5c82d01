package gs

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// Notice is an event in a Trap or a Report of general services: the notice of
// subnet management and behind it who issued it (13.4.8.2).
//
//mad:part size=80
type Notice struct {
	smp.Notice `mad:"0,512"`

	IssuerGID ib.GID `mad:"512,128" c:"NoticeIssuerGID,array"`
}
