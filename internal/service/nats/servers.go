package nats

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	defaultPort = "4222"
	maxServers  = 64 // given and told
)

// server is one that may be connected to.
type server struct {
	address        string // host:port
	name           string // that a certificate must have
	tls            bool   // is demanded
	user, password string
	token          string
}

// CheckURL tells what is wrong with Options.URL. The error is an *Error that is
// os.ErrInvalid; it shows no password.
func CheckURL(text string) error {
	_, err := parseServers(text)
	return err
}

// parseServers reads Options.URL.
func parseServers(text string) ([]server, error) {
	var list []server
	for part := range strings.SplitSeq(text, ",") {
		s, err := parseServer(strings.TrimSpace(part))
		if err != nil {
			return nil, &Error{Op: "configure", Err: err}
		}
		list = append(list, s)
	}
	if len(list) > maxServers {
		return nil, &Error{Op: "configure", Err: mistakef("%d servers are more than %d", len(list), maxServers)}
	}
	return list, nil
}

func parseServer(text string) (server, error) {
	if text == "" {
		return server{}, mistakef("no URL")
	}
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return server{}, mistakef("it is no URL as nats://host:4222") // the cause has the password
	}
	port := u.Port()
	if port == "" {
		port = defaultPort
	}
	n, err := strconv.Atoi(port)
	switch {
	case u.Scheme != "nats" && u.Scheme != "tls":
		return server{}, mistakef("the scheme %.40q is neither nats nor tls", u.Scheme)
	case u.Hostname() == "":
		return server{}, mistakef("%s:// without a host", u.Scheme)
	case err != nil || n < 1 || n > 65535:
		return server{}, mistakef("the port %.40q is none", port)
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return server{}, mistakef("there is more than a host and a port")
	}
	s := server{address: net.JoinHostPort(u.Hostname(), port), name: u.Hostname(), tls: u.Scheme == "tls"}
	if password, ok := u.User.Password(); ok {
		s.user, s.password = u.User.Username(), password
	} else {
		s.token = u.User.Username()
	}
	return s, nil
}

// pool are the servers, given ones before those that servers have told of.
type pool struct {
	list  []server
	given int
	next  int
}

// turn gives the server to try now, and whether it is the last one of a round.
func (p *pool) turn() (s server, isLast bool) {
	s = p.list[p.next%len(p.list)]
	p.next = (p.next + 1) % len(p.list)
	return s, p.next == 0
}

// learn replaces the servers that others have told of by those that one tells of now, as
// host:port. They take the same user, and a certificate for an address only has the name
// of that one.
func (p *pool) learn(of server, told []string) {
	list := p.list[:p.given:p.given]
	for _, address := range told {
		host, port, err := net.SplitHostPort(address)
		if err != nil || host == "" || port == "" || len(list) >= maxServers {
			continue
		}
		if slices.ContainsFunc(list, func(s server) bool { return s.address == address }) {
			continue
		}
		s := of
		s.address, s.name = address, host
		if net.ParseIP(host) != nil {
			s.name = of.name
		}
		list = append(list, s)
	}
	if p.next == 0 {
		p.next = len(p.list) // the new ones come next, not all of them again
	}
	p.list = list
	p.next %= len(p.list)
}
