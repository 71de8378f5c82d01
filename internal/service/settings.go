package service

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/nodenames"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/gate"
	"github.com/ibscope/ibscope/internal/service/nats"
	"github.com/ibscope/ibscope/internal/service/webhook"
)

// settings are a configuration, and what stands in the files that it names. They are
// immutable.
type settings struct {
	*config.Config
	tokens  *gate.Tokens // nil for none
	limits  *threshold.Limits
	targets []webhook.Target  // of webhooks
	names   map[string]*names // by fabric; those without a file are not there
}

// names is a node name map.
type names struct {
	of   *nodenames.Map
	hash [sha256.Size]byte // of the file
	id   uint64            // another one for each content
}

// own is the name of a node, false if it is not in the map. A nil map has none.
func (n *names) own() func(*fabric.Node) (string, bool) {
	if n == nil {
		return nil
	}
	return func(node *fabric.Node) (string, bool) {
		name := n.of.Name(node.GUID(), "")
		return name, name != ""
	}
}

func (n *names) isSame(other *names) bool {
	return n == other || n != nil && other != nil && n.hash == other.hash
}

// Check looks for mistakes in the files that a configuration names: tokens, credentials,
// secrets and names of nodes.
func Check(c *config.Config) error {
	_, err := load(c)
	return err
}

// load reads all files. The errors name them.
func load(c *config.Config) (*settings, error) {
	l := &settings{Config: c, limits: c.Events.Thresholds, names: map[string]*names{}}
	if l.limits == nil {
		l.limits = event.DefaultLimits()
	}
	if c.Tokens != "" {
		t, err := gate.ReadFile(c.Tokens)
		if err != nil {
			return nil, &Error{Op: "tokens", Err: err}
		}
		l.tokens = t
	}
	if c.Fleet.Credentials != "" {
		if err := nats.CheckCredentials(c.Fleet.Credentials); err != nil {
			return nil, &Error{Op: "credentials of fleet", Err: err}
		}
	}
	var err error
	if l.targets, err = targets(c); err != nil {
		return nil, err
	}
	for i := range c.Fabrics {
		f := &c.Fabrics[i]
		if f.Names == "" {
			continue
		}
		n, err := loadNames(f.Names)
		if err != nil {
			return nil, &Error{Op: "node name map", Fabric: f.Name, Err: err}
		}
		l.names[f.Name] = n
	}
	return l, nil
}

// loadNames reads a map. Lines that are not understood are a mistake, for who writes them
// wants to see a name.
func loadNames(path string) (*names, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, problems, err := nodenames.Read(bytes.NewReader(text), filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, problems[0]
	}
	n := &names{of: m, hash: sha256.Sum256(text)}
	for _, b := range n.hash[:8] {
		n.id = n.id<<8 | uint64(b)
	}
	return n, nil
}

// namesOf is the name map of a fabric.
func (s *Service) namesOf(name string) (own func(*fabric.Node) (string, bool), generation uint64) {
	n := s.present().names[name]
	if n == nil {
		return nil, 0
	}
	return n.own(), n.id
}

// nameOf is the name of a node of any fabric: that in a map, or its description.
func (s *Service) nameOf(n *fabric.Node) string {
	for _, m := range s.present().names {
		if name, ok := m.own()(n); ok {
			return name
		}
	}
	return n.Description()
}
