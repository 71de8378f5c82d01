package madrpc

import (
	"context"
	"iter"
)

// Ordered sends n requests, window of them at once, and yields them in the order
// of their numbers as they end. Prepare fills request i, which is empty. Whether
// a request succeeded stands in its Err; it is the caller's until the next one.
//
// The loop may be left at any time, and what is still in flight is given up. When
// ctx ends, so does the loop, with the request at hand, whose Err is the context's.
func Ordered(ctx context.Context, c *Client, n, window int, prepare func(i int, r *Request)) iter.Seq2[int, *Request] {
	return func(yield func(int, *Request) bool) {
		slots := make([]Request, max(1, min(n, window)))
		ended := make([]bool, len(slots))
		q := c.NewQueue()
		defer q.Close()
		started := 0
		for i := range n {
			for ; started < n && started < i+len(slots); started++ {
				r := &slots[started%len(slots)]
				*r = Request{}
				prepare(started, r)
				r.Tag = started % len(slots)
				q.Start(r)
			}
			slot := i % len(slots)
			err := ctx.Err()
			for err == nil && !ended[slot] {
				var r *Request
				if r, err = q.Next(ctx); err == nil {
					ended[r.Tag.(int)] = true
				}
			}
			if err != nil {
				q.Close() // the request is ours again
				slots[slot].Err = newError(&slots[slot], err)
				yield(i, &slots[slot])
				return
			}
			ended[slot] = false
			if !yield(i, &slots[slot]) {
				return
			}
		}
	}
}
