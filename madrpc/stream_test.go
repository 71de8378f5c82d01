package madrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// rmppAgent is the sending side of RMPP as the Linux kernel has it: it sends up
// to the window, and after a while of silence again from the last packet that was
// acknowledged.
type rmppAgent struct {
	f       *fake
	mu      sync.Mutex
	data    []byte
	retry   time.Duration                        // silence before a repeat
	lose    func(nth int, h mad.RMPPHeader) bool // packets sent that get lost, nth from 1
	mangle  func(p *mad.Packet)
	request mad.Packet
	acked   uint32
	window  uint32
	next    uint32
	sent    int
	acks    []mad.RMPPHeader
	ended   bool // by the last ACK, STOP or ABORT
	timer   *time.Timer
}

func newRMPPAgent(data []byte) *rmppAgent {
	a := &rmppAgent{f: newFake(), data: data, retry: 200 * time.Millisecond}
	a.f.from = mad.Addr{LID: 1, QP: 1}
	a.f.onSend = func(_ int, p mad.Packet) error {
		a.receive(p)
		return nil
	}
	return a
}

const saData = 200

func (a *rmppAgent) segments() uint32 { return uint32(max(1, (len(a.data)+saData-1)/saData)) }

func (a *rmppAgent) receive(p mad.Packet) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := p.RMPP()
	switch {
	case !p.IsRMPP():
		if a.next == 0 {
			a.request, a.window, a.next = p, 1, 1
			a.send()
		}
		return
	case h.Type == mad.RMPPAck:
		a.acks = append(a.acks, h)
		a.acked, a.window = max(a.acked, h.Data1), max(a.window, h.Data2)
	default:
		a.acks = append(a.acks, h)
		a.acked = a.segments()
	}
	if a.acked >= a.segments() {
		a.ended = true
		a.timer.Stop()
		return
	}
	a.next = max(a.next, a.acked+1)
	a.send()
}

func (a *rmppAgent) send() {
	for ; a.next <= min(a.window, a.segments()); a.next++ {
		p := a.packet(a.next)
		if a.sent++; a.lose == nil || !a.lose(a.sent, p.RMPP()) {
			a.f.deliver(p)
		}
	}
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(a.retry, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.next = a.acked + 1
		a.send()
	})
}

func (a *rmppAgent) packet(n uint32) mad.Packet {
	p := a.request
	p.SetMethod(mad.MethodGetTable | mad.ResponseBit)
	p.SetAttrOffset(14)
	h := mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive, Data1: n}
	rest := a.data[min(len(a.data), int(n-1)*saData):]
	if n == 1 {
		h.Flags |= mad.RMPPFirst
		h.Data2 = uint32(len(a.data)) + 20*a.segments()
	}
	if n == a.segments() {
		h.Flags |= mad.RMPPLast
		h.Data2 = uint32(len(rest)) + 20
	}
	copy(p.Data(), rest)
	p.SetRMPP(h)
	if a.mangle != nil {
		a.mangle(&p)
	}
	return p
}

func tableRequest() *Request {
	r := &Request{Target: mad.ByLID(1)}
	r.Packet.Init(mad.ClassSubnAdm, mad.MethodGetTable, 0x11, 0)
	return r
}

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

// readStream reads a stream to its end.
func readStream(s *Stream) ([]byte, error) {
	var all []byte
	for {
		data, err := s.Next(context.Background())
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, data...)
	}
}

// TestStream reads replies of many lengths, without loss and with a part of the
// packets lost in either direction.
func TestStream(t *testing.T) {
	for _, lossy := range []bool{false, true} {
		for _, size := range []int{0, 1, 8, 199, 200, 201, 400, 12800, 12801, 100_000, 900_000} {
			synctest.Test(t, func(t *testing.T) {
				a := newRMPPAgent(pattern(size))
				if lossy {
					random := rand.New(rand.NewPCG(1, uint64(size)))
					back := rand.New(rand.NewPCG(2, uint64(size)))
					a.lose = func(int, mad.RMPPHeader) bool { return random.IntN(50) == 0 }
					a.f.onSend = func(n int, p mad.Packet) error {
						if back.IntN(10) > 0 {
							a.receive(p)
						}
						return nil
					}
				}
				c := New(a.f, nil)
				defer c.Close()
				s := c.Stream(tableRequest())
				defer s.Close()
				h, err := s.Header(t.Context())
				if err != nil || h.AttrOffset() != 14 {
					t.Fatalf("%d bytes: header %v", size, err)
				}
				got, err := readStream(s)
				if err != nil || !bytes.Equal(got, a.data) {
					t.Errorf("%d bytes (loss %v): %d bytes, %v", size, lossy, len(got), err)
				}
				synctest.Wait()
				time.Sleep(time.Second)
				if synctest.Wait(); !a.ended && !lossy {
					t.Errorf("%d bytes: the agent was not told that all is there", size)
				}
				a.timer.Stop()
				if last := a.acks[len(a.acks)-1]; last.Data1 != a.segments() || last.Type != mad.RMPPAck {
					t.Errorf("%d bytes: last ACK %+v, want packet %d", size, last, a.segments())
				}
				if !lossy && len(a.acks) != int(a.segments()+62)/64+1 && a.segments() > 1 {
					t.Errorf("%d packets took %d ACKs", a.segments(), len(a.acks))
				}
			})
		}
	}
}

// TestStreamSlowReader checks that an agent does not get further ahead of the
// reader than maxAhead packets, and that it goes on when the reader does.
func TestStreamSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRMPPAgent(pattern(2 * maxAhead * saData))
		c := New(a.f, nil)
		defer c.Close()
		s := c.Stream(tableRequest())
		defer s.Close()
		synctest.Wait()
		time.Sleep(30 * time.Second)
		if synctest.Wait(); a.acked != maxAhead || len(s.t.pending) != maxAhead*saData {
			t.Errorf("agent is at packet %d, %d bytes wait", a.acked, len(s.t.pending))
		}
		if got, err := readStream(s); err != nil || !bytes.Equal(got, a.data) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

// TestStreamWithoutRMPP reads replies of one packet: one that does not use RMPP,
// and one whose header is what a layer below has left of it.
func TestStreamWithoutRMPP(t *testing.T) {
	for _, h := range []mad.RMPPHeader{{}, {Version: 1, Flags: mad.RMPPActive}, {Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive}} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.onSend = func(_ int, p mad.Packet) error {
				p.SetMethod(mad.MethodGetTable | mad.ResponseBit)
				copy(p.Data(), pattern(saData))
				p.SetRMPP(h)
				f.deliver(p)
				return nil
			}
			c := New(f, nil)
			defer c.Close()
			s := c.Stream(tableRequest())
			defer s.Close()
			if got, err := readStream(s); err != nil || !bytes.Equal(got, pattern(saData)) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if synctest.Wait(); len(f.sends()) != 1 {
				t.Errorf("%d packets sent, want the request", len(f.sends()))
			}
		})
	}
}

// TestStreamErrors checks how a stream ends that does not reach its end.
func TestStreamErrors(t *testing.T) {
	data := pattern(100 * saData)
	tests := []struct {
		name   string
		change func(*rmppAgent)
		want   error
		told   mad.RMPPType // what the agent is told in the end
	}{
		{"status", func(a *rmppAgent) {
			a.mangle = func(p *mad.Packet) { p.SetStatus(0x0300); p.SetRMPP(mad.RMPPHeader{}) }
		}, mad.Status(0x0300), 0},
		{"agent gives up", func(a *rmppAgent) {
			a.mangle = func(p *mad.Packet) {
				if h := p.RMPP(); h.Data1 == 50 {
					p.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAbort, Flags: mad.RMPPActive, Status: mad.RMPPTooManyRetries})
				}
			}
		}, mad.RMPPTooManyRetries, 0},
		{"silence", func(a *rmppAgent) { a.lose = func(nth int, _ mad.RMPPHeader) bool { return nth > 1 } }, os.ErrDeadlineExceeded, mad.RMPPAck},
		{"bad first", func(a *rmppAgent) {
			a.mangle = func(p *mad.Packet) {
				if h := p.RMPP(); h.Data1 == 30 {
					h.Flags |= mad.RMPPFirst
					p.SetRMPP(h)
				}
			}
		}, mad.RMPPInconsistentFirst, mad.RMPPAbort},
		{"version", func(a *rmppAgent) {
			a.mangle = func(p *mad.Packet) {
				h := p.RMPP()
				h.Version = 2
				p.SetRMPP(h)
			}
		}, mad.RMPPUnsupportedVersion, mad.RMPPAbort},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newRMPPAgent(data)
				tt.change(a)
				c := New(a.f, nil)
				s := c.Stream(tableRequest())
				got, err := readStream(s)
				var e *Error
				if !errors.Is(err, tt.want) || !errors.As(err, &e) || e.Attr != 0x11 {
					t.Errorf("%d bytes, error %v, want %v", len(got), err, tt.want)
				}
				synctest.Wait()
				n := len(a.acks)
				if tt.told != 0 && (n == 0 || a.acks[n-1].Type != tt.told) {
					t.Errorf("the agent was told %+v, want type %d at the end", a.acks, tt.told)
				}
				a.timer.Stop()
				s.Close()
				c.Close()
			})
		})
	}
}

// TestStreamClosed gives up in the middle: the agent is told to stop, and the
// request can be used again.
func TestStreamClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRMPPAgent(pattern(3 * maxAhead * saData))
		c := New(a.f, nil)
		defer c.Close()
		r := tableRequest()
		s := c.Stream(r)
		if _, err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if synctest.Wait(); !a.ended || a.acks[len(a.acks)-1].Type != mad.RMPPStop {
			t.Errorf("the agent was told %+v", a.acks[len(a.acks)-1])
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		a.f.onSend = nil
		s = c.Stream(r)
		if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want the context's", err)
		}
		s.Close()
		if st := c.Stats(); st.InFlight != 0 || st.Waiting != 0 {
			t.Errorf("left over: %+v", st)
		}
	})
}

// TestStreamLastRepeated: an agent that did not get the last ACK repeats the last
// packet and is answered, though the request is over.
func TestStreamLastRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newRMPPAgent(pattern(1000))
		lost := 0
		a.f.onSend = func(_ int, p mad.Packet) error {
			if h := p.RMPP(); p.IsRMPP() && h.Data1 == 5 && lost < 2 {
				lost++
				return nil
			}
			a.receive(p)
			return nil
		}
		c := New(a.f, nil)
		defer c.Close()
		s := c.Stream(tableRequest())
		defer s.Close()
		if got, err := readStream(s); err != nil || len(got) != 1000 {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		time.Sleep(5 * time.Second)
		if synctest.Wait(); !a.ended || lost != 2 {
			t.Errorf("agent ended %v after %d lost ACKs", a.ended, lost)
		}
	})
}
