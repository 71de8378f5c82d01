package measure

import (
	"os"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// Limits are the thresholds of the file of --thresholds, "" for none, and then those
// of the settings of --threshold. Errors are for the command to end with.
func Limits(e *env.Env, file string, settings []string) (*threshold.Limits, error) {
	limits := threshold.Default()
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, env.Exitf(env.Failed, "--thresholds: %w", err)
		}
		defer f.Close()
		problems, err := limits.Read(f, file)
		if err != nil {
			return nil, env.Exitf(env.Failed, "--thresholds: %s: %w", file, err)
		}
		sweep.Complain(e, problems)
	}
	for _, setting := range settings {
		if err := limits.Parse(setting); err != nil {
			return nil, &env.ExitError{Code: env.Usage, Err: err}
		}
	}
	return limits, nil
}
