// Command madgen writes the codecs of management attributes from their
// declarations: structs whose tags say where each field stands on the wire and
// how the C tools print it.
//
//	go run ./internal/madgen -dir mad/smp
//
// It reads the package's source as text and never imports it, so it works
// also when what it generated before does not compile. It writes
//
//	zcodec.go      identifiers, Decode, Encode, UnmarshalBinary, AppendBinary
//	zmask.go       constants for the bits of masks, if there are any
//	ztable.go      field tables, AppendDump, AppendJSON, MarshalJSON
//	zattr_test.go  a fuzz target for each attribute
//
// # Declarations
//
// An attribute is a struct with a directive in its doc comment:
//
//	//mad:attr id=0x0012 size=192
//
// size is the length of the wire form in bytes, 64 if not given. The word view
// after them marks another layout of an attribute that is declared too, with
// the same identifier. A struct that is only part of attributes has
//
//	//mad:part size=12
//
// instead, and no identifier. The package says its class once, in its package
// comment, or an attribute says its own (class=ClassPerf):
//
//	//mad:class ClassPerf
//
// Each field carries two tags:
//
//	mad:"bit offset,width"                 most significant bit first
//	mad:"bit offset,width*count"           array, elements side by side
//	mad:"bit offset,width*count/stride"    array, stride bits from one to the next
//	c:"name,format"                        as libibmad prints it; see field.ParseFormat
//	c:"name,format,extra"                  a field that libibmad does not print
//	c:"name,format,secret"                 a key, which tools hide unless asked
//
// A field is bool, an unsigned integer, a type with such an underlying type
// (of the package or of one it imports from this module), an array of these,
// or an array of bytes, which is copied as it stands. The order of fields is
// the order of dumps.
//
// A field may also be an attribute or a part of this package or another one of
// this module, or an array of such, embedded or with a name. It has the mad tag
// only; with c:"extra" the dump leaves it out. Its fields become fields of the
// attribute, at their places from its start.
//
// A third tag says which bits of a mask stand for a field:
//
//	sel:"4"          bit 4 of CounterSelect
//	sa:"0-1"         bits 0 and 1 of the ComponentMask
//	sa:"3-18,20-45"  one bit for each element of an array, or for each field
//	                 of a nested attribute that is not extra
//
// Two more directives may follow the first:
//
//	//mad:alias 0,64 SLToVLMap,hex    a second view, found by name only
//	//mad:dump custom                 AppendDump is written by hand
//
// Overlapping fields, fields outside the attribute, and types too small for
// their width are errors.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("dir", ".", "directory of the package")
	check := flag.Bool("check", false, "write nothing; fail if a generated file is not up to date")
	flag.Parse()
	if err := run(*dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, "madgen:", err)
		os.Exit(1)
	}
}

func run(dir string, check bool) error {
	files, err := generate(dir)
	if err != nil {
		return err
	}
	for name, src := range files {
		path := filepath.Join(dir, name)
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		switch {
		case bytes.Equal(old, src):
		case check:
			return fmt.Errorf("%s is not up to date: run go generate", path)
		default:
			if err := os.WriteFile(path, src, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// generate gives the generated files of the package in dir by name.
func generate(dir string) (map[string][]byte, error) {
	p, err := load(dir)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	writers := map[string]func(*pkg) []byte{"zcodec.go": codecFile, "ztable.go": tableFile, "zattr_test.go": testFile}
	if p.hasMasks() {
		writers["zmask.go"] = maskFile
	}
	for name, write := range writers {
		src, err := gofmt(write(p))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = src
	}
	return files, nil
}
