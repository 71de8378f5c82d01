package control

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/sim/scenario"
)

// query is a command that changes nothing of the fabric.
type query struct {
	scenario.Verb
	answer func(ctx context.Context, s *Server, args []string) (result any, text string, err error)
}

// Queries lists the commands that are not of package scenario.
func Queries() []scenario.Verb {
	var list []scenario.Verb
	for _, q := range queries() {
		list = append(list, q.Verb)
	}
	return list
}

func queries() []query {
	return []query{
		{scenario.Verb{Name: "list nodes", Args: "[NAME]", Help: "nodes: GUID, type, ports, description"}, listNodes},
		{scenario.Verb{Name: "list ports", Args: "[NAME]", Help: "ports: LID, state, rate, the other end, losses"}, listPorts},
		{scenario.Verb{Name: "list links", Args: "[NAME]", Help: "cables with both ends"}, listLinks},
		{scenario.Verb{Name: "list clients", Args: "", Help: "programs that are attached"}, listClients},
		{scenario.Verb{Name: "attached", Args: "", Help: "the same as list clients"}, listClients},
		{scenario.Verb{Name: "detach", Args: "CLIENT", Help: "close the port of a client, by its number in list clients"}, detach},
		{scenario.Verb{Name: "dump", Args: "[NAME]", Help: "nodes with their ports, and forwarding tables of switches"}, dump},
		{scenario.Verb{Name: "route", Args: "LID LID", Help: "the way from one LID to another by the forwarding tables"}, route},
		{scenario.Verb{Name: "get", Args: "NODE/PORT COUNTER", Help: "the value of a counter"}, getCounter},
		{scenario.Verb{Name: "events", Args: "[N]", Help: "the last N of what was done"}, events},
		{scenario.Verb{Name: "status", Args: "", Help: "the time of the scenario, and when something is due"}, status},
		{scenario.Verb{Name: "wait", Args: "DURATION", Help: "answer after that time; nobody else waits"}, wait},
		{scenario.Verb{Name: "help", Args: "", Help: "this list"}, help},
		{scenario.Verb{Name: "quit", Args: "", Help: "end the simulator"}, quit},
	}
}

func queryNames() string {
	var names []string
	for _, q := range queries() {
		names = append(names, q.Name)
	}
	return strings.Join(names, ", ")
}

// findQuery finds the query that a command is.
func findQuery(command string) (q query, args []string, ok bool) {
	words, err := scenario.Words(command)
	if err != nil {
		return query{}, nil, false
	}
	for _, q := range queries() {
		name := strings.Fields(q.Name)
		if len(words) >= len(name) && strings.Join(words[:len(name)], " ") == q.Name {
			return q, words[len(name):], true
		}
	}
	return query{}, nil, false
}

// usage is the error of arguments that do not fit.
func usage(name string, args []string, want string) error {
	return refuse(os.ErrInvalid, "%s: found %q, expected %s", name, strings.Join(args, " "), want)
}

func none(name string, args []string) error {
	if len(args) > 0 {
		return usage(name, args, "nothing more")
	}
	return nil
}

func status(_ context.Context, s *Server, args []string) (any, string, error) {
	if err := none("status", args); err != nil {
		return nil, "", err
	}
	type state struct {
		Now     float64  `json:"now"`
		Next    *float64 `json:"next,omitempty"`
		Nodes   int      `json:"nodes"`
		Clients int      `json:"clients"`
		Events  int      `json:"events"`
	}
	now := s.runner.Now()
	v := state{now.Seconds(), nil, s.runner.Fabric().Model().NumNodes(), len(s.runner.Fabric().Clients()), len(s.runner.Log())}
	text := fmt.Sprintf("%v since the start, %d nodes, %d clients, %d events", now.Round(time.Millisecond), v.Nodes, v.Clients, v.Events)
	if next, ok := s.runner.Next(); ok {
		seconds := next.Seconds()
		v.Next = &seconds
		text += fmt.Sprintf(", next at %v", next)
	}
	return v, text + "\n", nil
}

// maxWait bounds wait.
const maxWait = 24 * time.Hour

func wait(ctx context.Context, _ *Server, args []string) (any, string, error) {
	if len(args) != 1 {
		return nil, "", usage("wait", args, "a duration, as 1.5s, or a number of seconds")
	}
	d, err := time.ParseDuration(args[0])
	if seconds, nerr := strconv.ParseFloat(args[0], 64); nerr == nil && seconds >= 0 && seconds <= maxWait.Seconds() {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 || d > maxWait {
		return nil, "", usage("wait", args, "a duration, as 1.5s, or a number of seconds")
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil, "", nil
	case <-ctx.Done():
		return nil, "", &Error{Op: "ask", Obj: "wait", Err: context.Cause(ctx)}
	}
}

func events(_ context.Context, s *Server, args []string) (any, string, error) {
	all := s.runner.Log()
	if len(args) > 0 {
		n, err := strconv.ParseUint(args[0], 10, 31)
		if err != nil || len(args) > 1 {
			return nil, "", usage("events", args, "how many")
		}
		all = all[max(0, len(all)-int(n)):]
	}
	var b strings.Builder
	for _, e := range all {
		b.WriteString(e.String() + "\n")
	}
	return all, b.String(), nil
}

func help(_ context.Context, _ *Server, args []string) (any, string, error) {
	if err := none("help", args); err != nil {
		return nil, "", err
	}
	var b strings.Builder
	type entry struct {
		Command   string `json:"command"`
		Arguments string `json:"arguments"`
		Help      string `json:"help"`
	}
	var list []entry
	for _, v := range append(scenario.Verbs(), Queries()...) {
		fmt.Fprintf(&b, "%-55s %s\n", strings.TrimSpace(v.Name+" "+v.Args), v.Help)
		list = append(list, entry{v.Name, v.Args, v.Help})
	}
	return list, b.String(), nil
}

func quit(_ context.Context, s *Server, args []string) (any, string, error) {
	if s.quit == nil {
		return nil, "", refuse(os.ErrPermission, "quit: this simulator ends with its program")
	}
	return nil, "", none("quit", args)
}
