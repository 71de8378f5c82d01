package archtest

import (
	"slices"
	"strings"
)

// module is the import path of the root.
const module = "github.com/ibscope/ibscope"

// A layer is a group of packages with the same rights. Paths are relative to
// the module root; "mad" is that package alone, "mad/*" all packages below it.
type layer struct {
	name string
	pkgs []string
	own  []string // packages of this module that it may import
	why  string
}

// library is what a Go program may import.
var library = []string{
	"ib", "mad", "mad/*", "madrpc", "madrpc/*", "saclient", "rdma", "rdma/*", "umad", "ibsim",
	"fabric", "fabric/*", "discover", "discover/*", "counters", "counters/*", "event", "survey", "readonly", "watch", "hostcheck", "format", "format/*", "pcap", "sim", "sim/*",
}

// shared is what several command packages have in common.
var shared = []string{
	"internal/cli/capture", "internal/cli/choose", "internal/cli/differences", "internal/cli/env", "internal/cli/fullscreen", "internal/cli/diags", "internal/cli/live", "internal/cli/measure", "internal/cli/names", "internal/cli/output", "internal/cli/problem", "internal/cli/report", "internal/cli/simworld", "internal/cli/sweep",
}

// helpers are packages that know text, not fabrics.
var helpers = []string{"internal/columns", "internal/escape", "internal/getopt", "internal/manpage"}

// layers is the whole tree, bottom first. A package that no layer names fails
// TestImports: decide where it belongs and say why here.
var layers = []layer{
	{
		name: "ib", pkgs: []string{"ib"},
		why: "ib is the vocabulary of everybody, so it knows nobody",
	},
	{
		name: "mad", pkgs: []string{"mad"},
		own: []string{"ib"},
		why: "a packet is bytes and names; who sends it is not its business",
	},
	{
		name: "attributes", pkgs: []string{"mad/*"},
		own: []string{"ib", "mad", "mad/*"},
		why: "attributes are declarations; they decode without a port, a file or a fabric",
	},
	{
		name: "madrpc", pkgs: []string{"madrpc"},
		own: []string{"ib", "mad", "mad/*"},
		why: "the client sees transports through its own interface, never by name",
	},
	{
		name: "saclient", pkgs: []string{"saclient"},
		own: []string{"ib", "mad", "mad/*", "madrpc"},
		why: "queries of subnet administration are requests like others; they need a client and no fabric",
	},
	{
		name: "questions", pkgs: []string{"madrpc/*"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "madrpc/*", "saclient", "internal/escape"},
		why: "what takes more than one request works on any client; it needs no fabric",
	},
	{
		name: "sys", pkgs: []string{"internal/sys"},
		why: "system call helpers serve the device packages and know none of them",
	},
	{
		name: "rdma", pkgs: []string{"rdma", "rdma/*"},
		own: []string{"ib", "rdma", "rdma/*", "internal/sys"},
		why: "devices can be listed without speaking MADs",
	},
	{
		name: "umad", pkgs: []string{"umad"},
		own: []string{"ib", "mad", "rdma", "rdma/*", "internal/sys"},
		why: "a kernel port moves packets; it satisfies madrpc.Transport without importing it",
	},
	{
		name: "pcap", pkgs: []string{"pcap"},
		own: []string{"ib", "mad"},
		why: "a capture holds packets; a tap satisfies madrpc.Transport, and sits on one, without importing it",
	},
	{
		name: "hostcheck", pkgs: []string{"hostcheck"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "rdma", "rdma/*", "umad", "fabric"},
		why: "it looks at a host from the bus up to its neighbour; a sweep or a simulated fabric is not its business",
	},
	{
		name: "ibsim", pkgs: []string{"ibsim"},
		own: []string{"ib", "mad", "mad/*", "internal/sys"},
		why: "the wire protocol of ibsim moves packets; it satisfies madrpc.Transport without importing it",
	},
	{
		name: "fabric", pkgs: []string{"fabric", "fabric/*"},
		own: []string{"ib", "mad", "mad/*", "fabric", "fabric/*"},
		why: "the model has no input or output, so every source and every report can share it",
	},
	{
		name: "discover", pkgs: []string{"discover"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "fabric"},
		why: "a sweep works on any client; it must not know which transport is below",
	},
	{
		name: "saview", pkgs: []string{"discover/*"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "madrpc/*", "saclient", "fabric"},
		why: "other ways to gather a fabric than a sweep work on any client as well; they do not know the sweep",
	},
	{
		name: "counters", pkgs: []string{"counters"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "fabric"},
		why: "counters of all ports are read on any client; who has swept the fabric, and who reports, is not its business",
	},
	{
		name: "counted", pkgs: []string{"counters/*"},
		own: []string{"ib", "mad", "mad/*", "fabric", "counters", "counters/*"},
		why: "what counters mean, and when they are too high, is known without a client",
	},
	{
		name: "survey", pkgs: []string{"survey"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "madrpc/*", "saclient", "fabric", "fabric/model", "fabric/route", "discover/*", "counters", "format/snapshot"},
		why: "it reads what there is beside a sweep, on any client, into what a snapshot stores or a check of routes asks for",
	},
	{
		name: "readonly", pkgs: []string{"readonly"},
		own: []string{"ib", "mad", "mad/*", "madrpc"},
		why: "what may pass is decided by packets alone, on any transport",
	},
	{
		name: "event", pkgs: []string{"event"},
		own: []string{"ib", "mad", "mad/*", "fabric", "fabric/*", "counters", "counters/*", "watch", "internal/escape"},
		why: "what happened follows from what was known before and what is known now; nothing is asked",
	},
	{
		name: "watch", pkgs: []string{"watch"},
		own: []string{"ib", "mad", "mad/*", "madrpc", "madrpc/*", "fabric", "fabric/*", "discover", "counters", "counters/*", "survey", "format/snapshot"},
		why: "a fabric is kept up to date through any transport; who is told of it is not its business",
	},
	{
		name: "format", pkgs: []string{"format", "format/*"},
		own: []string{"ib", "mad", "mad/*", "fabric", "fabric/*", "format", "format/*", "internal/escape"},
		why: "a file is a source or a report like any other; it needs no port",
	},
	{
		name: "sim", pkgs: []string{"sim", "sim/*"},
		own: []string{"ib", "mad", "mad/*", "fabric", "fabric/*", "ibsim", "format", "format/*", "sim", "sim/*"},
		why: "the simulator is the other side: sharing the client's code would hide the client's faults from its tests",
	},
	{
		name: "testenv", pkgs: []string{"internal/testenv"},
		why: "every test may use it, so it may depend on nothing that is tested",
	},
	{
		name: "helpers", pkgs: helpers,
		own: []string{"internal/escape"},
		why: "text helpers have nothing to do with fabrics",
	},
	{
		name: "tools", pkgs: []string{"internal/madgen", "internal/archtest", "internal/doctest"},
		own: []string{"ib", "mad", "mad/field"},
		why: "generators and checks read source text; they must build when what they generate or check does not",
	},
	{
		name: "oracle", pkgs: []string{"internal/oracle"},
		why: "it only tests; what it needs from here it imports in its tests",
	},
	{
		name: "lab", pkgs: []string{"internal/lab", "internal/lab/*"},
		own: slices.Concat(library, []string{"internal/lab", "internal/lab/*", "internal/source"}),
		why: "the lab brings a kernel and a simulated port together; the commands under test come to it as programs",
	},
	{
		name: "core", pkgs: []string{"internal/source/core"},
		own: library,
		why: "it opens what is outside the process; TestDropInsAreLight says what it must not know",
	},
	{
		name: "source", pkgs: []string{"internal/source"},
		own: slices.Concat(library, []string{"internal/source/core"}),
		why: "this is the one place that knows all transports; it must not know the commands",
	},
	{
		name: "service", pkgs: []string{"internal/service", "internal/service/*"},
		own: slices.Concat(library, []string{"internal/service", "internal/service/*", "internal/escape", "internal/web"}),
		why: "the parts of the resident service work on states and events; how a fabric is opened, and what the command line says, they are told",
	},
	{
		name: "web", pkgs: []string{"internal/web"},
		own: slices.Concat(library, []string{"internal/escape"}),
		why: "the page is files, and answers made of states; who serves them is not its business",
	},
	{
		name: "simbench", pkgs: []string{"internal/simbench"},
		own: library,
		why: "it brings a sweep and a simulated fabric together, for tests; the commands are not its business",
	},
	{
		name: "versus", pkgs: []string{"internal/versus"},
		why: "it only tests; both sides come to it as programs",
	},
	{
		name: "plot", pkgs: []string{"internal/plot"},
		why: "it draws numbers, whatever they are of",
	},
	{
		name: "plots", pkgs: []string{"internal/simbench/cmd/plots"},
		own: []string{"internal/plot"},
		why: "it draws tables that it is given, and measures nothing",
	},
	{
		name: "dashboard", pkgs: []string{"internal/dashboard"},
		why: "it draws what a Prometheus answers to a file; whose dashboards these are is not its business",
	},
	{
		name: "day", pkgs: []string{"internal/dashboard/day"},
		why: "it only tests",
	},
	{
		name: "version", pkgs: []string{"internal/cli/version"},
		why: "what the program is to tell before all else imports nothing",
	},
	{
		name: "cli-shared", pkgs: shared,
		own: slices.Concat(library, helpers, shared, []string{"internal/source", "internal/source/core", "internal/cli/version"}),
		why: "what commands share knows no command",
	},
	{
		name: "process", pkgs: []string{"internal/cli/process"},
		own: []string{"internal/cli/env"},
		why: "what is around a command in its process is the same for all of them",
	},
	{
		name: "applets", pkgs: []string{"internal/cli/applets"},
		own: []string{"internal/cli/*"},
		why: "the table of drop-in tools knows all of them; TestDropInsAreLight says what it must not know",
	},
	{
		name: "early", pkgs: []string{"internal/cli/early", "internal/cli/early/*"},
		own: []string{"internal/cli/applets", "internal/cli/env", "internal/cli/process", "internal/cli/version", "internal/source/core"},
		why: "what runs before the rest of the program is initialised must not import the rest",
	},
	{
		name: "cli-past", pkgs: []string{"internal/cli/past"},
		own: slices.Concat(library, helpers, shared, []string{"internal/service/history"}),
		why: "commands share how history is named and opened; those that read none do not get a database with it",
	},
	{
		name: "cli", pkgs: []string{"internal/cli"},
		own: []string{"*"},
		why: "the table of commands knows all of them; nothing but main knows it",
	},
	{
		name: "commands", pkgs: []string{"internal/cli/*"},
		own: slices.Concat(library, helpers, shared, []string{"internal/cli/past", "internal/source", "internal/source/core", "internal/service", "internal/service/*", "internal/web"}),
		why: "a command does not know another: what two of them need moves to the library or to the shared packages",
	},
	{
		name: "main", pkgs: []string{"cmd/*"},
		own: []string{"internal/cli", "internal/cli/early", "internal/cli/early/*", "internal/source"},
		why: "main only starts the command, so that the command can be tested as a function",
	},
}

// An outside is a module from elsewhere and the packages that may import it.
type outside struct {
	path string
	pkgs []string
	why  string
}

// outsides lists all modules that code other than tests may import.
var outsides = []outside{
	{
		"golang.org/x/sys",
		[]string{"internal/sys", "umad", "rdma", "rdma/*", "hostcheck", "ibsim", "internal/cli", "internal/cli/*", "internal/lab/*"},
		"raw system calls stay with the packages that own a descriptor",
	},
	{
		"golang.org/x/sync",
		[]string{"*"},
		"errgroup and semaphore are as good as the standard library",
	},
	{
		"golang.org/x/image",
		[]string{"format/png"},
		"fonts and the rasteriser are for who wants an image, and for nobody else",
	},
	{
		"golang.org/x/term",
		[]string{"internal/cli", "internal/cli/*"},
		"only the command has a terminal",
	},
	{
		"github.com/spf13/cobra",
		[]string{"internal/cli", "internal/cli/*"},
		"who imports the library must not get a command line framework with it",
	},
	{
		"github.com/spf13/pflag",
		[]string{"internal/cli", "internal/cli/*"},
		"who imports the library must not get a command line framework with it",
	},
	{
		"go.yaml.in/yaml/v4",
		[]string{"sim/scenario", "format/wiring", "internal/service/config", "internal/service/webconfig"},
		"people write scenarios, rules of wiring and configurations by hand, and YAML is what they know; one package reads each",
	},
	{
		"golang.org/x/crypto",
		[]string{"internal/service/webconfig"},
		"passwords are bcrypt hashes, as all exporters have them",
	},
	{
		"modernc.org/sqlite",
		[]string{"internal/service/history"},
		"one package keeps history",
	},
	{
		"github.com/nats-io/nats.go",
		nil,
		"internal/service/nats is our client; this one brings encoding/gob into each start of a drop-in tool, and is there to test ours",
	},
	{
		"github.com/google/go-cmp",
		[]string{"internal/testenv"},
		"it panics on purpose and is for tests",
	},
}

// banished are packages of the standard library that only tests may import, and why.
var banished = map[string]string{
	"encoding/gob": "it is initialised before all drop-in tools, whoever imports it: encoding/json does the same",
}

// testOutsides may be imported by tests only.
var testOutsides = []string{"github.com/google/go-cmp", "github.com/nats-io/nats.go", "github.com/nats-io/nkeys", "github.com/prometheus/client_golang", "github.com/prometheus/client_model", "github.com/mdlayher/netlink", "go.yaml.in/yaml/v4", "golang.org/x/sys", "golang.org/x/sync"}

// commands are the packages that may print, exit and read the environment.
var commands = []string{"cmd/*", "internal/cli", "internal/cli/*", "internal/madgen", "internal/testenv", "internal/archtest", "internal/doctest", "internal/oracle", "internal/lab/cmd/*", "internal/simbench/cmd/*"}

// match tells whether a package path fits one of the patterns.
func match(patterns []string, path string) bool {
	for _, p := range patterns {
		if p == "*" || p == path {
			return true
		}
		if dir, below := strings.CutSuffix(p, "/*"); below && strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// layerOf finds the layer of a package.
func layerOf(path string) (layer, bool) {
	for _, l := range layers {
		if match(l.pkgs, path) {
			return l, true
		}
	}
	return layer{}, false
}
