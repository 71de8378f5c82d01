package diags

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/problem"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/madrpc"
)

// documentVersion is that of the schemas of all tools; docs/json.md describes them.
const documentVersion = 1

// documentHead is what the document of every tool begins with.
type documentHead struct {
	Schema   string            `json:"schema"`
	Version  int               `json:"version"`
	Complete bool              `json:"complete"`
	Problems []problem.Problem `json:"problems"`
}

// Problem notes an error for the document: something is missing from it.
func (c *Common) Problem(err error) {
	c.problems = append(c.problems, problem.Lost(err))
}

// HasProblems reports whether there have been any.
func (c *Common) HasProblems() bool { return len(c.problems) > 0 }

// FabricProblems notes the problems of a sweep.
func (c *Common) FabricProblems(problems []fabric.Problem) {
	c.problems = append(c.problems, problem.Of(problems)...)
}

// PrintDocument prints what the tool found out as one JSON document: the head
// that all tools have, then the fields of facts, a struct, or a map for nothing.
func (c *Common) PrintDocument(facts any) error {
	text, err := marshalJoined(c.head(), facts)
	if err != nil {
		return err
	}
	_, err = c.env.Stdout.Write(text)
	return err
}

func (c *Common) head() *documentHead {
	head := &documentHead{Schema: "ibscope." + c.tool.Name, Version: documentVersion, Complete: true, Problems: c.problems}
	for i := range head.Problems {
		head.Complete = head.Complete && !head.Problems[i].Loss
	}
	if head.Problems == nil {
		head.Problems = []problem.Problem{}
	}
	return head
}

// marshalJoined makes one object of two.
func marshalJoined(head, facts any) ([]byte, error) {
	a, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	if len(b) > len("{}") {
		a = append(append(a[:len(a)-1], ','), b[1:]...)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, escape.JSON(a), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Finish ends a tool that may have found out something before err stopped it,
// nil for nothing: where a document was asked for, it is printed with what is
// known, and the error that is left tells the exit code alone.
func (c *Common) Finish(err error, facts any) error {
	if !c.JSON {
		return err
	}
	var exit *Exit
	isExit := errors.As(err, &exit)
	if err != nil && !isExit {
		c.noteFatal(err)
		exit = &Exit{ExitFatal}
	}
	if printErr := c.PrintDocument(facts); printErr != nil {
		return printErr
	}
	if exit != nil {
		return exit
	}
	return nil
}

// fatalDocument is the document of a tool that could not do its work: its
// problems alone. The last of them is err.
func (c *Common) fatalDocument(err error) {
	c.noteFatal(err)
	c.PrintDocument(struct{}{}) //nolint:errcheck // the command has failed already
}

// noteFatal notes an error, and tells of it on stderr, as the text of the tool
// does on stdout, unless it was told of when it happened.
func (c *Common) noteFatal(err error) {
	var fatal *Fatal
	var panicked *Panic
	switch {
	case errors.As(err, &fatal) && fatal.Cause != nil && fatal.Cause.Error() != fatal.Text:
		err = fmt.Errorf("%s: %w", fatal.Text, fatal.Cause)
	case errors.As(err, &panicked) && panicked.Cause != nil:
		err = fmt.Errorf("%s: %w", panicked.Text, panicked.Cause)
	}
	if n := len(c.problems); n == 0 || !sameFailure(c.problems[n-1], err) {
		c.env.Complain("%v", err)
		c.Problem(err)
	}
}

// sameFailure reports whether p tells of the request that err is about.
func sameFailure(p problem.Problem, err error) bool {
	var request *madrpc.Error
	return errors.As(err, &request) && p.Message == request.Error()
}
