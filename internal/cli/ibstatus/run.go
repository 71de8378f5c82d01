package ibstatus

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/rdma"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int {
	common, args, err := Tool.CutOutput(e)
	if err != nil {
		return diags.Code(e, err)
	}
	if common != nil {
		return runDocument(ctx, e, common, args)
	}
	var out bytes.Buffer
	code := 0
	switch {
	case len(args) > 0 && args[0] == "-h":
		fmt.Fprintf(&out, usage, e.Program())
		code = diags.ExitFatal
	default:
		if err := run(ctx, e, &out, args); err != nil {
			fmt.Fprintf(&out, "Fatal error:  %s\n", escape.Text(err.Error()))
			code = diags.ExitFatal
		}
	}
	if _, err := e.Stdout.Write(out.Bytes()); err != nil {
		e.Complain("%v", err)
		return diags.ExitFatal
	}
	return code
}

const usage = `Usage:  %[1]s  [-h] [devname[:portnum]]
	-h:	this help screen
	Examples:
		%[1]s mthca1		# shows status of all ports of 'mthca1'
		%[1]s mthca0:2	# shows status port number 2 of 'mthca0'
		%[1]s		# default: shows status of all 'mthca0' ports
`

// run prints the ports that the arguments name, up to the first empty one, or
// all. As in C, the first device that does not exist ends it.
func run(ctx context.Context, e *env.Env, out *bytes.Buffer, args []string) error {
	devices, _ := rdma.Host{Sys: e.Sys, Dev: e.Dev}.Devices(ctx) // what is unreadable shows as unknown
	devices = slices.DeleteFunc(devices, func(d *rdma.Device) bool { return d.SysfsPath() == "" })
	slices.SortFunc(devices, rdma.ByBytes)
	if end := slices.Index(args, ""); end >= 0 {
		args = args[:end]
	}
	if len(args) == 0 {
		if _, err := os.Stat(path.Join(cmp.Or(e.Sys, "/sys"), "class/infiniband")); err != nil {
			return &diags.Fatal{Text: "No devices"}
		}
		if len(devices) == 0 { // the shell leaves a pattern that fits nothing as it is
			return deviceStatus(out, e, devices, "*", all)
		}
		for _, d := range devices {
			if err := deviceStatus(out, e, devices, d.Name, all); err != nil {
				return err
			}
		}
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, ":")
		port := arg[strings.LastIndexByte(arg, ':')+1:]
		if port == name {
			port = all
		}
		if err := deviceStatus(out, e, devices, name, port); err != nil {
			return err
		}
	}
	return nil
}

// all stands for all ports of a device.
const all = "+"

// deviceStatus prints one port of a device or all, in the order of the bytes of
// their numbers, as the script does.
func deviceStatus(out *bytes.Buffer, e *env.Env, devices []*rdma.Device, name, port string) error {
	i := slices.IndexFunc(devices, func(d *rdma.Device) bool { return d.Name == name })
	if i < 0 || len(devices[i].Ports) == 0 {
		dir := path.Join(cmp.Or(e.Sys, "/sys"), "class/infiniband") + "/" + name + "/ports"
		return fmt.Errorf("device '%s': sys files not found (%s)", name, dir)
	}
	d := devices[i]
	switch port {
	case all:
		ports := slices.Clone(d.Ports)
		slices.SortFunc(ports, func(a, b *rdma.Port) int {
			return strings.Compare(strconv.Itoa(a.Num), strconv.Itoa(b.Num))
		})
		for _, p := range ports {
			portStatus(out, name, strconv.Itoa(p.Num), p)
		}
	case "": // "mlx5_0:" names no port
	default:
		num, err := strconv.Atoi(port)
		p, ok := d.Port(num)
		if err != nil || !ok || strconv.Itoa(num) != port {
			p = nil
		}
		portStatus(out, name, port, p)
	}
	return nil
}

// lines are what is printed of a port, and what stands for a file that does not
// read.
var lines = []struct{ label, attribute, unknown string }{
	{"default gid:\t", "gids/0", "unknown"},
	{"base lid:\t", "lid", "unknown"},
	{"sm lid:\t\t", "sm_lid", "unknown"},
	{"state:\t\t", "state", "unknown"},
	{"phys state:\t", "phys_state", "unknown"},
	{"rate:\t\t", "rate", "unknown"},
	{"link_layer:\t", "link_layer", "IB"},
}

// portStatus prints a port; nil is one that does not exist, of which nothing is
// known. Runs of blanks become one, as the shell's echo makes them.
func portStatus(out *bytes.Buffer, device, num string, p *rdma.Port) {
	fmt.Fprintf(out, "Infiniband device '%s' port %s status:\n", escape.Text(device), escape.Text(num))
	for _, l := range lines {
		text := l.unknown
		if p != nil {
			if read, err := p.Attribute(l.attribute); err == nil {
				text = read
			}
		}
		line := "\t" + l.label
		if words := strings.Fields(text); len(words) > 0 {
			line += " " + escape.Text(strings.Join(words, " "))
		}
		out.WriteString(line + "\n")
	}
	out.WriteString("\n")
}
