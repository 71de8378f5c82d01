package history

import (
	"encoding/json"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
)

// stored is an event in the database. It is a form of its own: what is stored has to be
// readable for years, whatever becomes of the outputs. Members are only added.
type stored struct {
	Time     time.Time  `json:"time"`
	Since    *time.Time `json:"since,omitempty"`
	Fabric   string     `json:"fabric"`
	Kind     string     `json:"kind"`
	Severity string     `json:"severity"`
	At       *storedEnd `json:"at,omitempty"`
	To       *storedEnd `json:"to,omitempty"`
	Field    string     `json:"field,omitempty"`
	Old      string     `json:"old,omitempty"`
	New      string     `json:"new,omitempty"`
	Count    uint64     `json:"count,omitempty"`
	How      string     `json:"how,omitempty"`
	Again    uint64     `json:"again,omitempty"`
}

type storedEnd struct {
	GUID     string `json:"guid,omitempty"`
	Type     uint8  `json:"type,omitempty"`
	Name     string `json:"name,omitempty"`
	Port     int    `json:"port"`
	Label    string `json:"label,omitempty"`
	Position string `json:"position,omitempty"`
	LID      uint16 `json:"lid,omitempty"`
}

func encodeEvent(e *event.Event) ([]byte, error) {
	s := &stored{
		Time: e.Time.UTC(), Fabric: e.Fabric, Kind: string(e.Kind), Severity: string(e.Severity),
		At: encodeEnd(&e.At), To: encodeEnd(&e.To), Field: e.Field, Old: e.Old, New: e.New,
		Count: e.Count, How: e.How, Again: e.Again,
	}
	if !e.Since.IsZero() {
		since := e.Since.UTC()
		s.Since = &since
	}
	return json.Marshal(s)
}

func encodeEnd(e *event.End) *storedEnd {
	if *e == (event.End{}) {
		return nil
	}
	s := &storedEnd{Type: uint8(e.Type), Name: e.Name, Port: e.Port, Label: e.Label, Position: e.Position, LID: uint16(e.LID)}
	if e.GUID != 0 {
		s.GUID = e.GUID.String()
	}
	return s
}

func decodeEvent(id uint64, body []byte) (event.Event, error) {
	var s stored
	if err := json.Unmarshal(body, &s); err != nil {
		return event.Event{}, err
	}
	e := event.Event{
		ID: id, Time: s.Time, Fabric: s.Fabric, Kind: event.Kind(s.Kind), Severity: event.Severity(s.Severity),
		Field: s.Field, Old: s.Old, New: s.New, Count: s.Count, How: s.How, Again: s.Again,
	}
	if s.Since != nil {
		e.Since = *s.Since
	}
	var err error
	if e.At, err = decodeEnd(s.At); err != nil {
		return e, err
	}
	e.To, err = decodeEnd(s.To)
	return e, err
}

func decodeEnd(s *storedEnd) (event.End, error) {
	if s == nil {
		return event.End{}, nil
	}
	e := event.End{Type: ib.NodeType(s.Type), Name: s.Name, Port: s.Port, Label: s.Label, Position: s.Position, LID: ib.LID(s.LID)}
	if s.GUID == "" {
		return e, nil
	}
	var err error
	e.GUID, err = ib.ParseGUID(s.GUID)
	return e, err
}
