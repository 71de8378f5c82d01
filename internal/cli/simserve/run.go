package simserve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/source"
)

// run serves until the context ends.
func (s *settings) run(ctx context.Context, e *env.Env, uri []string) error {
	if s.timeouts != timeoutsNone && s.timeouts != timeoutsReal {
		return env.Exitf(env.Usage, "--timeouts %s: expected %s or %s", s.timeouts, timeoutsNone, timeoutsReal)
	}
	if s.maxClients < 1 || s.maxClients > 1<<16 {
		return env.Exitf(env.Usage, "--max-clients %d: expected 1…65536", s.maxClients)
	}
	o, err := listenOptions(s.listen)
	if err != nil {
		return env.Exitf(env.Usage, "--listen %s: %w", s.listen, err)
	}
	o.MaxClients = s.maxClients
	if s.verbose {
		o.Logger = slog.New(slog.NewTextHandler(e.Stderr, nil))
	}
	w, err := s.world.Open(uri)
	if err != nil {
		return failed(err)
	}
	n, err := newServed(w.Simulator, w.URI)
	if err != nil {
		return failed(err)
	}
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	n.silent = s.timeouts == timeoutsReal
	server, err := ibsim.Listen(n, o)
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	defer server.Close()
	running, err := w.Start(ctx, e, quit)
	if err != nil {
		return failed(err)
	}
	defer running.Close()
	if err := s.tellReady(e, server, n, running.Socket); err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	err = server.Serve(ctx)
	if s.verbose {
		printStats(e.Stderr, server.Stats())
	}
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	return nil
}

// failed gives an error its exit code, unless it has one.
func failed(err error) error {
	var exit *env.ExitError
	if errors.As(err, &exit) {
		return err
	}
	return env.Exitf(env.Failed, "%w", err)
}

// listenOptions understands unix:NAME and udp:HOST:PORT.
func listenOptions(text string) (*ibsim.ServerOptions, error) {
	network, address, _ := strings.Cut(text, ":")
	switch {
	case network == "unix" && !strings.ContainsAny(address, ":\x00"):
		return &ibsim.ServerOptions{Network: "unix", Name: address}, nil
	case network == "udp":
		return &ibsim.ServerOptions{Network: "udp", Address: address, Resolve: net.DefaultResolver.LookupHost}, nil
	}
	return nil, fmt.Errorf("expected unix:NAME or udp:HOST:PORT")
}

// openNetwork makes the fabric of the URI.
func openNetwork(uri string) (*network, error) {
	f, err := source.OpenSimulator(uri)
	if err != nil {
		return nil, err
	}
	return newServed(f, uri)
}

// newServed is a simulated fabric to be served.
func newServed(f *source.Simulator, uri string) (*network, error) {
	u, err := source.Parse(uri)
	if err != nil {
		return nil, err
	}
	headers := readHeaders(u.Name)
	n := newNetwork(f.Fabric, f.At, headers)
	if u.Query.Get("node")+u.Query.Get("host") == "" && len(headers) > 0 {
		if first := headers[0].find(n); first != nil {
			n.home = first
		}
	}
	n.port, _ = strconv.Atoi(u.Query.Get("port")) // which is a number, or f would be an error
	return n, nil
}

// tellReady says that clients may come.
func (s *settings) tellReady(e *env.Env, server *ibsim.Server, n *network, socket string) error {
	network, _, _ := strings.Cut(s.listen, ":")
	line := fmt.Sprintf("serving %d nodes on %s:%s, clients start at %s\n", n.sim.Model().NumNodes(), network, server.Addr(), escape.Text(n.id(n.home)))
	if socket != "" {
		line = strings.TrimSuffix(line, "\n") + ", control at " + escape.Text(socket) + "\n"
	}
	if _, err := io.WriteString(e.Stdout, line); err != nil {
		return err
	}
	if s.readyFD <= 0 {
		return nil
	}
	f := os.NewFile(uintptr(s.readyFD), "ready-fd")
	if _, err := io.WriteString(f, line); err != nil {
		return fmt.Errorf("--ready-fd %d: %w", s.readyFD, err)
	}
	return f.Close()
}

func printStats(w io.Writer, st ibsim.ServerStats) {
	fmt.Fprintf(w, "clients: %d, refused %d, vanished %d\n", st.Attached, st.Refused, st.Vanished)
	fmt.Fprintf(w, "packets: %d from clients, %d to clients (%d of them undelivered requests), %d dropped, %d strays, %d malformed datagrams\n",
		st.Requests, st.Delivered, st.Undelivered, st.Dropped, st.Strays, st.Malformed)
}
