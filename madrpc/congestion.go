package madrpc

import "time"

// Bounds of the window that adapts.
const (
	firstWindow = 64
	leastWindow = 8 // no agent that can be used holds fewer requests
	mostWindow  = 3072
	mostAgain   = 256 // requests whose first try was lost that fly at once, beside the window
)

// congestion is a window that grows while replies come: by one for each until
// the first loss, then by one for each window of them. What gets lost shrinks it,
// once for all that was sent before it shrank. Replies that were long under way
// stop the growth and take back some of it: they have waited behind others, and
// the agent that they waited for may have been about to drop some.
type congestion struct {
	size   float64
	slow   bool          // growth is slow: something was lost, or replies were long under way
	long   bool          // the latest reply that was measured was long under way
	shrunk time.Duration // when it last shrank for a loss
}

func newCongestion() congestion { return congestion{size: firstWindow, shrunk: -1} }

// answered takes the reply to a first try.
func (g *congestion) answered() {
	switch {
	case g.long:
		g.slow = true
		if g.size > firstWindow {
			g.size -= 0.25
		}
	case g.slow:
		g.size += 1 / g.size
	default:
		g.size++
	}
	g.size = min(g.size, mostWindow)
}

// lost takes a try, sent at some time, that is known to be lost.
func (g *congestion) lost(sent, now time.Duration) {
	if sent <= g.shrunk {
		return
	}
	g.shrunk, g.slow = now, true
	g.size = max(g.size*0.7, leastWindow)
}
