package api

// A param is a parameter of an endpoint: of its path, or of its query. Who parses a
// request and who describes the API both go by it.
type param struct {
	name string
	kind paramKind
	doc  string
	enum []string // of a word: all that it may be
	low  int      // of a number: the least
	high int      // and the most
	def  string   // what it is if it is not given
	must bool     // a request without it is refused
}

// paramKind is what a parameter may be.
type paramKind int

const (
	textParam   paramKind = iota
	nameParam             // of a fabric
	guidParam             // with or without 0x
	numberParam           // decimal
	lidParam              // decimal, or hexadecimal with 0x
	flagParam             // true or false
	timeParam             // RFC 3339, seconds since 1970, or a time ago such as 90m or 7d
	wordsParam            // a list with commas
)

// inPath are the parameters that stand in paths.
var inPath = map[string]param{
	"fabric": {name: "fabric", kind: nameParam, doc: "Name of the fabric"},
	"guid":   {name: "guid", kind: guidParam, doc: "Node GUID, such as 0x0002c90300001234"},
}

// Sizes of answers.
const (
	defaultLimit = 1000
	maxLimit     = 10000
)

// paging are the parameters of all lists.
var paging = []param{
	{name: "limit", kind: numberParam, low: 1, high: maxLimit, def: "1000", doc: "How many items at most"},
	{name: "offset", kind: numberParam, low: 0, high: 1 << 30, def: "0", doc: "How many items to leave out"},
}

// about are the parameters that choose by node.
var about = []param{
	{name: "q", kind: textParam, doc: "Search: a part of a name, description, GUID or model in any case of letters, or a whole LID; several words must all be found"},
	{name: "name", kind: textParam, doc: "Name or description of a node; * stands for any text, ? for any character; without these a part of it, in any case of letters"},
	{name: "guid", kind: guidParam, doc: "GUID of a node, or of a port of it"},
	{name: "lid", kind: lidParam, doc: "LID of a port"},
	{name: "type", kind: textParam, enum: []string{"CA", "Switch", "Router"}, doc: "Type of the node"},
	{name: "role", kind: textParam, enum: roles, doc: "Role of the node"},
}

var roles = []string{"host", "storage", "management", "gateway", "aggregation", "leaf", "spine", "core", "switch", "router", "unknown"}

// condition are the parameters that choose by how a link is.
var condition = []param{
	{name: "degraded", kind: flagParam, doc: "Whether it runs below what both ends support"},
	{name: "flapping", kind: flagParam, doc: "Whether it went down and up lately"},
	{name: "errors", kind: flagParam, doc: "Whether its counters of errors grew between the last two readings"},
}

var states = []string{"Down", "Initialize", "Armed", "Active"}

// order makes the parameter that sorts a list.
func order(keys ...string) param {
	var words []string
	for _, k := range keys {
		words = append(words, k, "-"+k)
	}
	return param{name: "sort", kind: textParam, enum: words, doc: "What to sort by, with a - the highest first; else the order is that of the fabric. What has no value comes last"}
}
