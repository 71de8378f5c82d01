package source

import (
	"context"
	"net"
	"strings"

	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/source/core"
)

// openIbsim connects to a running ibsim. Without a name in the URI the
// variables of ibsim's own clients decide: IBSIM_SERVER_NAME and
// IBSIM_SERVER_PORT for UDP, else IBSIM_SOCKNAME. SIM_HOST is the node to
// attach to.
func openIbsim(ctx context.Context, u *core.URI, w *core.World) (*Source, error) {
	o, err := ibsimOptions(u, w.Getenv)
	if err != nil {
		return nil, err
	}
	conn, err := ibsim.Dial(ctx, o)
	if err != nil {
		return nil, u.Wrap("server", err)
	}
	return &Source{Transport: conn}, nil
}

// defaultIbsimPort is where ibsim -r listens.
const defaultIbsimPort = "7070"

func ibsimOptions(u *core.URI, getenv func(string) string) (*ibsim.Options, error) {
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
		o.Network, o.Address = "udp", net.JoinHostPort(server, port)
	case u.Name == "":
		o.Name = getenv("IBSIM_SOCKNAME")
	case isUDP || strings.Contains(name, ":"):
		host, port, err := net.SplitHostPort(name)
		if err != nil || host == "" || port == "" {
			return nil, u.Expected("server", u.Name, "HOST:PORT or the name of a socket")
		}
		o.Network, o.Address = "udp", name
	default:
		o.Name = name
	}
	return o, nil
}
