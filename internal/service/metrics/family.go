package metrics

// kind is the type of a metric, as the TYPE line names it.
type kind string

const (
	counter kind = "counter"
	gauge   kind = "gauge"
)

// A part says what a family is made of, so that it is written again only when that
// has changed.
type part uint8

const (
	partState    part = iota // anything of the state, or the events
	partGraph                // the graph alone
	partCounters             // the graph and the totals
	partSeries               // how many series all others have
)

// A family is one metric: a name and what it says of a fabric.
type family struct {
	name   string // of its samples, with _total
	help   string // one line
	kind   kind
	labels string // their names in order, "fabric,guid,port"
	part   part
	write  func(*writer, *view)
}

// families have the metrics of a set in the order in which they are written. Where
// there are too many series, the last ones are left out.
type families []*family

// Set is a set of names.
type Set uint8

// The sets. The order is that in which a page has them.
const (
	Own        Set = iota // ibscope_…
	Treydock              // infiniband_switch_…, infiniband_hca_… of treydock/infiniband_exporter
	Node                  // node_infiniband_… of node_exporter, for the devices of this machine
	Guilbaults            // infiniband_…_total of guilbaults/infiniband-exporter

	numSets = iota
)

var setNames = [numSets]string{"own", "treydock", "node", "guilbaults"}

// String is the word that options and URLs have for a set.
func (s Set) String() string {
	if int(s) < len(setNames) {
		return setNames[s]
	}
	return "unknown"
}

// ParseSet finds a set by its word.
func ParseSet(word string) (Set, error) {
	for i, name := range setNames {
		if name == word {
			return Set(i), nil
		}
	}
	return 0, &Error{Op: "choose", Err: errUnknownSet(word)}
}
