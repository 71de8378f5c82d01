package diags

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
)

func TestParseScript(t *testing.T) {
	tool := Tool{Name: "tool", Excluded: "zDLGtsKyevdV", Options: []getopt.Option{
		{Long: "help", Short: 'h'},
		{Long: "flag", Short: 'f'},
		{Long: "value", Short: 'l', Arg: "x"},
		{Long: "Ca", Short: 'C', Arg: "ca"},
		{Long: "Port", Short: 'P', Arg: "port"},
	}}
	type outcome struct {
		own      string
		operands string
		ca       string
		port     int
		json     bool
		exit     int // of the error, 0 for none
		stderr   string
	}
	for line, want := range map[string]outcome{
		"":                             {},
		"-f -l x a b":                  {own: "f l=x", operands: "a b"},
		"-flx -C mlx5_0 -P2":           {own: "f l=x", ca: "mlx5_0", port: 2},
		"a -f":                         {operands: "a -f"},
		"-f -- -f":                     {own: "f", operands: "-f"},
		"-f -":                         {own: "f", operands: "-"},
		"-l -f":                        {own: "l=-f"},
		"-l":                           {exit: 2},
		"-fh":                          {own: "f", exit: 2},
		"-x":                           {exit: 2, stderr: "Unknown option: x\n"},
		"--flag --value=x --Port 3":    {own: "f l=x", port: 3},
		"--flag=x":                     {exit: 2, stderr: "Unknown option: -\n"},
		"--fla":                        {exit: 2, stderr: "Unknown option: -\n"},
		"--help":                       {exit: 2},
		"--out json":                   {exit: 2, stderr: "Unknown option: -\n"},
		"--output":                     {exit: 2},
		"-o json a":                    {operands: "a", json: true},
		"--output=json --fabric=sim:x": {json: true},
		"-o yaml":                      {exit: 2, stderr: "tool: --output yaml: expected text or json\n"},
	} {
		var out, errOut bytes.Buffer
		e := &env.Env{Args: append([]string{"tool"}, strings.Fields(line)...), Stdout: &out, Stderr: &errOut, Getenv: func(string) string { return "" }}
		var own []string
		c, operands, err := tool.ParseScript(e, "[-f]\n", func(letter byte, value string) {
			text := string(letter)
			if value != "" {
				text += "=" + value
			}
			own = append(own, text)
		})
		got := outcome{
			own: strings.Join(own, " "), operands: strings.Join(operands, " "),
			ca: c.CA, port: c.Port, json: c.JSON, stderr: errOut.String(),
		}
		var exit *Exit
		if errors.As(err, &exit) {
			got.exit = exit.Code
		} else if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%q: -want +got\n%s", line, diff)
		}
		if usage := out.String() == "Usage: tool [-f]\n"; usage != (want.exit == 2 && !strings.Contains(want.stderr, "expected")) {
			t.Errorf("%q prints %q", line, out.String())
		}
	}
}
