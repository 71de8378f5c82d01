package cli

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/applets"
)

// toolLines are command lines of each drop-in tool: a new tool needs a row here.
// {host}, {other} and {switch} are LIDs, {guid host} … GUIDs of nodes; {cache} is
// the fabric as a cache file, {tame} the same with other names, {topology} as text
// of ibnetdiscover, {lfts} its forwarding tables, {history} what a service has stored
// on 2026-03-01, {out} a file to write.
//
// The first of each prints a complete document with --output json.
var toolLines = map[string][]string{
	"check_lft_balance": {"-v -l {lfts} -i {cache}", "-l {topology} -i {cache}"},
	"dump_fts":          {"", "-n", "-a", "-M"},
	"dump_lfts":         {"", "-n"},
	"dump_mfts":         {""},
	"ibaddr":            {"{host}", "-G {guid other}"},
	"ibcacheedit":       {"--caguid {guid host}:0x77 {cache} {out}", "--caguid 1:2 {topology} {out}"},
	"ibccconfig":        {"CK {host} 0 0 0 0"},
	"ibccquery":         {"CP {host}", "CL {switch}"},
	"ibcheckerrors":     {"-N", "-v", "{topology}"},
	"ibcheckerrs":       {"-N -v {host} 1", "-N {switch}"},
	"ibchecknet":        {"-N", "-v {topology}"},
	"ibchecknode":       {"-v {host}", "-v -G {guid other}"},
	"ibcheckport":       {"-v {switch} 1"},
	"ibcheckportstate":  {"-v {switch} 1"},
	"ibcheckportwidth":  {"-v {switch} 1"},
	"ibcheckstate":      {"-N", "-v {topology}"},
	"ibcheckwidth":      {"-N", "-v {topology}"},
	"ibdatacounters":    {"-N", "-v {topology}"},
	"ibdatacounts":      {"-v {switch}", "{host} 1"},
	"ibdiscover":        {"--new {out}"},
	"ibprintca":         {"-G {guid host}", "-l", "nobody"},
	"ibprintrt":         {"-l", "nobody"},
	"ibprintswitch":     {"-G {guid switch}", "-l", "nobody"},
	"ibswportwatch":     {"-p 0.01 -n 2 {switch} 1", "-v -b -p 0.01 -n 2 {host} 1"},
	"set_nodedesc":      {"-v", "--dry-run node7"},
	"ibclearcounters":   {""},
	"ibclearerrors":     {"", "{topology}"},
	"ibfindnodesusing":  {"{guid switch} 3", "{guid switch} 1"},
	"ibhosts":           {"", "{topology}"},
	"ibidsverify":       {""},
	"iblinkinfo":        {"", "-l", "-p", "-D 0,1", "--load-cache {cache}", "--load-cache {tame} --diff {cache} --diffcheck nodedesc", "-S {guid switch}"},
	"ibnetdiscover": {
		"", "-l", "-p", "-g", "-f", "-H", "-S", "-m", "-l -s", "--load-cache {cache}", "--load-cache {tame} --diff {cache} --diffcheck nodedesc",
		"--cache {out}", "{out}",
	},
	"ibnodes":       {"", "{topology}"},
	"ibping":        {"-f -c 1 {other}"},
	"ibportstate":   {"{switch} 1", "-D 0 1"},
	"ibqueryerrors": {"", "--counters", "-r", "--skip-sl -D 0"},
	"ibroute":       {"{switch}", "-M {switch}", "-n {switch}", "{host}"},
	"ibrouters":     {""},
	"ibsendtrap":    {""},
	"ibstat":        {"", "-l"},
	"ibstatus":      {"", "mlx5_0:1"},
	"ibswitches":    {"", "{topology}"},
	"ibsysstat":     {"{other}", "{other} cpu"},
	"ibtracert":     {"{host} {other}", "-n {host} {other}", "{switch} {other}"},
	"ibv_devices":   {""},
	"ibv_devinfo":   {"-l", ""},
	"perfquery":     {"{host} 1", "-x {switch} 1", "-a {switch}"},
	"saquery":       {"", "--list", "-s", "SMIR", "MCMR", "-g", "-m", "-p --slid {host}", "-I"},
	"sminfo":        {""},
	"smpdump":       {"-D 0 0x10", "-s -D 0 0x10", "-s {other} 0x10", "-s {switch} 0x10"},
	"smpquery":      {"ND {host}", "ND {switch}", "-D ND 0,1", "NI {host}"},
	"vendstat":      {"-N {switch}"},
}

// commandLines are those of the subcommands of ibscope, but for those that run
// other programs or wait for them.
var commandLines = map[string][]string{
	"anonymize": {"{cache} -o {out}", "--as ibnetdiscover {cache}", "--as list --hide-vendors {cache}"},
	"compare":   {"", "-o json", "-o text"},
	"devices":   {"", "-o json"},
	"diff":      {"{cache} {topology}", "{cache} {tame} -o json", "{cache} {tame} -o text", "{cache} {tame}", "{cache} {tame} -o csv", "{cache} {tame} -o markdown", "{cache} {tame} -o html", "--since 2026-03-01 --at 2026-03-01T02:05 --db {history} -o text", "--since 2026-03-01 --db {history} -o json"},
	"discover":  {"", "--sa", "--fabric file:{cache}", "-o ibnetdiscover", "-o ports", "-o list", "-o json", "-o ndjson", "-o dot", "--sa -o json"},
	"draw":      {"", "-o html", "--collapse none --title x", "-o png --output-file {out}"},
	"doctor":    {"", "-v", "-o json"},
	"errors":    {"", "-o json", "-o csv", "-o markdown", "-o html", "--explain --thresholds /dev/null"},
	"events":    {"--since 2026-03-01 --db {history}", "--since 2026-03-01 --db {history} -o ndjson", "--since 2026-03-01 --db {history} -o json", "--since 2026-03-01 --db {history} -o table"},
	"history":   {"--db {history}", "--db {history} -o json"},
	"history node": {
		"0xfc6a1c0300000040 --since 2026-03-01 --db {history}", "0xfc6a1c0300000040 --since 2026-03-01 --db {history} -o json",
	},
	"history port":      {"0xfc6a1c0300000040 3 --since 2026-03-01 --db {history}", "0xfc6a1c0300000040 3 --since 2026-03-01 --db {history} -o json"},
	"history save":      {"--db {history} --at 2026-03-01T02:05 --output-file {out}"},
	"history snapshots": {"--db {history}", "--db {history} -o json"},
	"links":             {"", "-o json", "-o csv", "-o markdown", "-o html"},
	"nodes":             {"", "-o json", "-o csv", "-o markdown", "-o html"},
	"health":            {"--fabric file:{cache}", "", "--all --routes", "-o json", "-o table", "-o csv --routes --firmware", "-o markdown", "-o html"},
	"pcap":              {"{capture}", "-v {capture}", "--summary {capture}", "-o json {capture}", "-o ndjson -v {capture}"},
	"routes check":      {"", "-o json"},
	"routes load":       {"", "-o json"},
	"trace":             {"{host} {other}", "{host} {other} --live --counters", "{host} {switch} -o json"},
	"verify":            {"{cache}", "{tame}", "{tame} -o json"},
	"serve":             {"--once", "--check", "--once --compat treydock"},
	"sim ctl":           {"list nodes", "list links", "--json list nodes", "--json list links", "help"},
	"sim export":        {"-o ibsim sim:{cache}", "-o ibnetdiscover sim:{cache}", "-o json sim:{cache}", "-o ndjson sim:{cache}", "-o cache --output-file {out} sim:{cache}"},
	"sim topologies":    {"", "--json"},
	"summary":           {"", "-o json", "--collapse-chassis", "-o table", "-o csv", "-o markdown", "-o html"},
	"top":               {"--batch 1 --interval 100ms", "--fabric file:{cache} --batch 1"},
	"topology graph":    {"-o graphml", "-o dot", "-o cytoscape"},
	"topology k8s":      {"", "--scheme topograph"},
	"topology slurm":    {"", "-o yaml", "--plugin block"},
	"snapshot":          {"-o {out}", "--all -o {out}"},
}

// serving are commands without rows.
var serving = map[string]bool{"sim exec": true, "sim serve": true, "sim run": true, "view": true}

// TestEveryToolHasLines makes sure that the tests of this file run each tool and
// each command.
func TestEveryToolHasLines(t *testing.T) {
	for _, a := range applets.All() {
		if len(toolLines[a.Tool.Name]) == 0 {
			t.Errorf("%s has no command line in toolLines", a.Tool.Name)
		}
	}
	have := map[string]bool{}
	for _, makeCommand := range commands {
		c := makeCommand(&Env{})
		names := []string{c.Name()}
		if c.HasSubCommands() {
			names = subcommands(c)
			have[c.Name()] = c.Runnable() // it may do something by itself
		}
		for _, name := range names {
			have[name] = true
			if len(commandLines[name]) == 0 && !serving[name] {
				t.Errorf("ibscope %s has no command line in commandLines", name)
			}
		}
	}
	for name := range commandLines {
		if !have[name] {
			t.Errorf("there is no ibscope %s", name)
		}
	}
}

func subcommands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, c.Name()+" "+sub.Name())
	}
	return names
}

// otherSchemas are of tools whose document is not of their own kind; docs/json.md
// tells why.
var otherSchemas = map[string]string{
	"ibnetdiscover": "ibscope.fabric",
	"dump_lfts":     "ibscope.dump_fts", "dump_mfts": "ibscope.dump_fts", // scripts around it
}

// TestEveryToolHasADocument: with --output json each drop-in tool prints one
// document, of its schema, and nothing else.
func TestEveryToolHasADocument(t *testing.T) {
	h := newHost(t, tame)
	for _, a := range applets.All() {
		name := a.Tool.Name
		t.Run(name, func(t *testing.T) {
			w := h.run(t, name, "--output json "+toolLines[name][0])
			head := documentOf(t, w.stdout.String())
			schema := "ibscope." + name
			if other, ok := otherSchemas[name]; ok {
				schema = other
			}
			if head.Schema != schema || head.Version != 1 {
				t.Errorf("schema %q, version %d, want %q, 1", head.Schema, head.Version, schema)
			}
			if head.Complete == nil || !*head.Complete {
				t.Errorf("it is not complete: %.1000s\n%s", &w.stdout, &w.stderr)
			}
		})
	}
}

// TestEveryToolFailsInADocument: so does one that finds no fabric.
func TestEveryToolFailsInADocument(t *testing.T) {
	h := newHost(t, tame)
	h.uri = "ibsim:nobody-is-here"
	for _, a := range applets.All() {
		t.Run(a.Tool.Name, func(t *testing.T) {
			w := h.run(t, a.Tool.Name, "--output json "+toolLines[a.Tool.Name][0])
			if head := documentOf(t, w.stdout.String()); head.Schema == "" || head.Complete == nil {
				t.Errorf("%.1000s", &w.stdout)
			}
		})
	}
}

type documentHead struct {
	Schema   string
	Version  int
	Complete *bool
}

// documentOf wants one JSON value, and nothing behind it.
func documentOf(t *testing.T, text string) documentHead {
	t.Helper()
	var head documentHead
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&head); err != nil {
		t.Errorf("%v in %.1000s", err, text)
		return head
	}
	var more any
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		t.Errorf("behind the document: %v %v", more, err)
	}
	return head
}

func (h *host) path(name string) string { return filepath.Join(h.dir, name) }
