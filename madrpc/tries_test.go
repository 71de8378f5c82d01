package madrpc

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ibscope/ibscope/mad"
)

const ms = time.Millisecond

// An outcome is what the transport does with one try.
type outcome func(f *fake, p mad.Packet) error

func lose(*fake, mad.Packet) error { return nil }

func answerAfter(d time.Duration, status mad.Status) outcome {
	return func(f *fake, p mad.Packet) error {
		f.deliverAfter(d, withStatus(reply(p), status))
		return nil
	}
}

func returnAfter(d time.Duration, errno error) outcome {
	return func(f *fake, p mad.Packet) error {
		time.AfterFunc(d, func() { f.giveBack(p, errno) })
		return nil
	}
}

func refuse(err error) outcome {
	return func(*fake, mad.Packet) error { return err }
}

func TestTries(t *testing.T) {
	tests := []struct {
		name    string
		script  []outcome // what is beyond it is lost
		options Options
		sent    []time.Duration // when each packet goes out
		done    time.Duration
		err     error // errors.Is target, nil for success
		stats   Stats
	}{{
		name: "no reply at all",
		sent: []time.Duration{0, 100 * ms, 200 * ms, 300 * ms}, done: 400 * ms,
		err:   os.ErrDeadlineExceeded,
		stats: Stats{Sent: 1, Resent: 3, TimedOut: 1},
	}, {
		name: "no retries", options: Options{Retries: -1},
		sent: []time.Duration{0}, done: 100 * ms,
		err:   os.ErrDeadlineExceeded,
		stats: Stats{Sent: 1, TimedOut: 1},
	}, {
		name:   "third try",
		script: []outcome{lose, lose, answerAfter(30*ms, 0)},
		sent:   []time.Duration{0, 100 * ms, 200 * ms}, done: 230 * ms,
		stats: Stats{Sent: 1, Resent: 2, Replies: 1},
	}, {
		name:   "reply to the first try after the second was sent",
		script: []outcome{answerAfter(150*ms, 0)},
		sent:   []time.Duration{0, 100 * ms}, done: 150 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1},
	}, {
		name:   "both tries answered",
		script: []outcome{answerAfter(150*ms, 0), answerAfter(70*ms, 0)},
		sent:   []time.Duration{0, 100 * ms}, done: 150 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Duplicates: 1},
	}, {
		name: "late reply, twice", options: Options{Retries: -1},
		script: []outcome{func(f *fake, p mad.Packet) error {
			answerAfter(150*ms, 0)(f, p)
			return answerAfter(160*ms, 0)(f, p)
		}},
		sent: []time.Duration{0}, done: 100 * ms,
		err:   os.ErrDeadlineExceeded,
		stats: Stats{Sent: 1, TimedOut: 1, Late: 1, Duplicates: 1},
	}, {
		name:   "returned at once, then answered",
		script: []outcome{returnAfter(ms, syscall.ETIMEDOUT), answerAfter(5*ms, 0)},
		sent:   []time.Duration{0, 1 * ms}, done: 6 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Returned: 1},
	}, {
		name: "returned each time", options: Options{Retries: 1},
		script: []outcome{returnAfter(ms, syscall.ETIMEDOUT), returnAfter(ms, syscall.ETIMEDOUT)},
		sent:   []time.Duration{0, 1 * ms}, done: 2 * ms,
		err:   syscall.ETIMEDOUT,
		stats: Stats{Sent: 1, Resent: 1, Returned: 2, TimedOut: 1},
	}, {
		name: "returned for another reason", options: Options{Retries: -1},
		script: []outcome{returnAfter(ms, syscall.EHOSTUNREACH)},
		sent:   []time.Duration{0}, done: ms,
		err:   syscall.EHOSTUNREACH,
		stats: Stats{Sent: 1, Returned: 1},
	}, {
		// The report of the first try must not end the second one.
		name:   "returned after our own timeout",
		script: []outcome{returnAfter(110*ms, syscall.ETIMEDOUT), answerAfter(50*ms, 0)},
		sent:   []time.Duration{0, 100 * ms}, done: 150 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Returned: 1},
	}, {
		// The kernel refuses the next try until it has returned the one before.
		name:   "refused while the transport holds the first try",
		script: []outcome{returnAfter(104*ms, syscall.ETIMEDOUT), refuse(syscall.EINVAL), answerAfter(5*ms, 0)},
		sent:   []time.Duration{0, 100 * ms, 104 * ms}, done: 109 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Returned: 1, Unsent: 1},
	}, {
		name: "refused while the transport reports the first try",
		script: []outcome{lose, func(f *fake, p mad.Packet) error {
			f.giveBack(p, syscall.ETIMEDOUT)
			time.Sleep(ms) // the client takes the report
			return syscall.EINVAL
		}, answerAfter(5*ms, 0)},
		sent: []time.Duration{0, 100 * ms, 101 * ms}, done: 106 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Returned: 1, Unsent: 1},
	}, {
		name:   "answered while the transport holds the first try",
		script: []outcome{answerAfter(103*ms, 0), refuse(syscall.EINVAL)},
		sent:   []time.Duration{0, 100 * ms}, done: 103 * ms,
		stats: Stats{Sent: 1, Replies: 1, Unsent: 1},
	}, {
		name:   "refused, and the first try never returned",
		script: []outcome{lose, refuse(syscall.EINVAL)},
		sent:   []time.Duration{0, 100 * ms}, done: 200 * ms,
		err:   syscall.EINVAL,
		stats: Stats{Sent: 1, Unsent: 1},
	}, {
		name:   "no room once",
		script: []outcome{refuse(syscall.EAGAIN), answerAfter(5*ms, 0)},
		sent:   []time.Duration{0, 100 * ms}, done: 105 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Unsent: 1},
	}, {
		name: "no room ever", options: Options{Retries: 1},
		script: []outcome{refuse(syscall.ENOBUFS), refuse(syscall.ENOBUFS)},
		sent:   []time.Duration{0, 100 * ms}, done: 200 * ms,
		err:   syscall.ENOBUFS,
		stats: Stats{Sent: 1, Resent: 1, TimedOut: 1, Unsent: 2},
	}, {
		name: "no room, then no reply", options: Options{Retries: 1},
		script: []outcome{refuse(syscall.EAGAIN), lose},
		sent:   []time.Duration{0, 100 * ms}, done: 200 * ms,
		err:   os.ErrDeadlineExceeded,
		stats: Stats{Sent: 1, Resent: 1, TimedOut: 1, Unsent: 1},
	}, {
		name: "busy, said twice",
		script: []outcome{func(f *fake, p mad.Packet) error {
			answerAfter(ms, mad.StatusBusy)(f, p)
			return answerAfter(5*ms, mad.StatusBusy)(f, p)
		}, answerAfter(ms, 0)},
		sent: []time.Duration{0, 11 * ms}, done: 12 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Busy: 2},
	}, {
		name:   "cannot be sent",
		script: []outcome{refuse(syscall.EINVAL)},
		sent:   []time.Duration{0}, done: 0,
		err:   syscall.EINVAL,
		stats: Stats{Sent: 1, Unsent: 1},
	}, {
		name:   "busy twice",
		script: []outcome{answerAfter(ms, mad.StatusBusy), answerAfter(ms, mad.StatusBusy), answerAfter(ms, 0)},
		sent:   []time.Duration{0, 11 * ms, 32 * ms}, done: 33 * ms,
		stats: Stats{Sent: 1, Resent: 2, Replies: 1, Busy: 2},
	}, {
		name: "busy to the end", options: Options{Retries: 1},
		script: []outcome{answerAfter(ms, mad.StatusBusy), answerAfter(ms, mad.StatusBusy)},
		sent:   []time.Duration{0, 11 * ms}, done: 12 * ms,
		err:   mad.StatusBusy,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Busy: 2},
	}, {
		name: "answer to the first try while resting from the second", options: Options{Retries: 1, Timeout: 5 * ms},
		script: []outcome{answerAfter(7*ms, 0), answerAfter(ms, 0)},
		sent:   []time.Duration{0, 5 * ms}, done: 6 * ms,
		stats: Stats{Sent: 1, Resent: 1, Replies: 1, Duplicates: 1},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.onSend = func(n int, p mad.Packet) error {
					if n > len(test.script) {
						return nil
					}
					return test.script[n-1](f, p)
				}
				o := test.options
				if o.Timeout == 0 {
					o.Timeout = 100 * ms
				}
				c := New(f, &o)
				defer c.Close()
				start := time.Now()
				r := portInfo(4, 1)
				err := c.Do(t.Context(), r)
				if done := time.Since(start); done != test.done {
					t.Errorf("done after %v, want %v", done, test.done)
				}
				if (err == nil) != (test.err == nil) || !errors.Is(err, test.err) {
					t.Errorf("err = %v, want %v", err, test.err)
				}
				if err == nil && r.Packet.SMPData()[0] != 0xaa {
					t.Error("no reply in the packet")
				}
				time.Sleep(time.Minute)
				var sent []time.Duration
				for _, s := range f.sends() {
					sent = append(sent, s.at.Sub(start))
					if s.p.TID() != f.sends()[0].p.TID() {
						t.Error("tries have different transaction IDs")
					}
				}
				if diff := cmp.Diff(test.sent, sent); diff != "" {
					t.Errorf("sent at (-want +got):\n%s", diff)
				}
				checkStats(t, c, test.stats)
			})
		})
	}
}

// The timeout of a request beats the client's, and each request has its own
// time: the sender's alarm is set back for an earlier deadline.
func TestTimeoutPerRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(newFake(), &Options{Timeout: time.Second, Retries: -1, MaxPerTarget: -1})
		defer c.Close()
		q := c.NewQueue()
		start := time.Now()
		var want []time.Duration
		for i := range 50 {
			r := portInfo(1, 0)
			r.Timeout = time.Duration((i*7)%50+1) * 10 * ms
			q.Start(r)
			want = append(want, time.Duration(i+1)*10*ms)
			if i%10 == 0 {
				synctest.Wait() // the sender sleeps in between
			}
		}
		var got []time.Duration
		for range 50 {
			r, err := q.Next(t.Context())
			if err != nil || time.Since(start) != r.Timeout {
				t.Fatalf("%v: ended after %v instead of %v", err, time.Since(start), r.Timeout)
			}
			got = append(got, r.Timeout)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// A request used again carries nothing over from its first life.
func TestReuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		script := []outcome{refuse(syscall.EAGAIN), answerAfter(ms, 0), returnAfter(ms, syscall.ETIMEDOUT), answerAfter(ms, 0)}
		f.onSend = func(n int, p mad.Packet) error { return script[n-1](f, p) }
		c := New(f, nil)
		defer c.Close()
		r := portInfo(1, 0)
		if err := c.Do(t.Context(), r); err != nil || r.Tries != 2 {
			t.Fatal(err, r.Tries)
		}
		r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0015, 0)
		start := time.Now()
		if err := c.Do(t.Context(), r); err != nil || r.Tries != 2 || time.Since(start) != 2*ms {
			t.Errorf("%v, %d tries, %v", err, r.Tries, time.Since(start))
		}
		if sent := f.sends(); sent[2].p.TID() == sent[1].p.TID() {
			t.Error("the second life has the first one's transaction ID")
		}
	})
}
