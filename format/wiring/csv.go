package wiring

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
)

// Bounds of a cabling list.
const (
	maxFile   = 64 << 20
	maxCables = 1 << 20
)

// ReadCSV reads a cabling list: a line of titles, then a cable a line. Commas,
// semicolons or tabs part the columns, as the titles show. Lines that begin with #
// are passed over. Name is that of the file, for errors. The error is an *Error.
func ReadCSV(r io.Reader, name string) (*verify.Plan, error) {
	counted := &io.LimitedReader{R: r, N: maxFile + 1}
	b := bufio.NewReader(counted)
	if bom, _ := b.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = b.Discard(3) // they were peeked at
	}
	head, _ := b.Peek(4096)
	c := csv.NewReader(b)
	c.Comma, c.Comment, c.FieldsPerRecord, c.TrimLeadingSpace, c.LazyQuotes = comma(head), '#', -1, true, true
	d := &csvReader{name: name, csv: c, plan: &verify.Plan{}}
	if err := d.read(); err != nil {
		if counted.N <= 0 {
			err = &Error{name, 0, ErrTooLarge}
		}
		return nil, err
	}
	if counted.N <= 0 {
		return nil, &Error{name, 0, ErrTooLarge}
	}
	return d.plan, nil
}

// comma is what parts the columns: the most frequent of the three in the titles.
func comma(head []byte) rune {
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue
		}
		best := ','
		for _, c := range ";\t" {
			if bytes.Count(line, []byte(string(c))) > bytes.Count(line, []byte(string(best))) {
				best = c
			}
		}
		return best
	}
	return ','
}

type csvReader struct {
	name string
	csv  *csv.Reader
	at   [numColumns]int // index of a column, -1 for none
	plan *verify.Plan
	row  []string
	line int
}

func (d *csvReader) read() error {
	titled := false
	for {
		row, err := d.csv.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line := d.line + 1
			if bad, ok := errors.AsType[*csv.ParseError](err); ok {
				line, err = bad.Line, mistake(bad.Err.Error())
			}
			return &Error{d.name, line, err}
		}
		d.row = row
		d.line, _ = d.csv.FieldPos(0)
		switch {
		case isEmpty(row):
		case !titled:
			titled = true
			err = d.titles()
		default:
			err = d.cable()
		}
		if err != nil {
			return &Error{d.name, d.line, err}
		}
	}
	if !titled {
		return &Error{d.name, 0, mistake("no titles: expected a line as \"from node,from port,to node,to port,label\"")}
	}
	return nil
}

func isEmpty(row []string) bool { return strings.TrimSpace(strings.Join(row, "")) == "" }

func (d *csvReader) titles() error {
	for i := range d.at {
		d.at[i] = -1
	}
	for i, title := range d.row {
		if c := columnOf(title); c != ignored && d.at[c] < 0 {
			d.at[c] = i
		}
	}
	for _, want := range []struct {
		columns []column
		words   string
	}{
		{[]column{nodeA, guidA}, "\"from node\" or \"from guid\""},
		{[]column{portA}, "\"from port\""},
		{[]column{nodeB, guidB}, "\"to node\" or \"to guid\""},
		{[]column{portB}, "\"to port\""},
	} {
		found := false
		for _, c := range want.columns {
			found = found || d.at[c] >= 0
		}
		if !found {
			return mistakef("no column %s among %q", want.words, d.row)
		}
	}
	return nil
}

// cell is the text in a column, "" where there is none.
func (d *csvReader) cell(c column) string {
	if i := d.at[c]; i >= 0 && i < len(d.row) {
		return strings.TrimSpace(d.row[i])
	}
	return ""
}

func (d *csvReader) cable() (err error) {
	if len(d.plan.Cables) == maxCables {
		return ErrTooLarge
	}
	c := verify.Cable{Label: d.cell(labelColumn), Where: where(d.name, d.line)}
	if c.A, err = d.end("from", nodeA, guidA, portA); err != nil {
		return err
	}
	if c.B, err = d.end("to", nodeB, guidB, portB); err != nil {
		return err
	}
	for _, column := range []column{rateColumn, widthColumn, speedColumn} { // the last word counts
		if text := d.cell(column); text != "" && text != "-" {
			width, speed, err := parseRate(text)
			if err != nil {
				return err
			}
			if width != 0 {
				c.Width = width
			}
			if speed != 0 {
				c.Speed = speed
			}
		}
	}
	d.plan.Cables = append(d.plan.Cables, c)
	return nil
}

func (d *csvReader) end(side string, node, guid, port column) (e verify.End, err error) {
	e.Name = d.cell(node)
	if text := d.cell(guid); text != "" {
		if e.GUID, err = ib.ParseGUID(text); err != nil {
			return e, err
		}
	} else if g, err := ib.ParseGUID(e.Name); err == nil && strings.HasPrefix(e.Name, "0x") {
		e.GUID = g
	}
	if e.Name == "" && e.GUID == 0 {
		return e, mistakef("no %s node", side)
	}
	if err := setPort(&e, d.cell(port)); err != nil {
		return e, mistakef("%s port %q: expected a number, a cage as 9/1, or an adapter as mlx5_0", side, d.cell(port))
	}
	return e, nil
}
