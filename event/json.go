package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// jsonEvent is the form of docs/json.md. What does not apply is left out.
type jsonEvent struct {
	ID        uint64     `json:"id,omitempty"`
	Time      *time.Time `json:"time,omitempty"`
	Since     *time.Time `json:"since,omitempty"`
	Fabric    string     `json:"fabric,omitempty"`
	Kind      Kind       `json:"kind"`
	Severity  Severity   `json:"severity,omitempty"`
	At        *jsonEnd   `json:"at,omitempty"`
	To        *jsonEnd   `json:"to,omitempty"`
	Field     string     `json:"field,omitempty"`
	Old       string     `json:"old,omitempty"`
	New       string     `json:"new,omitempty"`
	Count     uint64     `json:"count,omitempty"`
	How       string     `json:"how,omitempty"`
	Again     uint64     `json:"again,omitempty"`
	Cause     uint64     `json:"cause,omitempty"`
	Links     []jsonLink `json:"links,omitempty"`
	Duplicate bool       `json:"duplicate,omitempty"`
	Message   string     `json:"message,omitempty"`
}

type jsonEnd struct {
	GUID     ib.GUID      `json:"guid"`
	Type     *ib.NodeType `json:"type,omitempty"`
	Name     string       `json:"name,omitempty"`
	Port     *int         `json:"port,omitempty"`
	Label    string       `json:"label,omitempty"`
	Position string       `json:"position,omitempty"`
	LID      int          `json:"lid,omitempty"`
}

type jsonLink struct {
	Port  int      `json:"port"`
	Label string   `json:"label,omitempty"`
	To    *jsonEnd `json:"to,omitempty"`
}

// MarshalJSON gives the object that docs/json.md describes, with characters that a
// terminal could act on as \uNNNN.
func (e Event) MarshalJSON() ([]byte, error) {
	v := jsonEvent{
		ID: e.ID, Time: utc(e.Time), Since: utc(e.Since), Fabric: e.Fabric, Kind: e.Kind, Severity: e.Severity,
		At: e.At.json(), To: e.To.json(), Field: e.Field, Old: e.Old, New: e.New, Count: e.Count, How: e.How,
		Duplicate: e.Duplicate, Message: e.Message(),
	}
	if e.Again&inBatch == 0 {
		v.Again = e.Again
	}
	if e.Cause&inBatch == 0 {
		v.Cause = e.Cause
	}
	for _, l := range e.Links {
		v.Links = append(v.Links, jsonLink{Port: l.Port, Label: l.Label, To: l.To.json()})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("event %d as JSON: %w", e.ID, err)
	}
	return escape.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func utc(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func (e End) json() *jsonEnd {
	if e.GUID == 0 {
		return nil
	}
	v := &jsonEnd{GUID: e.GUID, Name: e.Name, Label: e.Label, Position: e.Position, LID: int(e.LID)}
	if e.Type != 0 {
		v.Type = &e.Type
	}
	if e.Port >= 0 {
		v.Port = &e.Port
	}
	return v
}

// UnmarshalJSON reads what MarshalJSON writes; message and unknown fields are passed
// over. The errors are those of package encoding/json and of the types in ib.
func (e *Event) UnmarshalJSON(b []byte) error {
	var v jsonEvent
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*e = Event{
		ID: v.ID, Time: local(v.Time), Since: local(v.Since), Fabric: v.Fabric, Kind: v.Kind, Severity: v.Severity,
		At: v.At.end(), To: v.To.end(), Field: v.Field, Old: v.Old, New: v.New, Count: v.Count, How: v.How,
		Again: v.Again, Cause: v.Cause, Duplicate: v.Duplicate,
	}
	for _, l := range v.Links {
		e.Links = append(e.Links, Link{Port: l.Port, Label: l.Label, To: l.To.end()})
	}
	return nil
}

func local(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func (v *jsonEnd) end() End {
	if v == nil {
		return End{}
	}
	e := End{GUID: v.GUID, Name: v.Name, Port: -1, Label: v.Label, Position: v.Position, LID: ib.LID(v.LID)}
	if v.Type != nil {
		e.Type = *v.Type
	}
	if v.Port != nil {
		e.Port = *v.Port
	}
	return e
}
