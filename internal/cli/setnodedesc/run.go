package setnodedesc

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
)

// Run runs the command and gives its exit code.
func Run(_ context.Context, e *env.Env) int { return diags.Code(e, run(e)) }

// exitFailed is the exit code when something could not be read or set.
const exitFailed = 1

// document is what was found, or done.
type document struct {
	DryRun  bool     `json:"dry_run,omitempty"`
	Devices []device `json:"devices"`
}

type device struct {
	Device      string `json:"device"`
	Description string `json:"description"` // as it is, or as it was
	Set         string `json:"set,omitempty"`
	Error       string `json:"error,omitempty"`
}

// job is one run of the tool.
type job struct {
	*diags.Common
	env          *env.Env
	root         string // directory of the devices
	view, dryRun bool
	name         string
}

func run(e *env.Env) error {
	j := &job{env: e, root: path.Join(cmp.Or(e.Sys, "/sys"), "class/infiniband")}
	c, operands, err := Tool.ParseScript(e, usage, func(letter byte, _ string) {
		if letter == 'v' {
			j.view = true
		} else {
			j.dryRun = true
		}
	})
	if err != nil {
		return err
	}
	j.Common = c
	if !c.JSON {
		fmt.Fprint(e.Stdout, "\n*** WARNING ***: this command is deprecated.\n\n")
	}
	if len(operands) > 0 {
		j.name = operands[0]
	}
	if !j.view {
		if err := j.choose(); err != nil {
			e.Complain("%v", err)
			return &diags.Exit{Code: diags.ExitUsage}
		}
	}
	return j.all()
}

// choose finds the name to set.
func (j *job) choose() error {
	if j.name = cmp.Or(j.name, j.env.Getenv("HOSTNAME")); j.name == "" {
		host, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("the host name: %w; give a name", err)
		}
		j.name = host
	}
	if len(j.name) > mad.DataSize {
		return fmt.Errorf("the name has %d bytes; a description has at most %d", len(j.name), mad.DataSize)
	}
	if strings.ContainsFunc(j.name, unicode.IsControl) {
		return fmt.Errorf("the name %q has control characters", j.name)
	}
	return nil
}

// all goes through the devices. A host without any is no mistake.
func (j *job) all() error {
	entries, err := os.ReadDir(j.root)
	if err != nil && !os.IsNotExist(err) {
		j.Problem(err)
		j.env.Complain("%v", err)
	}
	d := document{DryRun: j.dryRun, Devices: []device{}}
	failed := j.HasProblems()
	for _, entry := range entries {
		one, err := j.one(entry.Name())
		if err != nil {
			j.Problem(err)
			j.env.Complain("Failed to set node_desc for : %s: %v", entry.Name(), err)
			one.Error, failed = err.Error(), true
		}
		d.Devices = append(d.Devices, one)
	}
	if j.JSON {
		if err := j.PrintDocument(d); err != nil {
			return err
		}
	}
	if failed {
		return &diags.Exit{Code: exitFailed}
	}
	return nil
}

// one views or sets the description of a device.
func (j *job) one(name string) (device, error) {
	d := device{Device: name}
	file := path.Join(j.root, name, "node_desc")
	was, err := readLine(file)
	if err != nil {
		return d, err
	}
	d.Description = was
	switch {
	case j.view:
		if !j.JSON {
			fmt.Fprintf(j.env.Stdout, "%s: %s\n", escape.Text(name), escape.Text(was))
		}
		return d, nil
	case j.dryRun:
		if !j.JSON {
			fmt.Fprintf(j.env.Stdout, "%s: would be %s, is %s\n", escape.Text(name), escape.Text(j.name), escape.Text(was))
		}
		return d, nil
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return d, err
	}
	_, err = io.WriteString(f, j.name) // in one write: the kernel takes each for all of it
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		d.Set = j.name
	}
	return d, err
}

// maxFile bounds what is read of a description.
const maxFile = 4096

func readLine(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	return strings.TrimRight(string(text), "\n\x00"), err
}
