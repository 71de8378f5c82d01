package fabricdiff

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/internal/escape"
)

// Identity of the schema.
const (
	Schema  = "ibscope.diff"
	Version = 1
)

type jsonHeader struct {
	Schema  string   `json:"schema"`
	Version int      `json:"version"`
	A       jsonSide `json:"a"`
	B       jsonSide `json:"b"`
	Same    bool     `json:"same"`
}

type jsonSide struct {
	Name     string      `json:"name"`
	Source   string      `json:"source,omitempty"`
	View     fabric.View `json:"view,omitempty"`
	Started  string      `json:"started,omitempty"`
	Complete bool        `json:"complete"`
	Nodes    int         `json:"nodes"`
	Links    int         `json:"links"`
}

type jsonChange struct {
	Subject diff.Subject `json:"subject"`
	Change  diff.Op      `json:"change"`
	Field   diff.Field   `json:"field,omitempty"`
	InA     *string      `json:"in_a,omitempty"`
	InB     *string      `json:"in_b,omitempty"`
	A       *jsonPlace   `json:"a,omitempty"`
	B       *jsonPlace   `json:"b,omitempty"`
	Message string       `json:"message"`
}

type jsonPlace struct {
	GUID        string     `json:"guid"`
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Name        string     `json:"name,omitempty"`
	Port        *int       `json:"port,omitempty"`
	Peer        *jsonPlace `json:"peer,omitempty"`
}

// WriteJSON writes the comparison as one JSON document, each difference on a line.
func WriteJSON(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	header, err := encode(jsonHeader{
		Schema: Schema, Version: Version, A: side(r.A), B: side(r.B), Same: len(r.Changes) == 0,
	})
	if err != nil {
		return err
	}
	_, _ = w.Write(header[:len(header)-1]) // the writer keeps its error until Flush
	_, _ = w.WriteString(`,"changes":[`)
	for i := range r.Changes {
		line, err := encode(r.change(&r.Changes[i]))
		if err != nil {
			return err
		}
		if i > 0 {
			_ = w.WriteByte(',')
		}
		_ = w.WriteByte('\n')
		_, _ = w.Write(line)
	}
	_, _ = w.WriteString("\n]}\n")
	return w.Flush()
}

// encode is JSON in one line, without characters that a terminal could act on.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escape.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func side(s Side) jsonSide {
	sweep := s.Fabric.Sweep()
	j := jsonSide{
		Name: s.Name, Source: sweep.Source, View: sweep.View, Complete: s.Fabric.IsComplete(),
		Nodes: s.Fabric.NumNodes(), Links: numLinks(s.Fabric),
	}
	if !sweep.Started.IsZero() {
		j.Started = sweep.Started.UTC().Format(time.RFC3339Nano)
	}
	return j
}

func (r *Report) change(c *diff.Change) jsonChange {
	j := jsonChange{
		Subject: c.Subject, Change: c.Op, Field: c.Field,
		A: r.jsonPlace(c.Subject, c.A), B: r.jsonPlace(c.Subject, c.B), Message: r.Line(c),
	}
	if c.Field != "" {
		j.InA, j.InB = &c.Old, &c.New
	}
	return j
}

func (r *Report) jsonPlace(s diff.Subject, p diff.Place) *jsonPlace {
	if p.Node == nil {
		return nil
	}
	j := &jsonPlace{
		GUID: p.Node.GUID().String(), Type: p.Node.Type().String(),
		Description: p.Node.Description(), Name: r.name(p.Node),
	}
	if s == diff.Node || p.Port == nil {
		return j
	}
	num := p.Port.Num()
	j.Port = &num
	if p.Peer != nil {
		j.Peer = r.jsonPlace(s, diff.Place{Node: p.Peer.Node(), Port: p.Peer})
	}
	return j
}
