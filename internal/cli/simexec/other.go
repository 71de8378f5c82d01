//go:build !linux

package simexec

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/sim/hostfs"
)

func runOn(*env.Env, *hostfs.Host, bool, string, []string) (int, error) {
	return codeFailed, fmt.Errorf("programs run on a simulated machine on Linux only")
}

func becomeProgram(context.Context, int, []string) error {
	return env.Exitf(env.Usage, "--%s is for ibscope itself", insideFlag)
}
