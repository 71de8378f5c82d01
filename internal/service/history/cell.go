package history

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
)

// The rates that are stored of each port.
const (
	xmitBytes = iota
	rcvBytes
	xmitPackets
	rcvPackets
	congestion
	numRates
)

// cell is a port in an interval.
type cell struct {
	min, mean, max [numRates]float64 // per second, congestion as a share; -1 is not known
	errors         float64           // in the interval
	seconds        float64           // of the interval that are known, 0 for nothing
}

// unknown is a port of which nothing is known.
var unknown = cell{
	min: [numRates]float64{-1, -1, -1, -1, -1}, mean: [numRates]float64{-1, -1, -1, -1, -1}, max: [numRates]float64{-1, -1, -1, -1, -1},
	errors: -1,
}

// cellOf is a port after a pass.
func cellOf(p *total.Port) cell {
	c := unknown
	if p == nil || p.Missed > 0 || p.Interval <= 0 || p.Rated == 0 {
		return c
	}
	c.seconds = p.Interval.Seconds()
	for i, from := range [...]counters.Counter{xmitBytes: counters.XmitData, rcvBytes: counters.RcvData, xmitPackets: counters.XmitPkts, rcvPackets: counters.RcvPkts} {
		if p.Rated.Has(from) {
			c.mean[i] = p.Rates[from]
		}
	}
	c.mean[congestion] = p.Congestion
	c.min, c.max = c.mean, c.mean
	if errs := p.Rated & countedErrors; errs != 0 {
		c.errors = 0
		for e := range errs.All() {
			c.errors += float64(p.Added[e])
		}
	}
	return c
}

// countedErrors are those in the sum: XmitWait is no error, and is in the congestion.
const countedErrors = counters.Errors &^ (1 << counters.XmitWait)

// gather puts intervals together into a longer one.
type gather struct {
	cell
	weight [numRates]float64 // seconds
}

func newGather() gather { return gather{cell: unknown} }

func (g *gather) add(c *cell) {
	if c.seconds <= 0 {
		return
	}
	g.seconds += c.seconds
	if c.errors >= 0 {
		g.errors = max(g.errors, 0) + c.errors
	}
	for i := range numRates {
		if c.mean[i] < 0 {
			continue
		}
		if g.weight[i] == 0 {
			g.min[i], g.mean[i], g.max[i] = c.min[i], c.mean[i], c.max[i]
		} else {
			share := c.seconds / (g.weight[i] + c.seconds)
			g.min[i], g.max[i] = min(g.min[i], c.min[i]), max(g.max[i], c.max[i])
			g.mean[i] += (c.mean[i] - g.mean[i]) * share
		}
		g.weight[i] += c.seconds
	}
}

// The columns of cells: of a pass the rates, errors and seconds; of longer intervals
// the least, mean and most of each rate.
const (
	passColumns = numRates + 2
	longColumns = 3*numRates + 2
)

func columnsOf(level int) int {
	if level == 0 {
		return passColumns
	}
	return longColumns
}

// codes are a cell as it is stored.
func (c *cell) codes(level int) (out [longColumns]uint16) {
	n := 0
	put := func(values ...float64) {
		for _, v := range values {
			out[n] = packRate(v)
			n++
		}
	}
	put(c.mean[:]...)
	put(c.errors, c.seconds)
	if level > 0 {
		put(c.min[:]...)
		put(c.max[:]...)
	}
	return out
}

func cellOfCodes(codes *[longColumns]uint16, level int) (c cell) {
	for i := range numRates {
		c.mean[i] = unpackRate(codes[i])
		c.min[i], c.max[i] = c.mean[i], c.mean[i]
		if level > 0 {
			c.min[i], c.max[i] = unpackRate(codes[numRates+2+i]), unpackRate(codes[2*numRates+2+i])
		}
	}
	c.errors, c.seconds = unpackRate(codes[numRates]), max(0, unpackRate(codes[numRates+1]))
	return c
}

// packer writes cells as bytes: column by column, of each first the upper bytes and then
// the lower ones, which makes long runs of equal bytes, deflated.
type packer struct {
	plain []byte
	out   bytes.Buffer
	z     *flate.Writer
}

func newPacker() *packer {
	p := &packer{}
	p.z, _ = flate.NewWriter(&p.out, flate.BestSpeed) // the level is one that there is
	return p
}

// pack gives the bytes, which are valid until the next call.
func (p *packer) pack(cells []cell, level int) ([]byte, error) {
	n, columns := len(cells), columnsOf(level)
	p.plain = append(p.plain[:0], make([]byte, 2*n*columns)...)
	for i := range cells {
		codes := cells[i].codes(level)
		for c := range columns {
			p.plain[2*c*n+i], p.plain[(2*c+1)*n+i] = byte(codes[c]>>8), byte(codes[c])
		}
	}
	p.out.Reset()
	p.z.Reset(&p.out)
	if _, err := p.z.Write(p.plain); err != nil {
		return nil, err
	}
	err := p.z.Close()
	return p.out.Bytes(), err
}

// errCells is a block of rates that has another length than its ports need.
var errCells = errors.New("rates that do not fit their ports")

// unpacker reads what a packer wrote.
type unpacker struct {
	in    bytes.Reader
	z     io.ReadCloser
	plain []byte
}

// unpack reads a block for n ports; at gives them until the next call.
func (u *unpacker) unpack(body []byte, n, level int) error {
	u.in.Reset(body)
	if u.z == nil {
		u.z = flate.NewReader(&u.in)
	} else if err := u.z.(flate.Resetter).Reset(&u.in, nil); err != nil {
		return err
	}
	want := 2 * n * columnsOf(level)
	if cap(u.plain) < want+1 {
		u.plain = make([]byte, want+1)
	}
	u.plain = u.plain[:want+1]
	got, err := io.ReadFull(u.z, u.plain)
	if got != want || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return errCells
	}
	u.plain = u.plain[:want]
	return nil
}

func (u *unpacker) at(i, n, level int) cell {
	var codes [longColumns]uint16
	for c := range columnsOf(level) {
		codes[c] = uint16(u.plain[2*c*n+i])<<8 | uint16(u.plain[(2*c+1)*n+i])
	}
	return cellOfCodes(&codes, level)
}

// The levels of rates: of passes, and of intervals of these lengths.
const numLevels = 4

var width = [numLevels]time.Duration{0, 5 * time.Minute, time.Hour, day}
