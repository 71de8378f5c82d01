package core

import (
	"context"
	"errors"
	"strings"

	"github.com/ibscope/ibscope/ibsim"
)

// openIbsim connects to a running ibsim. A host that has a name is left to the others,
// who know how to look it up.
func openIbsim(ctx context.Context, u *URI, w *World) (*Source, error) {
	s, err := OpenIbsim(ctx, u, w, nil)
	if errors.Is(err, ibsim.ErrUnresolved) && w.Others != nil {
		if open := w.Others("ibsim"); open != nil {
			return open(ctx, u, w)
		}
	}
	return s, err
}

// OpenIbsim connects to a running ibsim, with somebody who looks names of hosts up.
// Without a name in the URI the variables of ibsim's own clients decide:
// IBSIM_SERVER_NAME and IBSIM_SERVER_PORT for UDP, else IBSIM_SOCKNAME. SIM_HOST is the
// node to attach to.
func OpenIbsim(ctx context.Context, u *URI, w *World, resolve ibsim.Resolver) (*Source, error) {
	o, err := ibsimOptions(u, w.Getenv)
	if err != nil {
		return nil, err
	}
	o.Resolve = resolve
	conn, err := ibsim.Dial(ctx, o)
	if err != nil {
		return nil, u.Wrap("server", err)
	}
	return &Source{Transport: conn}, nil
}

// defaultIbsimPort is where ibsim -r listens.
const defaultIbsimPort = "7070"

func ibsimOptions(u *URI, getenv func(string) string) (*ibsim.Options, error) {
	o := &ibsim.Options{Host: getenv("SIM_HOST")}
	name, isUDP := strings.CutPrefix(u.Name, "udp:") // as sim serve says where it listens
	if !isUDP {
		name = strings.TrimPrefix(name, "unix:")
	}
	switch server := getenv("IBSIM_SERVER_NAME"); {
	case u.Name == "" && server != "":
		port := getenv("IBSIM_SERVER_PORT")
		if port == "" {
			port = defaultIbsimPort
		}
		o.Network, o.Address = "udp", server+":"+port
	case u.Name == "":
		o.Name = getenv("IBSIM_SOCKNAME")
	case isUDP || strings.Contains(name, ":"):
		host, port, _ := strings.Cut(name, ":")
		if host == "" || port == "" || strings.Contains(port, ":") {
			return nil, u.Expected("server", u.Name, "HOST:PORT or the name of a socket")
		}
		o.Network, o.Address = "udp", name
	default:
		o.Name = name
	}
	return o, nil
}
