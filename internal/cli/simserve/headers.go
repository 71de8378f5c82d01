package simserve

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/fabric"
)

// header is what the first line of a node in a topology file says: ibsim
// attaches clients to the first node, and finds nodes by ids, which the model of
// a fabric does not have.
type header struct{ id, description string }

// nodeLine is such a line, in the files of ibsim and of ibnetdiscover alike. It is
// compiled when first needed: most commands start without it.
var nodeLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Switch|Hca|Ca|Rt)\b[^"]*"([^"]+)"[^#]*(?:#\s*"?([^"]*))?`)
})

// maxHeaders bounds what is kept of a file.
const maxHeaders = 1 << 20

// readHeaders looks for node lines. A file that cannot be read, or is of another
// kind, has none.
func readHeaders(name string) []header {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var headers []header
	lines := bufio.NewScanner(f)
	for lines.Scan() && len(headers) < maxHeaders {
		if m := nodeLine().FindStringSubmatch(lines.Text()); m != nil {
			headers = append(headers, header{id: m[1], description: strings.TrimSpace(m[2])})
		}
	}
	return headers
}

// find is the node that the line is about. A node without a description has its
// id for one.
func (h header) find(n *network) *fabric.Node {
	if node := n.find(h.id); node != nil {
		return node
	}
	if h.description == "" {
		return nil
	}
	return n.byName[h.description]
}
