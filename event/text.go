package event

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/escape"
)

// String is the event in one line:
//
//	2026-03-01T10:00:00Z critical link-down "leaf01" port 5 (0x…) to "node0007" port 1 (0x…): was 4xEDR, known by refresh
//
// Text from the fabric is escaped and in quotes.
func (e *Event) String() string {
	fabric := ""
	if e.Fabric != "" {
		fabric = " " + escape.Text(e.Fabric)
	}
	return fmt.Sprintf("%s%s %s %s", e.Time.UTC().Format(time.RFC3339), fabric, escape.Text(string(e.Severity)), e.Message())
}

// Message is the line without time, fabric and severity.
func (e *Event) Message() string {
	var b strings.Builder
	b.WriteString(escape.Text(string(e.Kind)))
	if e.At.GUID != 0 {
		b.WriteString(" " + e.At.String())
	}
	if e.To.GUID != 0 {
		b.WriteString(" to " + e.To.String())
	}
	if details := e.details(); len(details) > 0 {
		b.WriteString(": " + strings.Join(details, ", "))
	}
	return b.String()
}

// details are what there is to say beside the place.
func (e *Event) details() (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if e.Field != "" {
		add("%s", escape.Text(e.Field))
	}
	switch {
	case e.Old != "" && e.New != "":
		add("%s, was %s", quoted(e.New), quoted(e.Old))
	case e.Old != "":
		add("was %s", quoted(e.Old))
	case e.New != "":
		add("now %s", quoted(e.New))
	}
	if e.Kind == LinkIdle {
		add("it is up, but no subnet manager has configured it")
	}
	if e.Count > 0 {
		add("%d %s", e.Count, e.unit())
	}
	if e.Cause != 0 && e.Cause&inBatch == 0 {
		add("because of event %d", e.Cause)
	}
	if e.Again != 0 && e.Again&inBatch == 0 {
		add("after event %d", e.Again)
	}
	if e.How != "" {
		add("known by %s", escape.Text(e.How))
	}
	if e.Duplicate {
		add("a duplicate")
	}
	return list
}

// unit is what Count counts.
func (e *Event) unit() string {
	switch e.Kind {
	case NodeVanished, NodeAppeared, NodeMoved, NodeReplaced:
		return "nodes behind it"
	case ErrorsHigh, ErrorsEnded:
		return "in the window"
	case CounterReset:
		return "ports"
	case NodeRebooted:
		return "links"
	}
	return "times"
}

// quoted puts text that is not one plain word into quotes.
func quoted(s string) string {
	for _, r := range s {
		if !strings.ContainsRune("-+./_", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') {
			return quote(s)
		}
	}
	return s
}

// quote is text in quotes, without what a terminal could act on.
func quote(s string) string {
	return `"` + strings.ReplaceAll(escape.Text(strings.ReplaceAll(s, `\`, `\\`)), `"`, `\"`) + `"`
}

// String names a node, or a port of it: "leaf01" port 5 [1/3/1] (0x…, Line 1 Chip 2).
func (e End) String() string {
	if e.GUID == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(quote(e.Name))
	if e.Port >= 0 {
		b.WriteString(" port " + strconv.Itoa(e.Port))
		if e.Label != "" {
			b.WriteString(" [" + escape.Text(e.Label) + "]")
		}
	}
	b.WriteString(" (" + e.GUID.String())
	if e.Position != "" {
		b.WriteString(", " + escape.Text(e.Position))
	}
	b.WriteString(")")
	return b.String()
}

// Level is the level at which an event is logged: warnings and errors for what is a
// warning and critical, unless it is a duplicate or a consequence of another event.
func (e *Event) Level() slog.Level {
	switch {
	case e.Duplicate || e.Cause != 0:
		return slog.LevelInfo
	case e.Severity == Critical:
		return slog.LevelError
	case e.Severity == Warning:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// LogAttrs are the fields of the JSON form for a log, with text from the fabric
// escaped; a record of package log/slog has the kind as its message.
func (e *Event) LogAttrs() []slog.Attr {
	attrs := []slog.Attr{slog.Uint64("id", e.ID)}
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, escape.Text(value)))
		}
	}
	number := func(key string, value uint64) {
		if value != 0 && value&inBatch == 0 {
			attrs = append(attrs, slog.Uint64(key, value))
		}
	}
	text("fabric", e.Fabric)
	text("severity", string(e.Severity))
	if !e.Since.IsZero() {
		attrs = append(attrs, slog.Time("since", e.Since))
	}
	attrs = append(attrs, e.At.logAttrs("at")...)
	attrs = append(attrs, e.To.logAttrs("to")...)
	text("field", e.Field)
	text("old", e.Old)
	text("new", e.New)
	number("count", e.Count)
	text("how", e.How)
	number("again", e.Again)
	number("cause", e.Cause)
	if e.Duplicate {
		attrs = append(attrs, slog.Bool("duplicate", true))
	}
	return attrs
}

// logAttrs is a group of the fields of an end; none for no end.
func (e End) logAttrs(key string) []slog.Attr {
	if e.GUID == 0 {
		return nil
	}
	group := []any{slog.String("guid", e.GUID.String()), slog.String("name", escape.Text(e.Name))}
	if e.Port >= 0 {
		group = append(group, slog.Int("port", e.Port))
	}
	if e.Label != "" {
		group = append(group, slog.String("label", escape.Text(e.Label)))
	}
	if e.Position != "" {
		group = append(group, slog.String("position", escape.Text(e.Position)))
	}
	return []slog.Attr{slog.Group(key, group...)}
}
