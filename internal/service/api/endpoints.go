package api

import (
	"slices"

	"github.com/ibscope/ibscope/event"
)

// Prefix is what all paths begin with.
const Prefix = "/api/v1"

// The media types of answers.
const (
	jsonMedia     = "application/json"
	problemMedia  = "application/problem+json"
	streamMedia   = "text/event-stream"
	snapshotMedia = "application/gzip"
)

// An endpoint is a path, what may be asked there, and who answers.
type endpoint struct {
	path    string // below Prefix, with the parameters of inPath in braces
	id      string // a name for programs
	summary string
	doc     string
	params  []param
	media   string
	answer  any // a value of the type of the answer, where that is JSON
	serve   func(a *API, r *request) error
}

// endpoints are all that there are. The OpenAPI document, the routes and the parsing of
// requests are made from them.
func endpoints() []endpoint {
	one := "/fabrics/{fabric}"
	list := func(params ...[]param) []param { return slices.Concat(append(params, paging)...) }
	return []endpoint{
		{path: "/fabrics", id: "listFabrics", summary: "All fabrics, and how their sweeps go", answer: Fabrics{}, serve: (*API).fabrics},
		{path: one, id: "getFabric", summary: "One fabric at a glance", answer: FabricAnswer{}, serve: (*API).oneFabric},
		{
			path: one + "/nodes", id: "listNodes", summary: "Nodes", answer: Page[Node]{}, serve: (*API).nodes,
			params: list(about, condition, []param{order("name", "errors", "errors_per_second", "degraded", "flapping")}),
		},
		{
			path: one + "/nodes/{guid}", id: "getNode", summary: "One node with all its ports and counters", answer: NodeAnswer{}, serve: (*API).oneNode,
			doc: "Of several nodes that claim one GUID it is the first.",
		},
		{
			path: one + "/ports", id: "listPorts", summary: "Ports that were ever seen, with their counters", answer: Page[Port]{}, serve: (*API).ports,
			params: list(about, condition, []param{
				{name: "port", kind: numberParam, low: 0, high: 255, doc: "Number of the port"},
				{name: "state", kind: textParam, enum: states, doc: "State of the port"},
				order("errors", "errors_per_second", "congestion", "utilisation"),
			}),
		},
		{
			path: one + "/links", id: "listLinks", summary: "Links, each once, with both ends", answer: Page[Link]{}, serve: (*API).links,
			doc: "Filters that are about nodes fit a link that fits at one of its ends.",
			params: list(about, condition, []param{
				{name: "id", kind: textParam, doc: "ID of one link"},
				{name: "state", kind: textParam, enum: states, doc: "State of the end that is less far"},
				{name: "tier", kind: numberParam, low: 0, high: 100, doc: "The lower tier of the two ends; links to hosts are 0"},
				{name: "inactive", kind: flagParam, doc: "Whether its state is not Active"},
				order("utilisation", "errors", "errors_per_second", "congestion", "flaps", "last_flap"),
			}),
		},
		{
			path: one + "/problems", id: "listProblems", summary: "What the last sweep met", answer: Page[Problem]{}, serve: (*API).problems,
			params: list([]param{
				{name: "kind", kind: textParam, doc: "Kind of the problems"},
				{name: "loss", kind: flagParam, doc: "Whether something is missing by it"},
			}),
		},
		{
			path: one + "/health", id: "getHealth", summary: "What is wrong, how bad it is, and what to do", answer: Health{}, serve: (*API).health,
			params: []param{paging[0]},
		},
		{
			path: one + "/trace", id: "getTrace", summary: "The way of packets between two ports", answer: Trace{}, serve: (*API).trace,
			doc: "An end is a name, NAME/PORT, a GUID or a LID; guid: or lid: in front says which.",
			params: []param{
				{name: "from", kind: textParam, must: true, doc: "Where it begins"},
				{name: "to", kind: textParam, must: true, doc: "Where it leads"},
			},
		},
		{
			path: one + "/routes", id: "checkRoutes", summary: "What is wrong with the forwarding tables", answer: Routes{}, serve: (*API).routesOf,
			doc: "It is the check of the tables that were last read, on the fabric as it is now.", params: []param{paging[0]},
		},
		{
			path: one + "/diff", id: "getDifferences", summary: "What has changed between two times", answer: Differences{}, serve: (*API).diff,
			doc: "It needs a service that keeps history.",
			params: []param{
				{name: "from", kind: timeParam, must: true, doc: "The earlier time"},
				{name: "to", kind: timeParam, doc: "The later time; now, if it is not given"},
				{name: "only", kind: wordsParam, enum: []string{"node", "link", "port"}, doc: "Subjects of differences"},
				paging[0],
			},
		},
		{
			path: one + "/rates", id: "getRates", summary: "The rates of a port over time", answer: RateSeries{}, serve: (*API).rates,
			doc: "It needs a service that keeps history.",
			params: []param{
				{name: "node", kind: guidParam, must: true, doc: "Node GUID"},
				{name: "port", kind: numberParam, low: 0, high: 255, must: true, doc: "Port number"},
				{name: "since", kind: timeParam, doc: "Where to begin", def: "6h"},
				{name: "until", kind: timeParam, doc: "Where to end; now, if it is not given"},
			},
		},
		{path: one + "/snapshot", id: "getSnapshot", summary: "The fabric as a file that all commands read", media: snapshotMedia, serve: (*API).snapshot, params: []param{
			{name: "routes", kind: flagParam, doc: "Whether it has forwarding tables; what the service is configured to, if it is not given"},
		}},
		{
			path: "/events", id: "listEvents", summary: "Events, the oldest first", answer: Events{}, serve: (*API).events,
			params: append(eventFilters(),
				param{name: "after", kind: numberParam, high: 1 << 53, doc: "Only those with higher IDs"},
				param{name: "since", kind: timeParam, doc: "Only those that were seen later"},
				param{name: "last", kind: flagParam, doc: "Where more fit than limit admits, the last ones rather than the first"},
				paging[0],
			),
		},
		{
			path: "/events/stream", id: "followEvents", summary: "Events as they happen, as server-sent events", media: streamMedia, serve: (*API).stream,
			doc: "Each has its ID as id, its kind as event, and as data the object that is an item of /events. " +
				"A stream begins after the event of the header Last-Event-ID, or of the parameter after; else with what happens next. " +
				"An event named missed, whose data has the number of events as missed, stands for those that are not kept any more; without a number it is not known how many, as after a new start of a service without history. " +
				"An event named state, whose data has fabric, at and counted_at, says that something new is known of a fabric.",
			params: append(eventFilters(),
				param{name: "after", kind: numberParam, high: 1 << 53, doc: "Begin after the event with this ID"},
			),
		},
		{path: "/openapi.json", id: "getOpenAPI", summary: "This document", answer: map[string]any{}, serve: (*API).openapi},
	}
}

func eventKinds() []string {
	var words []string
	for _, k := range event.Kinds() {
		words = append(words, string(k))
	}
	return words
}

// eventFilters are the parameters that choose events.
func eventFilters() []param {
	return []param{
		{name: "fabric", kind: nameParam, doc: "Only those of one fabric"},
		{name: "kind", kind: wordsParam, enum: eventKinds(), doc: "Only those of these kinds"},
		{name: "severity", kind: wordsParam, enum: []string{"info", "warning", "critical"}, doc: "Only those of these severities"},
		{name: "guid", kind: guidParam, doc: "Only those with this node at an end"},
		{name: "port", kind: numberParam, low: 0, high: 255, doc: "With guid: only those with this port of it"},
	}
}
