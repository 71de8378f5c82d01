package ping

import "time"

// Statistics are about a series of pings.
type Statistics struct {
	Host     string // that answered first, "" for nobody
	Sent     uint64
	Received uint64
	Lost     uint64
	Elapsed  time.Duration // of the whole series
	Min, Max time.Duration // 0 without an answer
	Total    time.Duration // of all round trips
}

func (s *Statistics) count(p Pong, err error) {
	if err != nil {
		s.Lost++
		return
	}
	if s.Host == "" {
		s.Host = p.Host
	}
	if s.Received == 0 || p.RTT < s.Min {
		s.Min = p.RTT
	}
	s.Received++
	s.Max = max(s.Max, p.RTT)
	s.Total += p.RTT
}

// Mean is the mean round trip time, 0 without an answer.
func (s *Statistics) Mean() time.Duration {
	if s.Received == 0 {
		return 0
	}
	return s.Total / time.Duration(s.Received)
}

// LossPercent is how many of a hundred pings were lost, rounded down.
func (s *Statistics) LossPercent() uint64 {
	if s.Sent == 0 {
		return 0
	}
	return s.Lost * 100 / s.Sent
}
