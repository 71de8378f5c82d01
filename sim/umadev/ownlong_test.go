package umadev

import (
	"testing"
	"testing/synctest"

	"github.com/ibscope/ibscope/mad"
)

// TestOwnLong: a client that joins messages itself gets each segment of a reply,
// though its request is done with the first, and may send an ACK meanwhile.
func TestOwnLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		c.register(registration{qp: 1, class: uint8(mad.ClassSubnAdm), version: 2, rmppVersion: 1, isUserRMPP: true})
		var p mad.Packet
		p.Init(mad.ClassSubnAdm, mad.MethodGetTable, 0x11, 0)
		p.SetTID(7)
		c.send(0, &p, 0x1234)
		synctest.Wait()
		request := <-w.sent
		for segment := range uint32(3) {
			reply := request
			reply.SetRMPP(mad.RMPPHeader{Version: mad.RMPPVersion, Type: mad.RMPPData, Flags: mad.RMPPActive, Data1: segment + 1})
			w.reply(reply)
			synctest.Wait()
			if _, got := c.receive(); got.RMPP().Data1 != segment+1 {
				t.Errorf("segment %d, want %d", got.RMPP().Data1, segment+1)
			}
			ack := p
			ack.SetRMPP(mad.RMPPHeader{Version: mad.RMPPVersion, Type: mad.RMPPAck, Flags: mad.RMPPActive, Data1: segment + 1, Data2: 9})
			c.send(0, &ack, 0x1234)
		}
	})
}
