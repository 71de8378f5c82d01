package pcap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"time"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/pcap"
)

// jsonPrinter prints a document, or a record in each line.
type jsonPrinter struct {
	out      *bufio.Writer
	settings *settings
	lines    bool
	later    bool // something stands before in the array
}

type headJSON struct {
	Record  string `json:"record,omitempty"`
	Schema  string `json:"schema"`
	Version int    `json:"version"`
}

type endJSON struct {
	Record          string      `json:"record,omitempty"`
	Complete        bool        `json:"complete"`
	Error           string      `json:"error,omitempty"`
	MADs            int         `json:"mads"`
	DurationSeconds float64     `json:"duration_seconds"`
	OtherPackets    int         `json:"other_packets"`
	CutPackets      int         `json:"cut_packets"`
	Counts          []countJSON `json:"counts"`
}

// countJSON is what became of requests.
type countJSON struct {
	Class      string       `json:"class,omitempty"` // left out for all others
	Method     string       `json:"method,omitempty"`
	Attribute  string       `json:"attribute,omitempty"`
	Requests   int          `json:"requests"`
	Retries    int          `json:"retries"`
	NotSent    int          `json:"not_sent"`
	Replies    int          `json:"replies"`
	Failed     int          `json:"failed"`
	Unanswered int          `json:"unanswered"`
	Segments   int          `json:"segments"`
	Duplicates int          `json:"duplicates"`
	Stray      int          `json:"stray"`
	OneWay     int          `json:"one_way"`
	Control    int          `json:"control"`
	Latency    *latencyJSON `json:"latency,omitempty"`
}

type latencyJSON struct {
	Shortest float64 `json:"shortest_seconds"`
	Average  float64 `json:"average_seconds"`
	Longest  float64 `json:"longest_seconds"`
}

func (j *jsonPrinter) begin() error {
	head := headJSON{Schema: "ibscope.pcap", Version: 1}
	if j.lines {
		head.Record = "capture"
		return j.line(head)
	}
	_, err := j.out.WriteString("{\n  \"schema\": \"" + head.Schema + "\",\n  \"version\": 1,\n  \"packets\": [")
	return err
}

func (j *jsonPrinter) print(e *entry) error {
	one := j.packet(e)
	if j.lines {
		one.Record = "mad"
		return j.line(one)
	}
	separator := "\n    "
	if j.later {
		separator = ",\n    "
	}
	j.later = true
	j.out.WriteString(separator) // an error comes again
	return j.value(one)
}

func (j *jsonPrinter) end(r *result) error {
	end := endJSON{
		Complete: r.err == nil, MADs: r.shown, DurationSeconds: r.duration.Seconds(),
		OtherPackets: r.skipped.Other, CutPackets: r.skipped.Cut, Counts: []countJSON{},
	}
	if r.err != nil {
		end.Error = r.err.Error()
	}
	counts := r.statistics.Counts()
	for i := range counts {
		end.Counts = append(end.Counts, countOf(&counts[i]))
	}
	if j.lines {
		end.Record = "end"
		return j.line(end)
	}
	b, err := encode(end)
	if err != nil {
		return err
	}
	if j.later {
		j.out.WriteString("\n  ") // an error comes again
	}
	_, err = j.out.WriteString("],\n  " + string(bytes.TrimPrefix(b, []byte("{"))) + "\n")
	return err
}

func countOf(c *pcap.Count) countJSON {
	one := countJSON{
		Requests: c.Requests, Retries: c.Retries, NotSent: c.NotSent, Replies: c.Replies, Failed: c.Failed,
		Unanswered: c.Unanswered, Segments: c.Segments, Duplicates: c.Duplicates, Stray: c.Stray,
		OneWay: c.OneWay, Control: c.Control,
	}
	if c.Class != 0 {
		one.Class, one.Method, one.Attribute = c.Class.String(), c.Method.String(), attributeName(c.Class, c.Attr)
	}
	if c.Replies > 0 {
		one.Latency = &latencyJSON{seconds(c.Shortest), seconds(c.Average()), seconds(c.Longest)}
	}
	return one
}

func seconds(d time.Duration) float64 { return d.Seconds() }

func (j *jsonPrinter) line(v any) error {
	if err := j.value(v); err != nil {
		return err
	}
	return j.out.WriteByte('\n')
}

func (j *jsonPrinter) value(v any) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	_, err = j.out.Write(b)
	return err
}

// encode gives one line, safe to show on a terminal.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escape.JSON(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// fields are the fields of the attribute, nil if there are none to show.
func (j *jsonPrinter) fields(p *mad.Packet) json.RawMessage {
	if !j.settings.verbose {
		return nil
	}
	table, data := j.settings.fieldsOf(p)
	if len(table) == 0 {
		return nil
	}
	return table.AppendJSON(nil, data)
}
