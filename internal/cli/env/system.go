package env

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/ibscope/ibscope/internal/cli/version"
)

// System is the world of this process.
func System() *Env {
	return &Env{
		Args: os.Args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now,
		IsTerminal:   isTerminal,
		ReadPassword: readPassword,
		Version:      version.Stamp(),
		DiagConfig:   "/etc/infiniband-diags/ibdiag.conf",
		Cache:        cache(),
	}
}

// cache is the program's place in the user's cache directory, if that is there:
// a service user has none.
func cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	if _, err := os.Stat(path.Dir(dir)); err != nil {
		return ""
	}
	return path.Join(dir, "ibscope")
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// readPassword reads from the terminal without echo, or else a line of stdin,
// as getpass(3) does.
func readPassword(prompt string) (string, error) {
	fmt.Fprint(os.Stderr, prompt)
	if isTerminal(os.Stdin) {
		secret, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(os.Stderr)
		return string(secret), err
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if line == "" && err != nil {
		return "", err
	}
	return strings.TrimRight(line, "\n"), nil
}
