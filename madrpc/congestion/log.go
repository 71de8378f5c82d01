package congestion

import (
	"context"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
)

// Log is what an agent wrote down about congestion. Of the two layouts that is
// set which the type tells; none for a type that is not known.
type Log struct {
	cc.CongestionLog
	Switch  *cc.CongestionLogSwitch
	Adapter *cc.CongestionLogCA
}

// Log reads the log.
func (a *Agent) Log(ctx context.Context) (*Log, error) {
	var raw rawLog
	if err := a.Get(ctx, &raw, 0); err != nil {
		return nil, err
	}
	var l Log
	l.Decode((*[logSize]byte)(&raw))
	switch l.LogType {
	case cc.LogSwitch:
		l.Switch = new(cc.CongestionLogSwitch)
		l.Switch.Decode((*[logSize]byte)(&raw))
	case cc.LogCA:
		l.Adapter = new(cc.CongestionLogCA)
		l.Adapter.Decode((*[logSize]byte)(&raw))
	}
	return &l, nil
}

const logSize = 224

// rawLog is the log before its layout is known.
type rawLog [logSize]byte

func (*rawLog) Class() mad.Class   { return mad.ClassCC }
func (*rawLog) AttrID() mad.AttrID { return cc.AttrCongestionLog }

func (r *rawLog) UnmarshalBinary(data []byte) error {
	*r = rawLog{}
	copy(r[:], data)
	return nil
}

func (r *rawLog) AppendBinary(dst []byte) ([]byte, error) { return append(dst, r[:]...), nil }
