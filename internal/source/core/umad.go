package core

import (
	"context"
	"strconv"
	"strings"
)

// openUmad opens a kernel port, or both halves of a planarised one.
func openUmad(ctx context.Context, u *URI, w *World) (*Source, error) {
	p, err := parseUmad(u)
	if err != nil {
		return nil, err
	}
	pair, err := w.Host.OpenPair(ctx, p.CA, p.Port)
	if err != nil {
		return nil, u.Wrap("kernel port", err)
	}
	return &Source{Transport: pair}, nil
}

// umadPort names a kernel port the way libibumad does.
type umadPort struct {
	CA   string // empty: the first that fits
	Port int    // 0: the first that fits
}

// UmadURI is the URI of a kernel port, from a CA name and a port number that
// may be missing ("" and 0).
func UmadURI(ca string, port int) string {
	if port == 0 {
		return "umad:" + ca
	}
	return "umad:" + ca + "/" + strconv.Itoa(port)
}

func parseUmad(u *URI) (umadPort, error) {
	ca, number, hasPort := strings.Cut(u.Name, "/")
	p := umadPort{CA: ca}
	if !hasPort {
		return p, nil
	}
	n, err := strconv.ParseUint(number, 10, 8)
	if err != nil || n == 0 {
		return p, u.Expected("port", number, "a port number, 1…255, as in umad:mlx5_0/1")
	}
	p.Port = int(n)
	return p, nil
}
