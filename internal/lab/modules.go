package lab

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// wanted are the modules that the guest loads; what they depend on comes with
// them. rdma_rxe asks for crc32 through the crypto interface, so no dependency
// tells of crc32_generic.
var wanted = []string{
	"crc32_generic", "crc32c_generic", "ib_core", "ib_uverbs", "ib_umad", "rdma_rxe", "rdma_ucm", "ib_ipoib",
	"dummy", "veth", "fuse", "cuse", "virtio_pci", "9pnet_virtio", "9p", "netlink_diag",
}

// loadOrder gives the files of modules and of what they depend on, each after
// its dependencies.
func (k kernel) loadOrder(modules []string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(k.modules(), "*.ko"))
	if err != nil {
		return nil, err
	}
	byName := map[string]string{}
	for _, f := range files {
		byName[moduleName(f)] = f
	}
	var order []string
	var add func(name, user string) error
	add = func(name, user string) error {
		file, ok := byName[name]
		if !ok {
			return fmt.Errorf("module %s, which %s needs, was not kept from the kernel package", name, user)
		}
		if slices.Contains(order, file) {
			return nil
		}
		deps, err := dependencies(file)
		if err != nil {
			return err
		}
		for _, d := range deps {
			if err := add(d, name); err != nil {
				return err
			}
		}
		order = append(order, file)
		return nil
	}
	for _, m := range modules {
		if err := add(m, "the lab"); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// moduleName is a module's name as dependencies spell it: no dashes.
func moduleName(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".ko"), "-", "_")
}

// dependencies reads the line depends= of a module's .modinfo section.
func dependencies(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	section := f.Section(".modinfo")
	if section == nil {
		return nil, fmt.Errorf("%s: not a kernel module", file)
	}
	info, err := section.Data()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for line := range bytes.SplitSeq(info, []byte{0}) {
		if list, ok := strings.CutPrefix(string(line), "depends="); ok && list != "" {
			return strings.Split(strings.ReplaceAll(list, "-", "_"), ","), nil
		}
	}
	return nil, nil
}
