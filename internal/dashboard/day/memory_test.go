package day

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// block is how much time is in a block of Prometheus' store, and in a file for promtool.
const block = 2 * time.Hour

// memory writes scrapes as OpenMetrics, with the time of each, as promtool takes them: a
// file for each block.
type memory struct {
	t     *testing.T
	dir   string
	wants map[string]bool // names of metrics; others are left out

	files []string
	until time.Time // the end of the block that is being written
	file  *os.File
	out   *bufio.Writer
	links map[string][]byte // of each port: the labels of its link as they were last
}

func newMemory(t *testing.T, wants map[string]bool) *memory {
	return &memory{t: t, dir: t.TempDir(), wants: wants, links: map[string][]byte{}}
}

// add writes one scrape, and what Prometheus and its rules would add to it.
func (m *memory) add(s scrape) {
	if !s.at.Before(m.until) {
		m.close()
		m.open(s.at)
	}
	stamp := " " + strconv.FormatInt(s.at.Unix(), 10) + "\n"
	linked := map[string]bool{}
	var ports []string
	for line := range bytes.Lines(s.text) {
		name, labels, value := parts(line)
		if name == nil {
			continue
		}
		switch string(name) {
		case "ibscope_link_info":
			port := portOf(labels)
			linked[port], m.links[port] = true, bytes.Clone(labels)
		case "ibscope_port_state":
			ports = append(ports, portOf(labels))
		}
		m.write(string(name), labels, value, stamp)
	}
	for _, port := range ports { // the recorded rule of contrib/prometheus
		if labels := m.links[port]; labels != nil {
			m.write("fabric_guid_port:ibscope_link_info:last", labels, []byte("1"), stamp)
		}
	}
	m.write("up", nil, []byte("1"), stamp)
	m.write("scrape_duration_seconds", nil, strconv.AppendFloat(nil, s.took.Seconds(), 'g', 6, 64), stamp)
}

func (m *memory) write(name string, labels, value []byte, stamp string) {
	if !m.wants[name] {
		return
	}
	m.out.WriteString(name)
	m.out.WriteString(`{job="ibscope",instance="` + target + `"`)
	if len(labels) > 0 {
		m.out.WriteByte(',')
		m.out.Write(labels)
	}
	m.out.WriteString("} ")
	m.out.Write(value)
	m.out.WriteString(stamp)
}

func (m *memory) open(at time.Time) {
	m.until = at.Truncate(block).Add(block)
	name := filepath.Join(m.dir, fmt.Sprintf("%02d.txt", len(m.files)))
	file, err := os.Create(name)
	if err != nil {
		m.t.Fatal(err)
	}
	m.files = append(m.files, name)
	m.file, m.out = file, bufio.NewWriterSize(file, 1<<20)
}

func (m *memory) close() {
	if m.file == nil {
		return
	}
	m.out.WriteString("# EOF\n")
	if err := m.out.Flush(); err != nil {
		m.t.Fatal(err)
	}
	if err := m.file.Close(); err != nil {
		m.t.Fatal(err)
	}
	m.file = nil
}

// fill makes the store of a Prometheus of all that was written, and gives its folder.
func (m *memory) fill() string {
	m.close()
	tool, store := testenv.Tool(m.t, "promtool"), m.t.TempDir()
	var group sync.WaitGroup
	turns := make(chan struct{}, 2)
	for _, file := range m.files {
		group.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			if out, err := exec.CommandContext(m.t.Context(), tool, "tsdb", "create-blocks-from", "openmetrics", file, store).CombinedOutput(); err != nil {
				m.t.Errorf("promtool: %v\n%s", err, out)
			}
		})
	}
	group.Wait()
	return store
}

// parts are the metric, the labels without their braces, and the value of a line; name
// is nil for a comment.
func parts(line []byte) (name, labels, value []byte) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) == 0 || line[0] == '#' {
		return nil, nil, nil
	}
	space := bytes.LastIndexByte(line, ' ')
	name, value = line[:space], line[space+1:]
	if open := bytes.IndexByte(name, '{'); open >= 0 {
		name, labels = name[:open], name[open+1:len(name)-1]
	}
	return name, labels, value
}

// portOf is where a port is, of labels that begin with the fabric, the GUID and the port.
func portOf(labels []byte) string {
	at := 0
	for range 3 {
		if comma := bytes.Index(labels[at:], []byte(`",`)); comma >= 0 {
			at += comma + 2
			continue
		}
		return string(labels)
	}
	return string(labels[:at-1])
}
