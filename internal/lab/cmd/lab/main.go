// Command lab runs a script on a real kernel with RDMA devices; see package
// internal/lab.
//
//	lab run [-ibscope] [-cuse URI] [-norxe] [-console] SCRIPT [FILE…]
//	lab prepare
//
// SCRIPT is a file for busybox sh, or - for standard input. FILE is PATH or
// PATH:NAME: a file or folder that appears as /lab/NAME; /lab is the script's
// working directory and first in its PATH. Programs must be static:
//
//	CGO_ENABLED=0 go build -o /tmp/mytool ./cmd/mytool
//	echo 'mytool; ibv_devinfo -v' | go run ./internal/lab/cmd/lab run - /tmp/mytool
//
// With -ibscope the program is built from this tree and copied as well, with its
// drop-in tools in /ours:
//
//	echo '/ours/ibstat' | go run ./internal/lab/cmd/lab run -ibscope -
//
// With -cuse the guest has a port of a simulated fabric as /dev/infiniband/umad0
// instead of the soft-RoCE devices:
//
//	echo 'ibnetdiscover' | go run ./internal/lab/cmd/lab run -cuse 'sim:fattree?levels=2&radix=8&hosts=16' -
//
// The script's output and exit code become those of lab; 125 means that the lab
// itself failed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/ibscope/ibscope/internal/lab"
)

const failed = 125

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(command(ctx, os.Args[1:]))
}

func command(ctx context.Context, args []string) int {
	var err error
	code := 0
	switch {
	case len(args) == 1 && args[0] == "prepare":
		err = lab.Prepare(ctx)
	case len(args) > 0 && args[0] == "run":
		code, err = run(ctx, args[1:])
	default:
		err = fmt.Errorf("usage: lab run [options] SCRIPT [FILE…] | lab prepare")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return failed
	}
	return code
}

func run(ctx context.Context, args []string) (code int, err error) {
	flags := flag.NewFlagSet("lab run", flag.ContinueOnError)
	ibscope := flags.Bool("ibscope", false, "build ibscope from this tree; its drop-in tools are in /ours")
	cuse := flags.String("cuse", "", "`URI` of a simulated fabric, behind /dev/infiniband/umad0")
	norxe := flags.Bool("norxe", false, "no soft-RoCE devices")
	showConsole := flags.Bool("console", false, "print the serial console and the kernel's messages as well")
	if err := flags.Parse(args); err != nil {
		return failed, err
	}
	if flags.NArg() < 1 {
		return failed, fmt.Errorf("lab run: no script")
	}
	dir, err := lab.Scratch("")
	if err != nil {
		return failed, err
	}
	defer os.RemoveAll(dir)
	g := &lab.Guest{NoRXE: *norxe}
	if g.Script, err = script(flags.Arg(0)); err != nil {
		return failed, err
	}
	for _, arg := range flags.Args()[1:] {
		g.Files = append(g.Files, file(arg))
	}
	if *ibscope {
		if err := g.AddIbscope(ctx, dir); err != nil {
			return failed, err
		}
	}
	if *cuse != "" {
		if err := g.AddSimulator(ctx, dir, *cuse); err != nil {
			return failed, err
		}
	}
	r, err := lab.Run(ctx, dir, g)
	if r != nil {
		os.Stdout.Write(r.Stdout)
		os.Stderr.Write(r.Stderr)
		if *showConsole {
			fmt.Fprintf(os.Stderr, "--- console\n%s--- kernel\n%s", r.Console, r.Dmesg)
		}
		code = r.Code
	}
	return code, err
}

func script(name string) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(os.Stdin)
		return string(b), err
	}
	b, err := os.ReadFile(name)
	return string(b), err
}

func file(arg string) lab.File {
	path, name, ok := strings.Cut(arg, ":")
	if !ok {
		name = filepath.Base(path)
	}
	return lab.File{Name: name, Path: path}
}
