package madrpc

import "time"

// timers is a binary heap of requests by deadline. Each request knows its
// place, so that the many which end before their deadline leave in O(log n).
type timers struct{ heap []*Request }

// next is the earliest deadline.
func (t *timers) next() (deadline time.Duration, ok bool) {
	if len(t.heap) == 0 {
		return 0, false
	}
	return t.heap[0].deadline, true
}

func (t *timers) add(r *Request) {
	t.heap = append(t.heap, r)
	t.up(len(t.heap)-1, r)
}

func (t *timers) remove(r *Request) {
	i, last := r.place, len(t.heap)-1
	moved := t.heap[last]
	t.heap[last] = nil
	t.heap = t.heap[:last]
	if i == last {
		return
	}
	if i > 0 && moved.deadline < t.heap[(i-1)/2].deadline {
		t.up(i, moved)
	} else {
		t.down(i, moved)
	}
}

// up places r, for which place i is free, at i or above it.
func (t *timers) up(i int, r *Request) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.heap[parent].deadline <= r.deadline {
			break
		}
		t.put(i, t.heap[parent])
		i = parent
	}
	t.put(i, r)
}

// down places r, for which place i is free, at i or below it.
func (t *timers) down(i int, r *Request) {
	for {
		child := 2*i + 1
		if child >= len(t.heap) {
			break
		}
		if right := child + 1; right < len(t.heap) && t.heap[right].deadline < t.heap[child].deadline {
			child = right
		}
		if r.deadline <= t.heap[child].deadline {
			break
		}
		t.put(i, t.heap[child])
		i = child
	}
	t.put(i, r)
}

func (t *timers) put(i int, r *Request) {
	t.heap[i] = r
	r.place = i
}
