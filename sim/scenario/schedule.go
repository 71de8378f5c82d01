package scenario

import (
	"container/heap"
	"time"
)

// entry is a part of the timeline.
type entry struct {
	at     time.Duration
	every  time.Duration // 0: once
	until  time.Duration // the last time at which it may begin; 0: no end
	repeat int           // how often; 0: no end
	do     []*command
}

// step is something that waits for its time. Of two at one time that comes first
// which was added first.
type step struct {
	at  time.Duration
	nth uint64
	do  func()
}

// steps is a heap.
type steps []step

func (s steps) Len() int { return len(s) }
func (s steps) Less(i, j int) bool {
	return s[i].at < s[j].at || s[i].at == s[j].at && s[i].nth < s[j].nth
}
func (s steps) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *steps) Push(x any)   { *s = append(*s, x.(step)) }
func (s *steps) Pop() any {
	old := *s
	last := old[len(old)-1]
	old[len(old)-1] = step{}
	*s = old[:len(old)-1]
	return last
}

// schedule adds the n-th time of an entry, if it has that many.
func (r *Runner) schedule(e *entry, n int) {
	at := e.at + time.Duration(n)*e.every
	if n > 0 && (e.every == 0 || e.repeat > 0 && n >= e.repeat || e.until > 0 && at > e.until) {
		return
	}
	r.add(at, func() {
		for _, c := range e.do {
			r.carryOut(c)
		}
		r.schedule(e, n+1)
	})
}

// later adds a step that follows the present one.
func (r *Runner) later(wait time.Duration, do func()) bool {
	if len(r.steps) >= maxSteps {
		return false
	}
	r.add(r.clock+wait, do)
	return true
}

func (r *Runner) add(at time.Duration, do func()) {
	r.nth++
	heap.Push(&r.steps, step{at, r.nth, do})
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
