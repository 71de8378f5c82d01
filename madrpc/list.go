package madrpc

// list is a FIFO of requests, linked through the requests themselves: adding
// and removing at any place costs nothing but pointers. A request can be in one
// list of each kind at a time. The zero list is empty and of kind byState.
type list struct {
	head, tail *Request
	kind       listKind
	n          int
}

type listKind uint8

const (
	byState listKind = iota // where its state keeps the request
	byQueue                 // the unfinished requests of a queue
)

type link struct{ prev, next *Request }

func (l *list) push(r *Request) {
	r.links[l.kind] = link{prev: l.tail}
	if l.tail != nil {
		l.tail.links[l.kind].next = r
	} else {
		l.head = r
	}
	l.tail = r
	l.n++
}

func (l *list) remove(r *Request) {
	k := r.links[l.kind]
	if k.prev != nil {
		k.prev.links[l.kind].next = k.next
	} else {
		l.head = k.next
	}
	if k.next != nil {
		k.next.links[l.kind].prev = k.prev
	} else {
		l.tail = k.prev
	}
	r.links[l.kind] = link{}
	l.n--
}

// pop removes and returns the first request, nil when there is none.
func (l *list) pop() *Request {
	r := l.head
	if r != nil {
		l.remove(r)
	}
	return r
}
