package madrpc

import "math"

// Bounds of how often a request is tried, and how improbable it shall be that all
// tries of one get lost by chance.
const (
	leastTries  = 4 // as the C tools
	mostTries   = 20
	missUnknown = 1e-6 // where nothing has answered yet, so that there may be nobody
	missProven  = 1e-9
)

// lossRate is the share of tries that get lost on ways where somebody answers. It
// starts with the assumption that there are losses.
type lossRate struct{ tries, lost float64 }

const (
	assumedTries    = 16
	assumedLost     = 4
	rememberedTries = 1 << 14
)

// note takes a request that was answered: how many of its tries were lost before.
func (l *lossRate) note(lost int) {
	l.tries += float64(lost + 1)
	l.lost += float64(lost)
	if l.tries > rememberedTries {
		l.tries /= 2
		l.lost /= 2
	}
}

func (l *lossRate) share() float64 {
	return (l.lost + assumedLost) / (l.tries + assumedTries)
}

// enough is how many tries make it improbable enough that all are lost.
func (l *lossRate) enough(proven bool) int {
	miss := missUnknown
	if proven {
		miss = missProven
	}
	n := math.Ceil(math.Log(miss) / math.Log(l.share()))
	return int(min(max(n, leastTries), mostTries))
}
