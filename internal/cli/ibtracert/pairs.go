package ibtracert

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/madrpc"
)

// maxPairLine bounds a line of a file of pairs.
const maxPairLine = 64 << 10

// file prints the ways between the pairs of a file, a pair a line.
func (s *settings) file(ctx context.Context, client *madrpc.Client) error {
	f, err := os.Open(s.pairs)
	if err != nil {
		s.env.Complain("%v", err)
		return &diags.Fatal{Text: "cannot open ports-file " + s.pairs, Cause: err}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxPairLine)
	pairs := 0
	for number := 1; lines.Scan(); number++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if len(words) < 2 {
			return &diags.Fatal{Text: fmt.Sprintf("ports-file, %s, at line %d contains bad data", s.pairs, number)}
		}
		pairs++
		if !s.route(ctx, client, words[0], words[1]) {
			return &diags.Fatal{Text: fmt.Sprintf("Failed to get route information at line %d", number)}
		}
	}
	if err := lines.Err(); err != nil {
		s.env.Complain("%s: %v", s.pairs, err)
		return &diags.Fatal{Text: "cannot open ports-file " + s.pairs, Cause: err}
	}
	fmt.Fprintf(s.out, "%d lid/guid pairs processed from %s\n", pairs, s.pairs)
	return nil
}
