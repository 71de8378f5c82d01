package block

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
)

// The rates that are stored of each port.
const (
	XmitBytes = iota
	RcvBytes
	XmitPackets
	RcvPackets
	Congestion
	NumRates
)

// Cell is a port in an interval.
type Cell struct {
	Min, Mean, Max [NumRates]float64 // per second, congestion as a share; -1 is not known
	Errors         float64           // in the interval; -1 is not known
	Seconds        float64           // of the interval that are known, 0 for nothing
}

// unknown is a port of which nothing is known.
var unknown = Cell{
	Min: [NumRates]float64{-1, -1, -1, -1, -1}, Mean: [NumRates]float64{-1, -1, -1, -1, -1}, Max: [NumRates]float64{-1, -1, -1, -1, -1},
	Errors: -1,
}

// Of is a port after a pass.
func Of(p *total.Port) Cell {
	c := unknown
	if p == nil || p.Missed > 0 || p.Interval <= 0 || p.Rated == 0 {
		return c
	}
	c.Seconds = p.Interval.Seconds()
	for i, from := range [...]counters.Counter{XmitBytes: counters.XmitData, RcvBytes: counters.RcvData, XmitPackets: counters.XmitPkts, RcvPackets: counters.RcvPkts} {
		if p.Rated.Has(from) {
			c.Mean[i] = p.Rates[from]
		}
	}
	c.Mean[Congestion] = p.Congestion
	c.Min, c.Max = c.Mean, c.Mean
	if errs := p.Rated & countedErrors; errs != 0 {
		c.Errors = 0
		for e := range errs.All() {
			c.Errors += float64(p.Added[e])
		}
	}
	return c
}

// countedErrors are those in the sum: XmitWait is no error, and is in the congestion.
const countedErrors = counters.Errors &^ (1 << counters.XmitWait)

// Gather puts intervals together into a longer one.
type Gather struct {
	Cell
	weight [NumRates]float64 // seconds
}

// NewGather begins with nothing.
func NewGather() Gather { return Gather{Cell: unknown} }

// Add adds an interval.
func (g *Gather) Add(c *Cell) {
	if c.Seconds <= 0 {
		return
	}
	g.Seconds += c.Seconds
	if c.Errors >= 0 {
		g.Errors = max(g.Errors, 0) + c.Errors
	}
	for i := range NumRates {
		if c.Mean[i] < 0 {
			continue
		}
		if g.weight[i] == 0 {
			g.Min[i], g.Mean[i], g.Max[i] = c.Min[i], c.Mean[i], c.Max[i]
		} else {
			share := c.Seconds / (g.weight[i] + c.Seconds)
			g.Min[i], g.Max[i] = min(g.Min[i], c.Min[i]), max(g.Max[i], c.Max[i])
			g.Mean[i] += (c.Mean[i] - g.Mean[i]) * share
		}
		g.weight[i] += c.Seconds
	}
}

// The columns of cells: of a pass the rates, errors and seconds; of longer intervals
// the least, mean and most of each rate.
const (
	passColumns = NumRates + 2
	longColumns = 3*NumRates + 2
)

func columnsOf(level int) int {
	if level == 0 {
		return passColumns
	}
	return longColumns
}

// codes are a Cell as it is stored.
func (c *Cell) codes(level int) (out [longColumns]uint16) {
	n := 0
	put := func(values ...float64) {
		for _, v := range values {
			out[n] = packRate(v)
			n++
		}
	}
	put(c.Mean[:]...)
	put(c.Errors, c.Seconds)
	if level > 0 {
		put(c.Min[:]...)
		put(c.Max[:]...)
	}
	return out
}

func fromCodes(codes *[longColumns]uint16, level int) (c Cell) {
	for i := range NumRates {
		c.Mean[i] = unpackRate(codes[i])
		c.Min[i], c.Max[i] = c.Mean[i], c.Mean[i]
		if level > 0 {
			c.Min[i], c.Max[i] = unpackRate(codes[NumRates+2+i]), unpackRate(codes[2*NumRates+2+i])
		}
	}
	c.Errors, c.Seconds = unpackRate(codes[NumRates]), max(0, unpackRate(codes[NumRates+1]))
	return c
}

// Packer writes cells as bytes: column by column, of each first the upper bytes and then
// the lower ones, which makes long runs of equal bytes, deflated.
type Packer struct {
	plain []byte
	out   bytes.Buffer
	z     *flate.Writer
}

// NewPacker makes a packer.
func NewPacker() *Packer {
	p := &Packer{}
	p.z, _ = flate.NewWriter(&p.out, flate.BestSpeed) // the level is one that there is
	return p
}

// Pack gives the bytes, which are valid until the next call.
func (p *Packer) Pack(cells []Cell, level int) ([]byte, error) {
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

// ErrCells is a block of rates that has another length than its ports need.
var ErrCells = errors.New("rates that do not fit their ports")

// Unpacker reads what a Packer wrote.
type Unpacker struct {
	in    bytes.Reader
	z     io.ReadCloser
	plain []byte
}

// Unpack reads a block for n ports of a level; At gives them until the next call.
func (u *Unpacker) Unpack(body []byte, n, level int) error {
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
		return ErrCells
	}
	u.plain = u.plain[:want]
	return nil
}

// At is the port at a position.
func (u *Unpacker) At(i, n, level int) Cell {
	var codes [longColumns]uint16
	for c := range columnsOf(level) {
		codes[c] = uint16(u.plain[2*c*n+i])<<8 | uint16(u.plain[(2*c+1)*n+i])
	}
	return fromCodes(&codes, level)
}
