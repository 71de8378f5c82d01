package discover

import "iter"

// portOrder is the order in which a switch's ports are asked for. Each answer
// takes its time, and what is behind the last ports is found last. The order has
// the ports that lie together far apart from each other: often they lead to one
// place, as the ports down and the ports up of a switch in a tree. It starts with
// a port far from the one arrived at, and elsewhere for each nth switch, so that
// switches that are alike do not all come to the same place at the same time.
//
// Port 0 comes fifth: nothing behind the switch waits for what it tells.
func portOrder(count, arrivedAt, nth int) iter.Seq[int] {
	return func(yield func(int) bool) {
		stride := stride(count)
		first := arrivedAt + count/2 + apart*nth%max(count, 1)*stride
		for i := range count {
			if i == port0Place && !yield(0) || !yield(1+(first+i*stride)%count) {
				return
			}
		}
		if count <= port0Place {
			yield(0)
		}
	}
}

const (
	port0Place = 4
	apart      = 8 // places by which the orders of two switches differ, if one is found after the other
)

// stride is a number without a common divisor with count, near to the golden
// section of it: multiples of that are spread most evenly.
func stride(count int) int {
	for s := max(count*618/1000, 1); ; s++ {
		if divisor(s, count) == 1 {
			return s
		}
	}
}

func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
