package umad

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// saHeader is what precedes the records of an RMPP message of subnet
// administration; record data per packet is 200 bytes.
const saHeader = 56

// saTable makes the answer to a GetTable request, with n bytes of records.
func saTable(request *mad.Packet, n int) []byte {
	b := make([]byte, saHeader+n)
	copy(b, request[:saHeader])
	b[3] = byte(mad.MethodGetTable | mad.ResponseBit)
	b[24], b[25], b[26] = 1, 1, 1 // RMPP version 1, DATA, active
	binary.BigEndian.PutUint16(b[44:], 8)
	for i := saHeader; i < len(b); i++ {
		b[i] = byte(i ^ i>>8)
	}
	return b
}

// TestKernelLongMessages answers a GetTable by the kernel's RMPP. A message that
// is longer than one MAD makes the first read fail with ENOSPC.
func TestKernelLongMessages(t *testing.T) {
	needKernel(t)
	for _, size := range []int{8, 100, 200, 201, 1000, 20000, 200000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			server, client := openKernel(t), openKernel(t)
			answer := exchangeTable(t, server, client, size)
			m, err := client.RecvLong()
			if err != nil {
				t.Fatal(err)
			}
			// What is the kernel's: the TID, and the RMPP header but its version.
			if len(m.Data) != len(answer) || !bytes.Equal(m.Data[saHeader:], answer[saHeader:]) {
				t.Errorf("received %d bytes, want %d, or others", len(m.Data), len(answer))
			}
			if m.Agent != 0 || m.Data[3] != answer[3] || !m.Addr.HasGRH {
				t.Errorf("received for agent %d % x from %+v", m.Agent, m.Data[:saHeader], m.Addr)
			}
		})
	}
}

// TestKernelLongMessageCut receives by Recv, which gives the first 256 bytes and
// does not leave the rest in the way of the next one.
func TestKernelLongMessageCut(t *testing.T) {
	needKernel(t)
	server, client := openKernel(t), openKernel(t)
	answer := exchangeTable(t, server, client, 5000)
	m, from := recv(t, client)
	if !bytes.Equal(m[saHeader:], answer[saHeader:mad.Size]) || from.QP != mad.QPGeneral {
		t.Errorf("received % x from %+v", m[:], from)
	}
	if err := client.Send(packet(mad.ClassPerf, mad.MethodGet, 7), ownAddr(t), time.Second); err != nil {
		t.Fatal(err)
	}
	if m, _ := recv(t, client); uint32(m.TID()) != 7 {
		t.Errorf("next one: % x", m[:24])
	}
}

// exchangeTable has the client ask and the server answer with that many bytes
// of records, and gives the answer.
func exchangeTable(t *testing.T, server, client *Port, size int) []byte {
	t.Helper()
	serve, err := server.Register(AgentRequest{Class: mad.ClassSubnAdm, Methods: []mad.Method{mad.MethodGetTable}, RMPP: true})
	if err != nil {
		t.Fatal(err)
	}
	ask, err := client.Register(AgentRequest{Class: mad.ClassSubnAdm, RMPP: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := ask.Send(packet(mad.ClassSubnAdm, mad.MethodGetTable, 0x5555), ownAddr(t), 10*time.Second, 0); err != nil {
		t.Fatal(err)
	}
	request, from := recv(t, server)
	if request.Method() != mad.MethodGetTable {
		t.Fatalf("the server received % x", request[:24])
	}
	answer := saTable(request, size)
	if err := serve.SendLong(answer, from, time.Second, 3); err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestKernelLongMessageLost: an RMPP message that nobody acknowledges comes back.
func TestKernelLongMessageLost(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	a, err := p.Register(AgentRequest{Class: mad.ClassSubnAdm, RMPP: true})
	if err != nil {
		t.Fatal(err)
	}
	request := packet(mad.ClassSubnAdm, mad.MethodGetTable, 0x77)
	if err := a.SendLong(saTable(request, 1000), gidAddr(t, 1), 100*time.Millisecond, 1); err != nil {
		t.Fatal(err)
	}
	m, err := p.RecvLong()
	var lost *mad.SendError
	if !errors.As(err, &lost) || !errors.Is(err, unix.ETIMEDOUT) || len(m.Data) != 24 || !bytes.Equal(m.Data[12:24], request[12:24]) {
		t.Errorf("received % x, %v", m.Data, err)
	}
}
