package event_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

// hostile is what a NodeDescription may hold.
const hostile = "x\x1b[31m\"}\n<script>&\u202e\x00\xff\\ =1"

// examples are events of all forms.
func examples() []event.Event {
	at := time.Date(2026, 3, 1, 10, 0, 30, 5e8, time.UTC)
	leaf := event.End{GUID: 0x10, Type: ib.NodeSwitch, Name: "leaf01", Port: 5, Label: "1/3/1", Position: "Line 1 Chip 2", LID: 7}
	host := event.End{GUID: 0x20, Type: ib.NodeCA, Name: hostile, Port: 1, LID: 9}
	whole := event.End{GUID: 0x10, Type: ib.NodeSwitch, Name: "leaf01", Port: -1, LID: 7}
	return []event.Event{
		{ID: 1, Time: at, Since: at.Add(-30 * time.Second), Fabric: "rail1", Kind: event.LinkDown, Severity: event.Critical, At: host, To: leaf, Old: "4xHDR", How: "refresh"},
		{ID: 2, Time: at, Kind: event.LinkFlap, Severity: event.Critical, At: leaf, To: host, New: "flapping", Count: 3, How: "counters", Again: 1},
		{ID: 3, Time: at, Kind: event.NodeVanished, Severity: event.Critical, At: whole, Count: 2, Links: []event.Link{{Port: 5, Label: "1/3/1", To: host}}},
		{ID: 4, Time: at, Kind: event.NodeVanished, Severity: event.Critical, At: host, To: leaf, Cause: 3, Duplicate: true},
		{ID: 5, Time: at, Kind: event.NodeRenamed, Severity: event.Info, At: whole, Field: "description", Old: hostile, New: "a b"},
		{ID: 6, Time: at, Kind: event.CounterReset, Severity: event.Info, Count: 40},
		{ID: 7, Time: at, Kind: event.FabricLost, Severity: event.Critical, New: "no such device"},
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	for _, e := range examples() {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
		out.WriteByte('\n')
		var back event.Event
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		e.At.Name, e.To.Name, e.Old = valid(e.At.Name), valid(e.To.Name), valid(e.Old)
		for i := range e.Links {
			e.Links[i].To.Name = valid(e.Links[i].To.Name)
		}
		if d := cmp.Diff(e, back); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
	testenv.Golden(t, "events.golden", out.Bytes())
	isInert(t, out.String())
}

func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func TestText(t *testing.T) {
	var out strings.Builder
	for _, e := range examples() {
		out.WriteString(e.String() + "\n")
	}
	testenv.Golden(t, "text.golden", []byte(out.String()))
	isInert(t, out.String())
	if lines := strings.Count(out.String(), "\n"); lines != len(examples()) {
		t.Errorf("%d lines of %d events", lines, len(examples()))
	}
}

func TestLogRecords(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey && len(groups) == 0 {
			return slog.Attr{}
		}
		return a
	}}))
	for _, e := range examples() {
		log.LogAttrs(t.Context(), e.Level(), string(e.Kind), e.LogAttrs()...)
	}
	testenv.Golden(t, "log.golden", out.Bytes())
	isInert(t, out.String())
}

// isInert looks for what a terminal could act on.
func isInert(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && !strconv.IsPrint(r) {
			t.Errorf("%U in the output", r)
		}
	}
}

func TestKinds(t *testing.T) {
	seen := map[event.Kind]bool{}
	for _, k := range event.Kinds() {
		if seen[k] || strings.Trim(string(k), "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("kind %q", k)
		}
		seen[k] = true
	}
	for i, s := range event.Severities() {
		if s.Rank() != i {
			t.Errorf("rank of %s: %d", s, s.Rank())
		}
	}
	if event.Severity("bad").Rank() != -1 {
		t.Error("an unknown severity has a rank")
	}
}

func FuzzEvent(f *testing.F) {
	for _, e := range examples() {
		text, err := json.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var e event.Event
		if json.Unmarshal(text, &e) != nil {
			return
		}
		for _, r := range e.String() {
			if !strconv.IsPrint(r) {
				t.Fatalf("%U in %q", r, e.String())
			}
		}
		again, err := json.Marshal(e)
		if err != nil {
			t.Skip(err) // an unknown kind of node, or a year that RFC 3339 does not have
		}
		var back event.Event
		if err := json.Unmarshal(again, &back); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
	})
}
