package topology

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/slurm"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// hosts are the flags that say which hosts there are and what they are called.
type hosts struct {
	sweep       sweep.Flags
	fabrics     fabrics
	file        string
	nameMap     string
	renames     []string
	stripDomain bool
	stripSuffix string
	nodes       string
	exclude     string
	roles       []string
	rail        int
	networks    []string
	network     string
}

var roles = []string{string(topology.RoleHost), string(topology.RoleStorage), string(topology.RoleManagement), string(topology.RoleGateway)}

func (h *hosts) register(fs *pflag.FlagSet) {
	h.sweep.Register(fs)
	fabric := fs.Lookup("fabric")
	fabric.Value = &h.fabrics
	fabric.Usage += "; once for each fabric"
	fs.StringVar(&h.file, "output-file", "", "write to `FILE`, which is replaced when the output is complete")
	fs.StringVar(&h.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	fs.StringArrayVar(&h.renames, "rename", nil, "change names of hosts by `RULE`, as 's/-ib[0-9]$//'; several in their order")
	fs.BoolVar(&h.stripDomain, "strip-domain", false, "take off names of hosts what follows the first dot")
	fs.StringVar(&h.stripSuffix, "strip-suffix", "", "take `TEXT` off the end of names of hosts, before --rename")
	fs.StringVar(&h.nodes, "nodes", "", "take the hosts of `LIST` only, as node[001-128], whatever their role")
	fs.StringVar(&h.exclude, "exclude", "", "leave out hosts whose names match `REGEXP`")
	fs.StringSliceVar(&h.roles, "roles", roles[:1], "take hosts of these `ROLES`: "+strings.Join(roles, ", "))
	fs.IntVar(&h.rail, "rail", 0, "sort hosts with several adapters by rail `N` (0 = the first)")
	fs.StringSliceVar(&h.networks, "names", nil, "call the networks `NAMES`, the one with the most links to hosts first")
	fs.StringVar(&h.network, "network", "", "write the network `NAME` only")
}

// options checks the flags. Errors are *env.ExitError.
func (h *hosts) options(e *env.Env, more ...hosttree.Rule) (*hosttree.Options, error) {
	o := &hosttree.Options{Rail: h.rail, Networks: h.networks}
	if h.rail < 0 {
		return nil, env.Exitf(env.Usage, "--rail %d: expected a number from 0", h.rail)
	}
	for i, name := range h.networks {
		if !hosttree.IsHostName(name) || slices.Contains(h.networks[:i], name) {
			return nil, env.Exitf(env.Usage, "--names %q: expected different names of letters, digits, '.', '_' and '-'", name)
		}
	}
	for _, role := range h.roles {
		if !slices.Contains(roles, role) {
			return nil, env.Exitf(env.Usage, "--roles %s: there are %s", role, strings.Join(roles, ", "))
		}
		o.Roles = append(o.Roles, topology.Role(role))
	}
	var err error
	if o.Rules, err = h.rules(); err != nil {
		return nil, err
	}
	o.Rules = append(o.Rules, more...)
	if h.exclude != "" {
		if o.Exclude, err = regexp.Compile(h.exclude); err != nil {
			return nil, env.Exitf(env.Usage, "--exclude: %w", err)
		}
	}
	if h.nodes != "" {
		list, err := slurm.Expand(h.nodes)
		if err != nil {
			return nil, env.Exitf(env.Usage, "--nodes: %w", err)
		}
		o.Only = map[string]bool{}
		for _, name := range list {
			o.Only[name] = true
		}
	}
	nameMap, err := names.Load(e, h.nameMap)
	if err != nil {
		return nil, env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	o.Name = names.Of(nameMap)
	return o, nil
}

// rules are those that change names of hosts, in the order in which they do.
func (h *hosts) rules() (list []hosttree.Rule, err error) {
	if h.stripDomain {
		list = append(list, hosttree.DomainRule())
	}
	if h.stripSuffix != "" {
		list = append(list, hosttree.Suffix(h.stripSuffix))
	}
	for _, text := range h.renames {
		rule, err := hosttree.ParseRule(text)
		if err != nil {
			return nil, env.Exitf(env.Usage, "--rename: %w", err)
		}
		list = append(list, rule)
	}
	return list, nil
}

// build sweeps the fabrics and arranges their hosts. Early is why one of them is
// not complete; any other error is an *env.ExitError.
func (h *hosts) build(ctx context.Context, e *env.Env, o *hosttree.Options) (inputs []hosttree.Input, forest *hosttree.Forest, early, err error) {
	inputs, early, err = h.gather(ctx, e)
	if err != nil {
		return nil, nil, nil, err
	}
	if h.rail > 0 && !slices.ContainsFunc(inputs, func(in hosttree.Input) bool { return h.rail <= len(in.Topology.Rails) }) {
		return nil, nil, nil, env.Exitf(env.Usage, "--rail %d: there is no rail %[1]d; \"ibscope summary\" lists them", h.rail)
	}
	forest = hosttree.Build(inputs, o)
	if h.network != "" {
		if err := choose(forest, h.network); err != nil {
			return nil, nil, nil, err
		}
	}
	complain(e, forest)
	if len(forest.Networks) == 0 {
		return nil, nil, nil, env.Exitf(env.Failed, "no host with a name and a link to a switch was found: nothing is written")
	}
	return inputs, forest, early, nil
}

// choose leaves one network.
func choose(forest *hosttree.Forest, name string) error {
	var have []string
	for _, n := range forest.Networks {
		if n.Name == name {
			forest.Networks = []hosttree.Network{n}
			return nil
		}
		have = append(have, n.Name)
	}
	return env.Exitf(env.Usage, "--network %q: there are %s", name, strings.Join(have, ", "))
}

// write writes the output and ends the command as the fabrics were read.
func (h *hosts) write(e *env.Env, early error, write func(io.Writer) error) error {
	if err := output.Write(h.file, e.Stdout, write); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if early != nil {
		return &env.ExitError{Code: env.Incomplete, Err: early}
	}
	return nil
}
