package source

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
)

// openSim makes a simulated fabric from a file or a generator and attaches to it.
func openSim(_ context.Context, parts *core.URI, _ *core.World) (*Source, error) {
	u, err := withArguments(parts)
	if err != nil {
		return nil, err
	}
	own, rest := splitSimArguments(u.Query)
	options, err := simOptions(u, own)
	if err != nil {
		return nil, err
	}
	d, err := simModel(u, rest)
	if err != nil {
		return nil, err
	}
	f := d.Fabric
	if err := simPhysics(u, own, f, options); err != nil {
		return nil, err
	}
	s, err := sim.New(f, options)
	if err != nil {
		return nil, u.Wrap("arguments", err)
	}
	a, err := useAgents(u, s, own, &agents.Options{Seed: options.Seed})
	if err != nil {
		return nil, err
	}
	if !options.Fresh {
		restore(s, a, d.Snapshot)
	}
	if err := manage(u, s, own); err != nil {
		return nil, err
	}
	port, err := attach(u, s, own)
	if err != nil {
		return nil, err
	}
	return &Source{Transport: port, Problems: badInput(f)}, nil
}

// badInput are the problems of the file that a fabric was read from.
func badInput(f *fabric.Fabric) []fabric.Problem {
	var list []fabric.Problem
	for _, p := range f.Problems() {
		if p.Kind == fabric.BadInput {
			list = append(list, p)
		}
	}
	return list
}

// simArguments are the arguments that are not the generator's: no generator has
// one of these names, so that each argument means one thing with every command.
// What only some commands need, such as the adapters of a machine, is no matter
// to the others.
var simArguments = append([]string{"node", "host", "port", "adapters", "latency", "hop-latency", "loss", "seed", "sm", "routing", "pkeys", "traps", "traffic", "ping"}, physicsNames()...)

func splitSimArguments(q url.Values) (own, rest url.Values) {
	own, rest = url.Values{}, url.Values{}
	for key, list := range q {
		rest[key] = list
	}
	for _, key := range simArguments {
		if list, ok := rest[key]; ok {
			own[key] = list
			delete(rest, key)
		}
	}
	return own, rest
}

// simModel is the fabric to simulate. A name that is a file is that file; a
// plain word else is a generator.
func simModel(u *URI, rest url.Values) (*format.Document, error) {
	if u.Name == "" {
		return nil, u.Expected("name", "", "a topology file or a generator, as in sim:fattree?levels=2&radix=8")
	}
	if isFile(u.Name) {
		for key := range rest {
			return nil, u.Expected("argument "+key, rest.Get(key), strings.Join(simArguments, ", "))
		}
		d, err := format.LoadDocument(u.Name)
		if err != nil {
			return nil, u.Wrap("file", err)
		}
		return d, nil
	}
	if _, err := os.Stat(u.Name); !errors.Is(err, fs.ErrNotExist) {
		return nil, u.Wrap("file", err)
	}
	if err := checkParams(u, rest); err != nil {
		return nil, err
	}
	text := u.Name
	if len(rest) > 0 {
		text += "?" + rest.Encode()
	}
	f, err := gen.Parse(text)
	if err != nil {
		var mistake *gen.Error
		if errors.As(err, &mistake) {
			err = &refused{err}
		}
		return nil, u.Wrap("file or generator", err)
	}
	return &format.Document{Fabric: f}, nil
}

func simOptions(u *URI, own url.Values) (*sim.Options, error) {
	o := &sim.Options{}
	var err error
	for key := range own {
		value := own.Get(key)
		switch key {
		case "latency":
			if o.Latency, err = time.ParseDuration(value); err != nil || o.Latency < 0 {
				return nil, u.Expected("argument latency", value, "a duration, as 10us")
			}
		case "hop-latency":
			if o.HopLatency, err = time.ParseDuration(value); err != nil || o.HopLatency < 0 {
				return nil, u.Expected("argument hop-latency", value, "a duration, as 500ns")
			}
		case "loss":
			if o.Loss, err = parseShare(value); err != nil {
				return nil, u.Expected("argument loss", value, "a share of packets, as 0.01 or 1%")
			}
		case "sm":
			if o.Fresh, err = parseOff(value); err != nil {
				return nil, u.Expected("argument sm", value, "on, as a subnet manager has left the fabric, or off, as after power-on")
			}
		case "traps":
			if o.NoTraps, err = parseOff(value); err != nil {
				return nil, u.Expected("argument traps", value, "on or off")
			}
		case "seed":
			if o.Seed, err = strconv.ParseUint(value, 0, 64); err != nil {
				return nil, u.Expected("argument seed", value, "a number")
			}
		}
	}
	return o, nil
}

// parseOff reports whether a switch that has two positions is off.
func parseOff(s string) (bool, error) {
	switch s {
	case "off":
		return true, nil
	case "on":
		return false, nil
	}
	return false, strconv.ErrSyntax
}

// parseShare reads a share from 0 to 1, or in percent.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err == nil && !(v >= 0 && v <= 1) {
		err = strconv.ErrRange
	}
	return v, err
}

// attach opens the port that node=, host= and port= name.
func attach(u *URI, s *sim.Fabric, own url.Values) (*sim.Port, error) {
	name, part := own.Get("node"), "argument node"
	if host := own.Get("host"); host != "" {
		if name != "" {
			return nil, u.Expected("argument host", host, "either node= or host=")
		}
		name, part = host, "argument host"
	}
	num := 0
	if text := own.Get("port"); text != "" {
		v, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return nil, u.Expected("argument port", text, "a port number, 0…255")
		}
		num, part = int(v), "argument port"
	}
	port, err := s.AttachAt(name, num)
	if err != nil {
		return nil, u.Wrap(part, err)
	}
	return port, checkHost(u, s, own.Get("host"))
}

// checkHost makes sure that host= names a CA.
func checkHost(u *URI, s *sim.Fabric, host string) error {
	if host == "" {
		return nil
	}
	for n := range s.Model().CAs() {
		if n.Description() == host || sameGUID(n.GUID(), host) {
			return nil
		}
	}
	return u.Expected("argument host", host, "a CA; switches and routers are attached to with node=")
}

func sameGUID(g ib.GUID, text string) bool {
	other, err := ib.ParseGUID(text)
	return err == nil && other == g
}
