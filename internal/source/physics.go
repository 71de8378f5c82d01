package source

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// physicsArguments are the arguments about time and trouble, with what they
// expect. Latency and loss, which are older, are not among them.
var physicsArguments = []struct{ name, expects string }{
	{"physics", "typical, or none"},
	{"hop", "a duration, as 200ns"},
	{"sma", "a duration, as 20us"},
	{"queue", "a number of requests, 0 for no bound"},
	{"gsa", "a duration, as 20us"},
	{"gsa-queue", "a number of requests, 0 for no bound"},
	{"packet", "a duration, as 23ns"},
	{"dup", "a share of replies, as 0.01 or 1%"},
	{"corrupt", "a share of packets, as 0.01 or 1%"},
	{"jitter", "a duration, as 50us"},
	{"reorder", "a share of replies, as 0.01 or 1%"},
	{"link-loss", "a share of packets, as 0.01 or 1%"},
	{"slow", "NODE:TIMES, as 0x506b4b0300ab12cd:10x; several are joined by commas"},
	{"lossy", "NODE:SHARE or NODE/PORT:SHARE, as 0x506b4b0300ab12cd/7:1%; several are joined by commas"},
	{"delay", "NODE:DURATION or NODE/PORT:DURATION, as 0x506b4b0300ab12cd:1ms; several are joined by commas"},
	{"flap", "NODE/PORT:PERIOD or NODE/PORT:PERIOD:SHARE up, as 0x506b4b0300ab12cd/7:10s:90%; several are joined by commas"},
	{"dead", "NODE or NODE/PORT, as 0x506b4b0300ab12cd; several are joined by commas"},
	{"mute", "NODE, as 0x506b4b0300ab12cd; several are joined by commas"},
	{"lie", "NODE:GUID, as 0x506b4b0300ab12cd:0x1; several are joined by commas"},
}

// physicsNames are their names.
func physicsNames() []string {
	var names []string
	for _, a := range physicsArguments {
		names = append(names, a.name)
	}
	return names
}

// simPhysics reads the arguments about time and trouble into the options of the
// fabric f.
func simPhysics(u *URI, own url.Values, f *fabric.Fabric, o *sim.Options) error {
	r := physicsReader{model: f, options: o}
	for _, a := range physicsArguments {
		if !own.Has(a.name) {
			continue
		}
		text := own.Get(a.name)
		err := r.read(a.name, text)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return u.Wrap("argument "+a.name, err)
		case err != nil:
			return u.Expected("argument "+a.name, text, a.expects)
		}
	}
	ph := r.physics
	switch {
	case ph == nil:
		return nil
	case own.Has("queue") && ph.SMA.Time == 0:
		return u.Wrap("argument queue", errors.New("agents that take no time have no queue: give sma= too"))
	case own.Has("gsa-queue") && ph.GSA.Time == 0:
		return u.Wrap("argument gsa-queue", errors.New("agents that take no time have no queue: give gsa= too"))
	case own.Has("slow") && ph.SMA.Time == 0 && ph.GSA.Time == 0:
		return u.Wrap("argument slow", errors.New("what takes no time is not slow: give sma= too"))
	case own.Has("reorder") && ph.Agents.Jitter == 0:
		ph.Agents.Jitter = defaultJitter
	}
	o.Physics = ph
	return nil
}

// defaultJitter is how late replies are at most that reorder= holds up.
const defaultJitter = 100 * time.Microsecond

// physicsReader reads one argument after the other.
type physicsReader struct {
	model   *fabric.Fabric
	options *sim.Options
	physics *sim.Physics // nil until something needs it
}

// need makes the physics exist.
func (r *physicsReader) need() *sim.Physics {
	if r.physics == nil {
		r.physics = new(sim.Physics)
	}
	return r.physics
}

func (r *physicsReader) read(name, text string) (err error) {
	switch name {
	case "physics":
		return r.preset(text)
	case "hop":
		r.options.HopLatency, err = parseTime(text)
	case "sma":
		r.need().SMA.Time, err = parseTime(text)
	case "queue":
		r.need().SMA.Queue, err = parseCount(text)
	case "gsa":
		r.need().GSA.Time, err = parseTime(text)
	case "gsa-queue":
		r.need().GSA.Queue, err = parseCount(text)
	case "packet":
		r.need().Packet, err = parseTime(text)
	case "dup":
		r.need().Agents.Duplicate, err = parseShare(text)
	case "corrupt":
		r.need().Agents.Corrupt, err = parseShare(text)
	case "jitter":
		r.need().Agents.Jitter, err = parseTime(text)
	case "reorder":
		r.need().Agents.Reorder, err = parseShare(text)
	case "link-loss":
		r.need().Links.Loss, err = parseShare(text)
	default:
		return r.readPlaces(name, text)
	}
	return err
}

func (r *physicsReader) preset(text string) error {
	switch text {
	case "none":
		return nil
	case "typical":
		r.physics = sim.Typical()
		if r.options.HopLatency == 0 {
			r.options.HopLatency = sim.TypicalHop
		}
		return nil
	}
	return strconv.ErrSyntax
}

// readPlaces reads an argument that names nodes or ports.
func (r *physicsReader) readPlaces(name, list string) error {
	for text := range strings.SplitSeq(list, ",") {
		var value string
		switch name {
		case "dead", "mute":
		case "flap":
			text, value = cutFlap(text)
		default:
			text, value = cutLast(text, ":")
		}
		node, port, err := r.place(text)
		if err != nil {
			return err
		}
		if err := r.readPlace(name, sim.Part{Node: node, Port: port}, value); err != nil {
			return err
		}
	}
	return nil
}

func (r *physicsReader) readPlace(name string, p sim.Part, value string) (err error) {
	fault := sim.Fault{Node: p.Node, Port: p.Port}
	switch name {
	case "slow":
		p.Slow, err = strconv.ParseFloat(strings.TrimSuffix(value, "x"), 64)
	case "lossy":
		p.Loss, err = parseShare(value)
	case "delay":
		p.Delay, err = parseTime(value)
	case "flap":
		period, share, hasShare := strings.Cut(value, ":")
		if p.Period, err = parseTime(period); err == nil && hasShare {
			p.Up, err = parseShare(share)
		}
	case "dead":
		if fault.Kind = sim.DeadNode; p.Port != 0 {
			fault.Kind = sim.DeadPort
		}
	case "mute":
		fault.Kind = sim.DeadSMA
	case "lie":
		fault.Kind = sim.WrongNodeGUID
		fault.GUID, err = ib.ParseGUID(value)
	}
	if fault.Kind != 0 {
		r.options.Faults = append(r.options.Faults, fault)
	} else {
		r.need().Parts = append(r.need().Parts, p)
	}
	return err
}

// place finds NODE or NODE/PORT, where NODE is a GUID or a description, which may
// have slashes of its own.
func (r *physicsReader) place(text string) (ib.GUID, int, error) {
	if n := findNode(r.model, text); n != nil {
		return n.GUID(), 0, nil
	}
	name, number := cutLast(text, "/")
	n := findNode(r.model, name)
	if n == nil {
		return 0, 0, &missing{fmt.Sprintf("no node has the GUID or description %q", text)}
	}
	port, err := strconv.Atoi(number)
	if err != nil || port < 1 || port > n.NumPorts() {
		return 0, 0, &missing{fmt.Sprintf("%q has ports 1…%d, not %q", name, n.NumPorts(), number)}
	}
	return n.GUID(), port, nil
}

func findNode(f *fabric.Fabric, name string) *fabric.Node {
	if guid, err := ib.ParseGUID(name); err == nil {
		if n, ok := f.NodeByGUID(guid); ok {
			return n
		}
	}
	for n := range f.Nodes() {
		if name != "" && n.Description() == name {
			return n
		}
	}
	return nil
}

// cutLast cuts around the last separator; without one there is nothing behind.
func cutLast(text, separator string) (before, after string) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):]
	}
	return text, ""
}

// cutFlap cuts the period, and a share if there is one, from a place.
func cutFlap(text string) (place, value string) {
	place, last := cutLast(text, ":")
	if _, err := time.ParseDuration(last); err == nil {
		return place, last
	}
	place, period := cutLast(place, ":")
	return place, period + ":" + last
}

func parseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = strconv.ErrRange
	}
	return d, err
}

func parseCount(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err
}
