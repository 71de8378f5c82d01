package saclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// A Query says which records to find. The zero Query finds all, where the type of
// record is known; Rows needs Record.
type Query struct {
	Record   madrpc.Attribute // the values that count
	Mask     uint64           // which of them do: sa.Comp… constants
	Modifier uint32           // of the attribute, such as sa.CapMaskMatch

	// Method is mad.MethodGetTable if 0; mad.MethodGetMulti for a MultiPathRecord.
	Method mad.Method
}

// Table finds all records of a type that match a query, and gives them one after
// the other. A failure is the last pair, with a zero record; a table without
// records is sa.StatusNoRecords with managers that say so, else just empty. The
// loop may be left at any time.
func Table[T any, P interface {
	*T
	madrpc.Attribute
}](ctx context.Context, c *Client, q Query,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if q.Record == nil {
			q.Record = P(new(T))
		}
		for row, err := range c.Rows(ctx, q) {
			var v T
			if err == nil {
				err = P(&v).UnmarshalBinary(row)
			}
			if err != nil {
				yield(*new(T), err)
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// Rows is Table without decoding: each row is the bytes of a record, valid until
// the next one.
func (c *Client) Rows(ctx context.Context, q Query) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if q.Method == 0 {
			q.Method = mad.MethodGetTable
		}
		r := madrpc.Request{Timeout: c.opts.Timeout}
		if err := c.fill(&r.Packet, q.Method, q); err != nil {
			yield(nil, err)
			return
		}
		s, header, err := c.open(ctx, &r)
		if err != nil {
			yield(nil, wrap(q.Method, q.Record.AttrID(), err))
			return
		}
		defer s.Close()
		cut := newCutter(header)
		for {
			data, err := s.Next(ctx)
			rows, bad := cut.rows(data, errors.Is(err, io.EOF))
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			if err == nil {
				err = bad
			}
			if errors.Is(err, io.EOF) && bad == nil {
				return
			}
			if errors.Is(err, io.EOF) {
				err = bad
			}
			if err != nil {
				yield(nil, wrap(q.Method, q.Record.AttrID(), err))
				return
			}
		}
	}
}

// open starts a stream and waits for its header, where the administration
// redirects to if it does.
func (c *Client) open(ctx context.Context, r *madrpc.Request) (*madrpc.Stream, *mad.Packet, error) {
	request := r.Packet
	var last error
	for range maxRedirects {
		r.Target, r.Packet = c.Target(), request
		s := c.rpc.Stream(r)
		header, err := s.Header(ctx)
		if err == nil {
			return s, header, nil
		}
		s.Close()
		to, ok := madrpc.Redirected(r)
		if !ok {
			return nil, nil, err
		}
		c.redirect(to)
		last = err
	}
	return nil, nil, last
}

// cutter cuts the data of a table into records.
type cutter struct {
	stride int
	exact  bool // the length of the data is known; else records of zeros are none
	rest   []byte
	out    [][]byte
}

// bytesPerUnit is the unit of AttributeOffset.
const bytesPerUnit = 8

func newCutter(header *mad.Packet) *cutter {
	return &cutter{
		stride: int(header.AttrOffset()) * bytesPerUnit,
		exact:  header.IsRMPP() && header.RMPP().Type == mad.RMPPData && header.RMPP().Data1 > 0,
	}
}

// rows gives the records that are complete with data; the last one may end
// without what pads it. They are valid until the next call.
func (c *cutter) rows(data []byte, isEnd bool) ([][]byte, error) {
	c.rest = append(c.rest, data...)
	if len(c.rest) == 0 {
		return nil, nil
	}
	if c.stride == 0 && !c.exact && isZero(c.rest) {
		c.rest = nil // an empty table, in a packet that does not say so
		return nil, nil
	}
	if c.stride == 0 {
		return nil, fmt.Errorf("%w: AttributeOffset is 0", ErrBadTable)
	}
	c.out = c.out[:0]
	at := 0
	for ; len(c.rest)-at >= c.stride; at += c.stride {
		row := c.rest[at : at+c.stride : at+c.stride]
		if c.exact || !isZero(row) {
			c.out = append(c.out, row)
		}
	}
	if isEnd && c.exact && at < len(c.rest) {
		c.out = append(c.out, c.rest[at:])
		at = len(c.rest)
	}
	// The rows must stay where they are, so the rest moves to memory of its own.
	c.rest = append([]byte(nil), c.rest[at:]...)
	return c.out, nil
}

func isZero(b []byte) bool {
	return !slices.ContainsFunc(b, func(b byte) bool { return b != 0 })
}
