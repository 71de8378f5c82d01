package format

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/dbcsv"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/ibsimnet"
	"github.com/ibscope/ibscope/format/netdump"
	"github.com/ibscope/ibscope/format/subnetlst"
	"github.com/ibscope/ibscope/format/systopo"
)

func readCache(s source) (*fabric.Fabric, error) { return cache.Read(s, s.name) }

func readText(s source) (*fabric.Fabric, error) { return ibnetdiscover.Read(s, s.name) }

func readIbsim(s source) (*fabric.Fabric, error) {
	return ibsimnet.Read(s, s.name, &ibsimnet.Options{NoInclude: !s.isFile})
}

func readDatabase(s source) (*fabric.Fabric, error) {
	f, _, err := dbcsv.Read(s, s.name)
	return f, err
}

func readLinkList(s source) (*fabric.Fabric, error) { return subnetlst.Read(s, s.name) }

func readNetDump(s source) (*fabric.Fabric, error) { return netdump.Read(s, s.name) }

func readLinks(s source) (*fabric.Fabric, error) { return iblinkinfo.Read(s, s.name) }

func readPlan(s source) (*fabric.Fabric, error) {
	set := facts.NewSet()
	systems := systopo.NewSystems()
	f := set.File(s.name)
	if err := systemsBeside(s, set, systems); err != nil {
		return nil, err
	}
	if err := systopo.ReadInto(s, f, systems); err != nil {
		return nil, err
	}
	return set.Build()
}

// Bounds of the definitions beside a topology.
const (
	maxSystemFiles = 1000
	maxSystemSize  = 16 << 20
)

// systemsBeside reads the definitions in the directory of a .topo, as ibdm does.
func systemsBeside(s source, set *facts.Set, systems *systopo.Systems) error {
	if !s.isFile {
		return nil
	}
	names, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(s.name)), "*.ibnl"))
	if err != nil {
		return &Error{Op: "read", File: s.name, Err: err}
	}
	for _, name := range names[:min(len(names), maxSystemFiles)] {
		if err := readSystems(name, set, systems); err != nil {
			return err
		}
	}
	return nil
}

func readSystems(name string, set *facts.Set, systems *systopo.Systems) error {
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &Error{Op: "open", File: name, Err: plain(err)}
	}
	defer file.Close()
	return systems.Read(io.LimitReader(file, maxSystemSize), set.File(name))
}

// escapeGlob makes a path mean itself in filepath.Glob.
func escapeGlob(path string) string {
	escaped := make([]byte, 0, len(path))
	for _, b := range []byte(path) {
		if b == '*' || b == '?' || b == '[' || b == '\\' {
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, b)
	}
	return string(escaped)
}
