package madrpc

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

func TestErrorText(t *testing.T) {
	path, _ := ib.NewDRPath(1, 2)
	tests := []struct {
		class    mad.Class
		method   mad.Method
		attr     mad.AttrID
		modifier uint32
		to       mad.Target
		err      error
		want     string
	}{
		{
			mad.ClassSubnDirected, mad.MethodGet, 0x15, 3, mad.ByPath(path), &noReply{tries: 4, timeout: time.Second},
			"Get PortInfo modifier 3 from DR path slid 0; dlid 0; 0,1,2: no reply in 4 tries of 1s",
		},
		{
			mad.ClassSubnLID, mad.MethodSet, 0x16, 0x20001, mad.ByLID(7), mad.StatusUnsupportedAttr,
			"Set PKeyTable modifier 0x20001 to Lid 7: status 0x000c: method not supported for this attribute",
		},
		{
			mad.ClassPerf, mad.MethodGet, 0x12, 0, mad.ByLID(7), context.Canceled,
			"Get Perf PortCounters modifier 0 from Lid 7: context canceled",
		},
		{
			mad.ClassSubnLID, mad.MethodGet, 0x11, 0, mad.ByLID(7), &noReply{tries: 1, timeout: time.Second, report: &mad.SendError{Err: syscall.ETIMEDOUT}},
			"Get NodeInfo modifier 0 from Lid 7: no reply in 1 try: request returned unanswered: connection timed out",
		},
	}
	for _, test := range tests {
		r := &Request{Target: test.to}
		r.Packet.Init(test.class, test.method, test.attr, test.modifier)
		if got := newError(r, test.err).Error(); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
	}
}

func TestErrorKinds(t *testing.T) {
	returned := &noReply{tries: 4, timeout: time.Second, report: &mad.SendError{Err: syscall.ETIMEDOUT}}
	tests := []struct {
		err     error
		is      []error
		timeout bool
	}{
		{&noReply{tries: 4, timeout: time.Second}, []error{os.ErrDeadlineExceeded}, true},
		{returned, []error{os.ErrDeadlineExceeded, syscall.ETIMEDOUT}, true},
		{mad.StatusBusy, []error{mad.StatusBusy}, false},
		{context.DeadlineExceeded, []error{context.DeadlineExceeded}, true},
		{context.Canceled, []error{context.Canceled}, false},
		{syscall.EIO, []error{syscall.EIO}, false},
	}
	for _, test := range tests {
		e := newError(portInfo(1, 0), test.err)
		for _, target := range test.is {
			if !errors.Is(e, target) {
				t.Errorf("%v is not %v", e, target)
			}
		}
		if e.Timeout() != test.timeout {
			t.Errorf("%v: Timeout() = %v", e, e.Timeout())
		}
	}
}
