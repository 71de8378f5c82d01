// Package doctor is the command "ibscope doctor".
package doctor

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/hostcheck"
	"github.com/ibscope/ibscope/internal/cli/capture"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// settings are the flags of the command.
type settings struct {
	output  string
	device  string
	passive bool
	verbose bool
	timeout time.Duration
	retries int
	capture capture.Capture
}

var outputs = []string{"text", "json"}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find what stands between this host and its fabric",
		Long: `Doctor looks for everything that can keep this host from talking to its fabric:
adapter, driver, kernel modules, device files and the right to open them, the
link, the subnet manager, partitions, M_Keys. It goes from the bottom up, so the
first failure is the one to mend first. Of each thing that is not as it should be
it prints how it knows (seen) and the commands that mend it (do).

It changes nothing, and sends a few Gets to each port, to the other end of its
cable and to the subnet manager; --passive sends none and opens no device file.

docs/doctor.md lists the checks; their names do not change.`,
		Example: `  ibscope doctor
  ibscope doctor --device mlx5_0/1
  ibscope doctor -o json | jq '.findings[] | select(.severity == "failure")'
  ibscope doctor >/dev/null; [ $? -eq 1 ] && echo "this node has no fabric"`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	f := c.Flags()
	f.StringVarP(&s.output, "output", "o", "text", "print a `FORMAT`: "+strings.Join(outputs, ", "))
	f.StringVar(&s.device, "device", "", "look at `DEVICE` or DEVICE/PORT only (default all)")
	f.BoolVar(&s.passive, "passive", false, "send nothing and open no device file")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "say of everything how it is known")
	f.DurationVar(&s.timeout, "timeout", 500*time.Millisecond, "wait `TIME` for each reply")
	s.capture.Register(f)
	f.IntVar(&s.retries, "retries", 2, "repeat a request `N` times when no reply comes")
	if err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputs, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("doctor: %v", err)) // the flag is the one above
	}
	return c
}

const exitStatus = `0: nothing is in the way; there may be notes.
1: at least one failure.
2: a mistake in the command line.
3: no failure, but at least one warning.`

// options turns the flags into options. Errors are mistakes of usage.
func (s *settings) options() (*hostcheck.Options, error) {
	o := &hostcheck.Options{Passive: s.passive, Timeout: s.timeout, Retries: s.retries}
	if s.retries == 0 {
		o.Retries = -1 // 0 would be the library's default
	}
	if s.timeout <= 0 || s.retries < 0 {
		return nil, env.Exitf(env.Usage, "--timeout must be more than 0, --retries must not be negative")
	}
	name, port, hasPort := strings.Cut(s.device, "/")
	o.Device = name
	if hasPort {
		n, err := strconv.ParseUint(port, 10, 8)
		if err != nil || n == 0 {
			return nil, env.Exitf(env.Usage, "--device %s: the port is not a number, 1…255, as in mlx5_0/1", s.device)
		}
		o.Port = int(n)
	}
	return o, nil
}
