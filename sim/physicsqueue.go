package sim

import (
	"slices"
	"sync"
	"time"
)

// agentQueue is an agent of a node as the physics see it: when it is busy. No
// time passes in it; when it will have answered is settled when a request is
// sent to it.
type agentQueue struct {
	service time.Duration
	depth   int           // requests that a port holds for it at most; 0 is no bound
	delay   time.Duration // of the reply, beside the service
	quality Quality

	mu    sync.Mutex
	jobs  []job // not yet done, in the order of service
	count AgentStatistics
}

// job is a request that has a place in the queue. Times are since the epoch.
type job struct {
	arrival, start, end time.Duration
	port                uint8 // whose buffers hold it
}

// admit takes a request that arrives at a port, at a time which is not before
// now, and tells when it is answered; false if the port has no place for it: each
// has buffers of its own, and the agent works on what came first.
func (q *agentQueue) admit(now, arrival time.Duration, port uint8) (done time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.count.Received++
	if q.service == 0 {
		q.count.MaxQueue = max(q.count.MaxQueue, 1)
		return arrival, true
	}
	q.forget(now)
	place, start, held := q.place(arrival, port)
	if q.depth > 0 && held >= q.depth {
		q.count.Dropped++
		return 0, false
	}
	done = start + q.service
	q.jobs = slices.Insert(q.jobs, place, job{arrival, start, done, port})
	q.count.MaxQueue = max(q.count.MaxQueue, held+1)
	q.count.Busy += q.service
	return done, true
}

// forget drops the jobs that are done: nothing arrives before now.
func (q *agentQueue) forget(now time.Duration) {
	done := 0
	for done < len(q.jobs) && q.jobs[done].end <= now {
		done++
	}
	if done > 0 {
		q.jobs = q.jobs[:copy(q.jobs, q.jobs[done:])]
	}
}

// place finds the first gap for a request, and how many others the port holds
// when it arrives.
func (q *agentQueue) place(arrival time.Duration, port uint8) (place int, start time.Duration, held int) {
	start = arrival
	for ; place < len(q.jobs); place++ {
		j := &q.jobs[place]
		if j.end <= arrival {
			continue
		}
		if j.start >= start+q.service {
			break
		}
		start = max(start, j.end)
		if j.arrival <= arrival && j.port == port {
			held++
		}
	}
	return place, start, held
}
