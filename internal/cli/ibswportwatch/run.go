package ibswportwatch

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings is what the command line says.
type settings struct {
	*diags.Common
	pause          time.Duration
	cycles         int // below 0: forever
	bytes, verbose bool
	operand        string
	port           uint8
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{pause: 10 * time.Second, cycles: -1}
	wrong, byGUID := false, false
	c, operands, err := Tool.ParseScript(e, usage, func(letter byte, value string) {
		switch letter {
		case 'p':
			seconds, err := strconv.ParseFloat(value, 64)
			wrong = wrong || err != nil || !(seconds >= 0.001 && seconds <= 1e6)
			s.pause = time.Duration(seconds * float64(time.Second))
		case 'n':
			n, err := strconv.Atoi(value)
			wrong, s.cycles = wrong || err != nil, n
		case 'b':
			s.bytes = true
		case 'v':
			s.verbose = true
		case 'G':
			byGUID = true
		}
	})
	if err != nil {
		return nil, err
	}
	if len(operands) < 2 || wrong {
		return nil, Tool.ScriptUsage(e, usage)
	}
	port, err := strconv.ParseUint(operands[1], 0, 8)
	if err != nil {
		return nil, Tool.ScriptUsage(e, usage)
	}
	if s.Common = c; byGUID {
		c.Address = diags.ByGUID
	}
	s.operand, s.port = operands[0], uint8(port)
	return s, nil
}

// maxDocument bounds the cycles that a document has: the last ones.
const maxDocument = 10000

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	to, err := s.Resolve(ctx, client, s.operand)
	if err != nil {
		return s.fail(err)
	}
	old, err := read(ctx, client, to, s.port)
	if err != nil {
		return s.fail(err)
	}
	ctx, cancel := context.WithCancel(ctx) // interrupts end the watch, and the document is printed
	defer cancel()
	d := document{LID: to.LID, Port: s.port, Cycles: []cycle{}}
	for n := 0; s.cycles < 0 || n < s.cycles; n++ {
		if !s.JSON {
			fmt.Fprintln(e.Stdout, "Checking counts...")
		}
		if !sleep(ctx, s.pause) {
			break
		}
		new, err := read(ctx, client, to, s.port)
		if err != nil {
			return s.Finish(s.fail(err), d)
		}
		if s.JSON {
			d.add(old, new)
		} else {
			s.print(e, old, new)
		}
		old = new
	}
	if s.JSON {
		return s.PrintDocument(d)
	}
	return nil
}

// fail tells of a failure on stderr, and gives the error in the words of the script.
func (s *settings) fail(err error) error {
	s.Failed(err)
	return &diags.Fatal{Text: fmt.Sprintf("perfquery failed : \"perfquery %s %d\"", s.operand, s.port), Cause: err}
}

// reading is the counters at some time.
type reading struct {
	at       time.Time
	counters pma.PortCounters
}

func read(ctx context.Context, client *madrpc.Client, to mad.Target, port uint8) (reading, error) {
	r := reading{counters: pma.PortCounters{PortSelect: port}}
	err := madrpc.Get(ctx, client, to, 0, &r.counters)
	r.at = time.Now()
	return r, err
}

// sleep waits; false if it was ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// print tells of a cycle.
func (s *settings) print(e *env.Env, old, new reading) {
	for i := range watched {
		if c := &watched[i]; c.rated {
			switch rate := c.rate(old, new); {
			case rate > excessive:
				fmt.Fprintf(e.Stdout, "Detected excessive rate for %s (%s cnts/sec)\n", c.name, text(rate))
			case rate > 0:
				fmt.Fprintf(e.Stdout, "Detected rate for %s (%s cnts/sec)\n", c.name, text(rate))
			}
		}
	}
	for i := range watched {
		if c := &watched[i]; s.bytes && c.data {
			fmt.Fprintf(e.Stdout, "   %s %s/second\n", text(c.rate(old, new)), c.name)
		}
	}
	if !s.verbose {
		return
	}
	fmt.Fprintln(e.Stdout, "   Counter\t\t\tNew ==> Old")
	for i := range watched {
		c := &watched[i]
		fmt.Fprintf(e.Stdout, "   %s\t\t\t%d ==> %d\n", c.name, c.value(&new.counters), c.value(&old.counters))
	}
}

// text is a rate with at most three decimals.
func text(rate float64) string {
	return strconv.FormatFloat(math.Round(rate*1000)/1000, 'f', -1, 64)
}
