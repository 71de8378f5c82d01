package ibqueryerrors

import (
	"cmp"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// tellUnread tells on stderr, and in the document, of all that could not be read,
// in the order of nodes and ports. The ports of a node that were not even asked
// for are on one line.
func (c *collection) tellUnread(problems []counters.Problem) {
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := problems[i], problems[j]
		return cmp.Or(cmp.Compare(b.Node.Index(), a.Node.Index()), cmp.Compare(a.Port, b.Port)) < 0
	})
	for len(problems) > 0 {
		p := &problems[0]
		n := 1
		if p.Asked() {
			c.tellFailed(p)
		} else {
			for n < len(problems) && isAlike(&problems[n], p) {
				n++
			}
			c.tellNotAsked(problems[:n])
		}
		for i := range problems[:n] {
			c.noteUnread(&problems[i])
		}
		problems = problems[n:]
	}
}

// isAlike: nobody was asked, for the same reason.
func isAlike(a, b *counters.Problem) bool {
	return a.Node == b.Node && a.Attr == b.Attr && !a.Asked() && a.Err.Error() == b.Err.Error()
}

// tellFailed tells of a request that failed, first as C does.
func (c *collection) tellFailed(p *counters.Problem) {
	c.sum.Failed++
	c.Problem(p)
	name := c.byNode[p.Node].name
	var to mad.Target
	var request *madrpc.Error
	if errors.As(p.Err, &request) {
		to = request.Target
	}
	var status mad.Status
	if !errors.As(p.Err, &status) {
		diags.IBWarn(c.env, "mad_rpc", "_do_madrpc failed; dport (%v)", to)
	}
	function, what := c.words(p.Attr)
	diags.IBWarn(c.env, function, "%s query failed on %s, %v port %d", what, name, to, p.Port)
	c.env.Complain("%v", p)
}

// words are the function that fails in C, and what it calls the attribute.
func (c *collection) words(a mad.AttrID) (function, what string) {
	function = "print_errors"
	if c.asked["counters"] {
		function = "print_data_cnts"
	}
	switch a {
	case pma.AttrClassPortInfo:
		return "query_cap_mask", "classportinfo"
	case pma.AttrPortCounters:
		return function, "IB_GSI_PORT_COUNTERS"
	case pma.AttrPortCountersExtended:
		return function, "IB_GSI_PORT_COUNTERS_EXT"
	}
	return "query_and_dump", attr.Name(mad.ClassPerf, a)
}

// tellNotAsked tells of ports of one node that were given up.
func (c *collection) tellNotAsked(problems []counters.Problem) {
	p := &problems[0]
	if !errors.Is(p.Err, counters.ErrNotAsked) {
		c.sum.Failed += len(problems)
	}
	nums := make([]int, len(problems))
	for i := range problems {
		nums[i] = problems[i].Port
	}
	err := fmt.Errorf("node %s %q port %s: %w", p.Node.GUID(), c.byNode[p.Node].name, ranges(nums), p.Err)
	c.Problem(err)
	c.env.Complain("%v", err)
}

// ranges are ascending numbers as text, "1-3,7".
func ranges(nums []int) string {
	var parts []string
	for i := 0; i < len(nums); {
		j := i
		for j+1 < len(nums) && nums[j+1] == nums[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, fmt.Sprint(nums[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", nums[i], nums[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}
