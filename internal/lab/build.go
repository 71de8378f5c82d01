package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Build compiles a program of this module to a static binary for the guest.
func Build(ctx context.Context, out, pkg string) error {
	return goTool(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
}

// BuildTest compiles the tests of a package.
func BuildTest(ctx context.Context, out, pkg string) error {
	return goTool(ctx, "test", "-c", "-o", out, pkg)
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
