package sweep

import (
	"fmt"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// When the progress line comes up, and how often it changes.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// progressLine shows on a terminal how far a sweep has come. It is used by one
// goroutine.
type progressLine struct {
	env    *env.Env
	active bool // stderr is a terminal
	next   time.Time
	shown  bool
}

func newProgressLine(e *env.Env) *progressLine {
	return &progressLine{env: e, active: e.IsTerminal(e.Stderr), next: e.Now().Add(progressAfter)}
}

// update draws the line, if it is time.
func (l *progressLine) update(p discover.Progress) {
	now := l.env.Now()
	if !l.active || now.Before(l.next) {
		return
	}
	l.next = now.Add(progressEvery)
	l.shown = true
	fmt.Fprintf(l.env.Stderr, "\r%d nodes, %d switches, %d links, %d SMPs, %d in flight\x1b[K",
		p.Nodes, p.Switches, p.Links, p.SMPs, p.Outstanding)
}

// erase takes the line away again.
func (l *progressLine) erase() {
	if l.shown {
		fmt.Fprint(l.env.Stderr, "\r\x1b[K")
		l.shown = false
	}
}
