package ping

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Host is what a server tells about its machine.
type Host struct {
	Name string // host.domain
	CPUs []CPU
}

// CPU is a processor.
type CPU struct{ Model, MHz string }

// maxCPUs is how many processors a host tells about.
const maxCPUs = 1024

// ThisHost reads what the machine says of itself in procfs, which is at proc. A
// machine without a domain is in "(none)", as Linux calls it. Without a list of
// processors there are none.
func ThisHost(proc string) (Host, error) {
	var h Host
	for i, name := range []string{"hostname", "domainname"} {
		word, err := readWord(path.Join(proc, "sys/kernel", name))
		switch {
		case err != nil:
			return h, err
		case i == 0:
			h.Name = word
		case word != "":
			h.Name += "." + word
		}
	}
	file, err := os.Open(path.Join(proc, "cpuinfo"))
	if err != nil {
		return h, nil //nolint:nilerr // a host is one without this list too
	}
	defer file.Close()
	h.CPUs = readCPUs(file)
	return h, nil
}

// maxWord bounds the names that procfs has.
const maxWord = 128

func readWord(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", failed(path, err)
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxWord))
	if err != nil {
		return "", failed(path, err)
	}
	return strings.TrimSpace(string(b)), nil
}

// failed leaves the name of the file to the Error.
func failed(path string, err error) error {
	if e, ok := err.(*fs.PathError); ok { //nolint:errorlint // as package os returns it
		err = e.Err
	}
	return &Error{Op: "read", Obj: path, Err: err}
}

// readCPUs finds the processors in /proc/cpuinfo, which has their model in front
// of their speed. Other architectures than x86 do not tell these; ibsysstat has
// the words of PowerPC too.
func readCPUs(r io.Reader) []CPU {
	var list []CPU
	model := ""
	lines := bufio.NewScanner(r)
	for lines.Scan() && len(list) < maxCPUs {
		key, value, _ := strings.Cut(lines.Text(), ":")
		switch strings.TrimSpace(key) {
		case "model name", "cpu":
			model = value
		case "cpu MHz", "clock":
			list = append(list, CPU{Model: model, MHz: value})
		}
	}
	return list
}

// cpuText is the answer about processors.
func (h *Host) cpuText() string {
	var b strings.Builder
	for i, c := range h.CPUs {
		fmt.Fprintf(&b, "cpu %d: model %s MHZ %s\n", i, c.Model, c.MHz)
	}
	return b.String()
}
