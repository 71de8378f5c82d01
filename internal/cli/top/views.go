package top

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
)

// row is a line of a table: a link, or an event.
type row struct {
	link  *link
	event *event.Event
}

// mark is what is good or bad about a cell.
type mark uint8

const (
	plain mark = iota
	dim
	warn
	bad
)

// column is a column of a table.
type column struct {
	title string
	width int // 0: shares what the others leave
	right bool
	rank  int // tables that are too wide lose the columns of the highest rank first, those of 0 never
	text  func(r row, s *settings) string
	mark  func(r row) mark // nil: plain
	less  func(a, b row) int
	big   bool // sorts the highest first, unless turned round
}

// view is one of the tables.
type view struct {
	title   string
	key     string
	columns []column
	first   int                // the column that it is sorted by to begin with
	keep    func(l *link) bool // nil: all links
	empty   string             // what it says without rows
}

// views are all of them, but for that of a node.
var views = []view{
	{title: "Traffic", key: "1", columns: trafficColumns, first: 4, keep: connected, empty: "no links"},
	{title: "Errors", key: "2", columns: errorColumns, first: 4, keep: erroneous, empty: "no errors counted"},
	{title: "Congestion", key: "3", columns: congestionColumns, first: 4, keep: waiting, empty: "no port waits for credits"},
	{title: "Links", key: "4", columns: flapColumns, first: 5, keep: troubled, empty: "all links are up, at their best, and have been"},
	{title: "Events", key: "5", columns: eventColumns, empty: "nothing has happened"},
}

// nodeView is the table of the ports of a node.
var nodeView = view{title: "Node", columns: nodeColumns, empty: "the node is gone"}

const eventsView = 4

func connected(l *link) bool { return l.b.guid != 0 }
func erroneous(l *link) bool { return l.a.errors > 0 || l.b.errors > 0 }
func waiting(l *link) bool {
	return max(l.a.congestion, l.b.congestion) > 0 || max(l.a.discards, l.b.discards) > 0
}

// troubled are links that are not as they should be: not active, slow, or down at some
// time.
func troubled(l *link) bool {
	if l.b.guid == 0 {
		return false
	}
	return l.state != ib.PortActive || l.best != "" || max(l.a.downed, l.b.downed) > 0
}

// ends are the columns that name both ends of a link.
var (
	nodeColumn = column{title: "Node", text: func(r row, s *settings) string { return s.short(r.link.a.name) }, less: byName}
	portColumn = column{title: "Port", width: 4, right: true, text: func(r row, _ *settings) string { return number(uint64(r.link.a.port)) }, less: byPort}
	peerColumn = column{title: "Peer", text: func(r row, s *settings) string { return s.short(r.link.b.name) }, less: byPeer}
	peerPort   = column{title: "Port", width: 4, right: true, text: peerPortText, less: byPeer}
)

func peerPortText(r row, _ *settings) string {
	if r.link.b.guid == 0 {
		return ""
	}
	return number(uint64(r.link.b.port))
}

func byName(a, b row) int {
	return cmp.Or(cmp.Compare(a.link.a.name, b.link.a.name), cmp.Compare(a.link.a.guid, b.link.a.guid), cmp.Compare(a.link.a.port, b.link.a.port))
}

func byPort(a, b row) int { return cmp.Or(cmp.Compare(a.link.a.port, b.link.a.port), byName(a, b)) }

func byPeer(a, b row) int {
	return cmp.Or(cmp.Compare(a.link.b.name, b.link.b.name), cmp.Compare(a.link.b.guid, b.link.b.guid), cmp.Compare(a.link.b.port, b.link.b.port))
}

// by sorts by a number.
func by(value func(l *link) float64) func(a, b row) int {
	return func(a, b row) int { return cmp.Compare(value(a.link), value(b.link)) }
}

// byRate sorts by two digits of a rate: what is the same to the eye keeps its place, so
// that rows do not jump about for nothing.
func byRate(value func(l *link) float64) func(a, b row) int {
	return func(a, b row) int { return cmp.Compare(coarse(value(a.link)), coarse(value(b.link))) }
}

func coarse(v float64) float64 {
	if v <= 0 {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/unit) * unit
}

var (
	useColumn = column{
		title: "Use", width: 5, right: true, big: true, less: byRate((*link).use),
		text: func(r row, _ *settings) string { return share(r.link.use()) },
		mark: func(r row) mark { return above(r.link.use(), 0.8, 0.95) },
	}
	forwardColumn = column{
		title: "-->", width: 10, right: true, big: true, rank: 1, less: byRate(func(l *link) float64 { v, _ := l.forward(); return v }),
		text: func(r row, s *settings) string { return s.rate(r.link.forward()) },
	}
	backwardColumn = column{
		title: "<--", width: 10, right: true, big: true, rank: 1, less: byRate(func(l *link) float64 { v, _ := l.backward(); return v }),
		text: func(r row, s *settings) string { return s.rate(r.link.backward()) },
	}
	rateColumn = column{
		title: "Link", width: 7, rank: 2, text: func(r row, _ *settings) string { return r.link.rate },
		less: by(func(l *link) float64 { return l.capacity }), big: true,
		mark: func(r row) mark { return when(r.link.best != "", warn) },
	}
	stateColumn = column{
		title: "State", width: 8, text: func(r row, _ *settings) string { return r.link.state.String() },
		less: by(func(l *link) float64 { return float64(l.state) }),
		mark: func(r row) mark { return when(r.link.state != ib.PortActive, bad) },
	}
	barColumn = column{
		title: "", width: 20, rank: 3, text: func(r row, _ *settings) string { return bar(r.link.use(), 20) },
		less: byRate((*link).use), big: true, mark: func(r row) mark { return above(r.link.use(), 0.8, 0.95) },
	}
)

var trafficColumns = []column{nodeColumn, portColumn, peerColumn, peerPort, useColumn, forwardColumn, backwardColumn, rateColumn, barColumn}

var errorColumns = []column{
	nodeColumn, portColumn, peerColumn, peerPort,
	{
		title: "New/min", width: 8, right: true, big: true, less: by(rising),
		text: func(r row, _ *settings) string { return rate(rising(r.link), r.link.a.rated || r.link.b.rated) },
		mark: func(r row) mark { return when(rising(r.link) > 0, bad) },
	},
	{
		title: "Total", width: 8, right: true, big: true, less: by(counted),
		text: func(r row, _ *settings) string { return number(uint64(counted(r.link))) },
	},
	{title: "Most", width: 18, rank: 1, text: func(r row, _ *settings) string { return worst(r.link) }, less: byName},
}

func rising(l *link) float64  { return l.a.rising + l.b.rising }
func counted(l *link) float64 { return float64(l.a.errors + l.b.errors) }

// worst names the counter that is most of the errors of a link, and the end: > is that
// of the node, < that of the peer.
func worst(l *link) string {
	if cmp.Or(cmp.Compare(l.b.rising, l.a.rising), cmp.Compare(l.b.errors, l.a.errors)) > 0 {
		return "<" + strings.TrimSuffix(l.b.worst, "Counter")
	}
	return ">" + strings.TrimSuffix(l.a.worst, "Counter")
}

var congestionColumns = []column{
	nodeColumn, portColumn, peerColumn, peerPort,
	{
		title: "Wait>", width: 5, right: true, big: true, less: by(func(l *link) float64 { return max(l.a.congestion, l.b.congestion) }),
		text: func(r row, _ *settings) string { return share(r.link.a.congestion) },
		mark: func(r row) mark { return above(r.link.a.congestion, 0.05, 0.2) },
	},
	{
		title: "<Wait", width: 5, right: true, big: true, less: by(func(l *link) float64 { return l.b.congestion }),
		text: func(r row, _ *settings) string { return share(r.link.b.congestion) },
		mark: func(r row) mark { return above(r.link.b.congestion, 0.05, 0.2) },
	},
	{
		title: "Lost/s", width: 8, right: true, big: true, less: by(discards),
		text: func(r row, _ *settings) string { return rate(discards(r.link), r.link.a.rated || r.link.b.rated) },
		mark: func(r row) mark { return when(discards(r.link) > 0, bad) },
	},
	useColumn, rateColumn,
}

func discards(l *link) float64 { return l.a.discards + l.b.discards }

var flapColumns = []column{
	nodeColumn, portColumn, peerColumn, peerPort, stateColumn,
	{
		title: "Downs", width: 6, right: true, big: true, less: by(func(l *link) float64 { return float64(max(l.a.downed, l.b.downed)) }),
		text: func(r row, _ *settings) string { return number(max(r.link.a.downed, r.link.b.downed)) },
		mark: func(r row) mark { return when(max(r.link.a.downed, r.link.b.downed) > 0, warn) },
	},
	rateColumn,
	{
		title: "Best", width: 7, rank: 1, text: func(r row, _ *settings) string { return r.link.best },
		mark: func(row) mark { return warn }, less: by(func(l *link) float64 { return float64(len(l.best)) }), big: true,
	},
}

var nodeColumns = []column{
	{title: "Port", width: 4, right: true, text: portColumn.text, less: byPort},
	stateColumn, peerColumn, peerPort, useColumn, forwardColumn, backwardColumn,
	{
		title: "Errors", width: 7, right: true, big: true, rank: 1, less: by(counted),
		text: func(r row, _ *settings) string { return number(uint64(counted(r.link))) },
		mark: func(r row) mark { return when(rising(r.link) > 0, bad) },
	},
	rateColumn,
}

var eventColumns = []column{
	{
		title: "Time", width: 8, text: func(r row, _ *settings) string { return r.event.Time.Format(time.TimeOnly) },
		less: func(a, b row) int { return cmp.Compare(a.event.ID, b.event.ID) }, big: true,
	},
	{
		title: "What", width: 15, text: func(r row, _ *settings) string { return string(r.event.Kind) },
		less: func(a, b row) int { return cmp.Compare(a.event.Kind, b.event.Kind) }, mark: severity,
	},
	{title: "Where", text: func(r row, s *settings) string { return place(&r.event.At, s) }, less: func(a, b row) int { return cmp.Compare(a.event.At.Name, b.event.At.Name) }},
	{title: "Other end", text: func(r row, s *settings) string { return place(&r.event.To, s) }, less: func(a, b row) int { return cmp.Compare(a.event.To.Name, b.event.To.Name) }},
	{title: "Change", width: 22, rank: 1, text: func(r row, s *settings) string { return change(r.event, s) }, less: func(a, b row) int { return cmp.Compare(a.event.Field, b.event.Field) }},
}

func severity(r row) mark {
	switch r.event.Severity {
	case event.Critical:
		return bad
	case event.Warning:
		return warn
	}
	return plain
}
