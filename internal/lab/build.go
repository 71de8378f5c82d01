package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is where the programs come from, whatever the working directory.
const module = "github.com/ibscope/ibscope/"

// AddIbscope builds ibscope in dir and adds it: in the guest it and its drop-in
// tools are in /ours.
func (g *Guest) AddIbscope(ctx context.Context, dir string) error {
	return g.addProgram(ctx, dir, "ibscope", "cmd/ibscope")
}

// AddSimulator has the script begin with a port of a simulated fabric instead of
// the soft-RoCE devices, see internal/lab/cmd/cuseport. A file that the URI names
// is one of the guest.
func (g *Guest) AddSimulator(ctx context.Context, dir, uri string) error {
	g.NoRXE = true
	g.Script = "cuseport " + Quote(uri) + " || exit 125\n" + g.Script
	return g.AddCuseport(ctx, dir)
}

// AddCuseport builds internal/lab/cmd/cuseport in dir and adds it.
func (g *Guest) AddCuseport(ctx context.Context, dir string) error {
	return g.addProgram(ctx, dir, "cuseport", "internal/lab/cmd/cuseport")
}

func (g *Guest) addProgram(ctx context.Context, dir, name, pkg string) error {
	out := filepath.Join(dir, name)
	if err := Build(ctx, out, module+pkg); err != nil {
		return err
	}
	g.Files = append(g.Files, File{Name: name, Path: out})
	return nil
}

// Quote makes one word of the shell of any text.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Build compiles a package to a static program for the guest, with a version as make
// gives it one: tools run early then, as they do where they are installed.
func Build(ctx context.Context, out, pkg string) error {
	return goTool(ctx, "build", "-trimpath", "-ldflags=-s -w -X "+module+"internal/cli/version.stamp=lab", "-o", out, pkg)
}

// BuildTest compiles the tests of a package of this module, as "umad".
func BuildTest(ctx context.Context, out, pkg string) error {
	return goTool(ctx, "test", "-c", "-o", out, module+pkg)
}

func goTool(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	text, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go %v: %w\n%s", args, err, text)
	}
	return nil
}

// Scratch makes a folder for Run, below dir or the place for temporary files if
// dir is "".
func Scratch(dir string) (string, error) { return os.MkdirTemp(dir, "ibscope-lab-") }
