package pcap

import (
	"cmp"
	"slices"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// maxCounts bounds the kinds of requests that are counted apart.
const maxCounts = 4096

// Statistics counts the MADs of a capture by what was asked.
type Statistics struct {
	counts map[question]*Count
	others Count // beyond maxCounts
}

// question is what is counted apart.
type question struct {
	class  mad.Class
	method mad.Method
	attr   mad.AttrID
}

// Count is what became of the requests with a class, a method and an attribute.
type Count struct {
	Class  mad.Class
	Method mad.Method // of the request
	Attr   mad.AttrID

	Requests   int // different ones
	Retries    int // sent again
	NotSent    int // tries that the port did not take
	Replies    int // requests that were answered
	Failed     int // of these with a status that is not 0
	Unanswered int
	Segments   int // further packets of answers
	Duplicates int // answers to what was answered already
	Stray      int // answers to nothing that the capture has; the method is theirs
	OneWay     int // what nobody answers
	Control    int // acknowledgements and others of the reliable protocol

	// Times from the last try to the reply.
	Shortest, Longest, Total time.Duration
}

// Counts lists what was counted, by class, attribute and method. Kinds of requests
// beyond a few thousand are lumped together at the end, under class 0.
func (s *Statistics) Counts() []Count {
	list := make([]Count, 0, len(s.counts)+1)
	for _, c := range s.counts {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Attr, b.Attr), cmp.Compare(a.Method, b.Method))
	})
	if s.others != (Count{}) {
		list = append(list, s.others)
	}
	return list
}

// Sum is all counts together.
func (s *Statistics) Sum() Count {
	var sum Count
	for _, c := range s.Counts() {
		sum.add(&c)
	}
	return sum
}

// Average is the mean time to a reply, 0 without replies.
func (c *Count) Average() time.Duration {
	if c.Replies == 0 {
		return 0
	}
	return c.Total / time.Duration(c.Replies)
}

func (c *Count) add(o *Count) {
	if o.Replies > 0 && (c.Replies == 0 || o.Shortest < c.Shortest) {
		c.Shortest = o.Shortest
	}
	c.Longest = max(c.Longest, o.Longest)
	c.Total += o.Total
	c.Requests += o.Requests
	c.Retries += o.Retries
	c.NotSent += o.NotSent
	c.Replies += o.Replies
	c.Failed += o.Failed
	c.Unanswered += o.Unanswered
	c.Segments += o.Segments
	c.Duplicates += o.Duplicates
	c.Stray += o.Stray
	c.OneWay += o.OneWay
	c.Control += o.Control
}

// reply counts an answer.
func (c *Count) reply(latency time.Duration, status mad.Status) {
	if c.Replies == 0 || latency < c.Shortest {
		c.Shortest = latency
	}
	c.Longest = max(c.Longest, latency)
	c.Total += latency
	c.Replies++
	if status != mad.StatusOK {
		c.Failed++
	}
}

// find is the count of a kind of requests, which is made if it does not exist.
func (s *Statistics) find(class mad.Class, method mad.Method, attr mad.AttrID) *Count {
	q := question{class, method, attr}
	if c := s.counts[q]; c != nil {
		return c
	}
	if len(s.counts) == maxCounts {
		return &s.others
	}
	if s.counts == nil {
		s.counts = make(map[question]*Count)
	}
	c := &Count{Class: class, Method: method, Attr: attr}
	s.counts[q] = c
	return c
}

// of is the count that a packet itself belongs to.
func (s *Statistics) of(p *mad.Packet) *Count { return s.find(p.Class(), p.Method(), p.AttrID()) }

func (s *Statistics) clone() *Statistics {
	c := &Statistics{counts: make(map[question]*Count, len(s.counts)), others: s.others}
	for q, count := range s.counts {
		copied := *count
		c.counts[q] = &copied
	}
	return c
}
