package metrics

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// guilbaultsErrors are what that exporter reads from the complaints of ibqueryerrors:
// here they come from the problems of the last sweep, and from ports that the last
// pass did not read. Their labels do not tell fabrics apart: they are those of the
// first one.
func guilbaultsErrors() families {
	return families{
		{
			name: "infiniband_bad_status_error", kind: gauge, labels: "path,status,error",
			help: "Always 1: a request of the last sweep that was answered with an error.",
			write: perProblem(fabric.BadStatus, func(p *fabric.Problem) string {
				var status mad.Status
				errors.As(p.Err, &status)
				return labels("path", targetOf(p), "status", strconv.Itoa(int(status)), "error", status.Error())
			}),
		},
		{
			name: "infiniband_mad_rpc_failed_error", kind: gauge, labels: "portid",
			help:  "Always 1: somebody who did not answer in the last sweep.",
			write: perProblem(fabric.NoReply, func(p *fabric.Problem) string { return labels("portid", targetOf(p)) }),
		},
		{
			name: "infiniband_query_failed_error", kind: gauge, labels: "counter_name,local_name,lid,port",
			help: "Always 1: a port whose counters were not read in the last pass.",
			write: func(w *writer, v *view) {
				if !v.first {
					return
				}
				seen := map[string]bool{}
				for i := range v.ports {
					p := &v.ports[i]
					if v.state.Totals == nil || p.total != nil && p.total.Missed == 0 {
						continue
					}
					l := labels("counter_name", "PortCounters", "local_name", v.name(p.Node()),
						"lid", strconv.Itoa(int(p.LID())), "port", strconv.Itoa(p.Num()))
					if !seen[l] {
						seen[l] = true
						w.uint(l, 1)
					}
				}
			},
		},
	}
}

// perProblem writes once for each problem of a kind and target.
func perProblem(kind fabric.ProblemKind, describe func(*fabric.Problem) string) func(*writer, *view) {
	return func(w *writer, v *view) {
		if v.state.Fabric == nil || !v.first {
			return
		}
		seen := map[string]bool{}
		problems := v.state.Fabric.Problems()
		for i := range problems {
			p := &problems[i]
			if p.Kind != kind {
				continue
			}
			if l := describe(p); !seen[l] {
				seen[l] = true
				w.uint(l, 1)
			}
		}
	}
}

func targetOf(p *fabric.Problem) string { return fmt.Sprint(p.Target) }
