package events

import (
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// The columns, as indices of a row.
const (
	when = iota
	severity
	kind
	atName
	atPort
	toName
	toPort
	old
	now
	count
	field
	how
	fabric
	id
	since
	atGUID
	atLabel
	atPosition
	toGUID
	toLabel
	toPosition
	again
	cause
	message
	numColumns
)

var columns = []report.Column{
	when:       {Name: "time", Title: "Time", Help: "when it was seen"},
	severity:   {Name: "severity", Title: "Severity", Rank: 3, Help: "info, warning, critical"},
	kind:       {Name: "kind", Title: "Event", Help: "what happened"},
	atName:     {Name: "at.name", Title: "Node", Min: 12, Help: "the node that it is about, or that at one end of the link"},
	atPort:     {Name: "at.port", Title: "Port", Right: true, Help: "its port"},
	toName:     {Name: "to.name", Title: "Peer", Min: 12, Help: "the node at the other end"},
	toPort:     {Name: "to.port", Title: "Port", Right: true, Help: "its port"},
	old:        {Name: "old", Title: "Was", Min: 8, Rank: 2, Help: "the previous state"},
	now:        {Name: "new", Title: "Is", Min: 8, Rank: 1, Help: "that of now"},
	count:      {Name: "count", Title: "Count", Right: true, Rank: 4, Help: "how often it flapped, how many errors"},
	field:      {Name: "field", Title: "Field", Rank: 4, Help: "of errors the counter, of changes the attribute"},
	how:        {Name: "how", Title: "Known by", Rank: 6, Help: "refresh, verification, counters, trap"},
	fabric:     {Name: "fabric", Title: "Fabric", Rank: 5, Help: "name of the fabric"},
	id:         {Name: "id", Title: "ID", Right: true, Rank: 7, Help: "its number, which counts up"},
	since:      {Name: "since", Title: "Since", Hidden: true, Help: "when it was not so yet"},
	atGUID:     {Name: "at_guid", Title: "GUID", Hidden: true, Help: "GUID of the node"},
	atLabel:    {Name: "at_label", Title: "Label", Hidden: true, Help: "what stands on its panel beside the port"},
	atPosition: {Name: "at_position", Title: "Position", Hidden: true, Help: "its place in a chassis"},
	toGUID:     {Name: "to_guid", Title: "Peer GUID", Hidden: true, Help: "GUID of the node at the other end"},
	toLabel:    {Name: "to_label", Title: "Label", Hidden: true, Help: "what stands on its panel beside the port"},
	toPosition: {Name: "to_position", Title: "Position", Hidden: true, Help: "its place in a chassis"},
	again:      {Name: "again", Title: "After", Right: true, Hidden: true, Help: "ID of the event that it follows on"},
	cause:      {Name: "cause", Title: "Cause", Right: true, Hidden: true, Help: "ID of the event that it is a consequence of"},
	message:    {Name: "message", Title: "Message", Hidden: true, Help: "all of it in a line"},
}

func row(e *event.Event) []report.Cell {
	row := make([]report.Cell, numColumns)
	row[when] = report.Time(e.Time).As(e.Time.UTC().Format("2006-01-02 15:04:05"))
	row[severity], row[kind] = report.Text(string(e.Severity)).Marked(mark(e.Severity)), report.Text(string(e.Kind))
	end(row, &e.At, atName, atPort, atGUID, atLabel, atPosition)
	end(row, &e.To, toName, toPort, toGUID, toLabel, toPosition)
	row[old], row[now], row[field], row[how] = report.Text(e.Old), report.Text(e.New), report.Text(e.Field), report.Text(e.How)
	row[fabric], row[id], row[since], row[message] = report.Text(e.Fabric), report.Number(e.ID), report.Time(e.Since), report.Text(e.Message())
	for column, n := range map[int]uint64{count: e.Count, again: e.Again, cause: e.Cause} {
		if n > 0 {
			row[column] = report.Number(n)
		}
	}
	return row
}

func end(row []report.Cell, e *event.End, name, port, guid, label, position int) {
	if e.GUID == 0 {
		return
	}
	row[name], row[guid] = report.Text(e.Name), report.GUID(e.GUID)
	row[label], row[position] = report.Text(e.Label), report.Text(e.Position)
	if e.Port >= 0 {
		row[port] = report.Number(e.Port)
	}
}

func mark(s event.Severity) report.Mark {
	switch s {
	case event.Critical:
		return report.Bad
	case event.Warning:
		return report.Warning
	}
	return report.Plain
}
