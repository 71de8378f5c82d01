package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// packages are the generated ones of this module.
var packages = []string{
	"../../mad/smp", "../../mad/gs", "../../mad/pma", "../../mad/sa", "../../mad/cc", "../../mad/bm", "../../mad/dm",
	"../../mad/vendors/mlnx", "../../mad/vendors/openib",
}

// TestUpToDate checks that the generated files are those that the
// declarations give.
func TestUpToDate(t *testing.T) {
	for _, dir := range packages {
		files, err := generate(dir)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(got), string(want)); diff != "" {
				t.Errorf("%s/%s is not up to date, run go generate (-file +declarations)\n%s", dir, name, diff)
			}
		}
	}
}

// declare makes a package of one file in a directory of this module, so that
// its imports resolve.
func declare(t *testing.T, src string) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "gen") //nolint:usetesting // inside the module
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "decl.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// everyShape has a field of each shape that the generator knows, in an
// attribute that is not 64 bytes long.
const everyShape = `// Package shapes is generated from in a test.
package shapes

import "github.com/ibscope/ibscope/ib"

type kind uint8

// Shapes has fields of all shapes.
//
//mad:attr id=0x0012 size=192
//mad:alias 0,64 AllOfIt,hex
type Shapes struct {
	Bit      bool           ` + "`mad:\"0,1\" c:\"Bit,uint\"`" + `
	Crossing uint8          ` + "`mad:\"6,5\" c:\"Crossing,uint\"`" + `
	Odd      uint32         ` + "`mad:\"13,27\" c:\"Odd,hex\"`" + `
	Five     uint64         ` + "`mad:\"40,40\" c:\"Five,hex\"`" + `
	Wide     uint64         ` + "`mad:\"85,57\" c:\"Wide,hex\"`" + `
	Three    uint32         ` + "`mad:\"144,24\" c:\"Three,uint\"`" + `
	Own      kind           ` + "`mad:\"168,8\" c:\"Own,uint\"`" + `
	GID      ib.GID         ` + "`mad:\"192,128\" c:\"GID,array\"`" + `
	Text     [16]byte       ` + "`mad:\"320,128\" c:\"Text,string\"`" + `
	Pairs    [4]uint8       ` + "`mad:\"448,2*4\" c:\"Pair,uint\"`" + `
	Bools    [3]bool        ` + "`mad:\"456,1*3/8\" c:\"Bool,uint\"`" + `
	LIDs     [2]ib.LID      ` + "`mad:\"480,16*2/32\" c:\"LID,uint\"`" + `
	Counters [3]uint64      ` + "`mad:\"576,64*3\" c:\"Counter,uint\"`" + `
	Widths   [2]ib.LinkWidth ` + "`mad:\"768,8*2\" c:\"Width,width-en,extra\"`" + `
}
`

// TestShapes generates code for every shape and runs the generated tests,
// which compare it with the slow bit reader.
func TestShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package")
	}
	dir := declare(t, everyShape)
	if err := run(dir, false); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, true); err != nil {
		t.Errorf("files just written are not up to date: %v", err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "test", "./"+dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestCheckFlag checks that -check writes nothing and fails.
func TestCheckFlag(t *testing.T) {
	dir := declare(t, everyShape)
	if err := run(dir, true); err == nil || !strings.Contains(err.Error(), "go generate") {
		t.Errorf("error %v, want the advice to run go generate", err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "z*.go")); files != nil {
		t.Errorf("-check wrote %v", files)
	}
}

// TestErrors checks that each mistake is reported with file and line. In
// fields each line is one field; line 1 of them is line 6 of the file.
func TestErrors(t *testing.T) {
	const head = "package bad\n\nimport \"github.com/ibscope/ibscope/ib\"\n//mad:attr id=0x0001 size=8\n"
	field := func(typ, mad, c string) string { return typ + " `mad:\"" + mad + "\" c:\"" + c + "\"`\n" }
	tests := []struct{ name, src, want string }{
		{"overlap", "A " + field("uint8", "0,8", "A,uint") + "B " + field("uint8", "7,8", "B,uint"), "decl.go:7: T.B: bit 7 is part of A too"},
		{"array overlap", "A " + field("[2]uint8", "0,8*2/16", "A,uint") + "B " + field("uint8", "16,8", "B,uint"), "decl.go:7: T.B: bit 16 is part of A too"},
		{"outside", "A " + field("uint16", "56,16", "A,uint"), "decl.go:6: T.A: ends at bit 72, but the attribute has 64"},
		{"type too small", "A " + field("uint8", "0,9", "A,uint"), "decl.go:6: T.A: uint8 is too small for 9 bits"},
		{"ib type too small", "A " + field("ib.NodeType", "0,16", "A,uint"), "decl.go:6: T.A: ib.NodeType is too small for 16 bits"},
		{"bool", "A " + field("bool", "0,2", "A,uint"), "decl.go:6: T.A: a bool has 1 bit, not 2"},
		{"bad place", "A " + field("uint8", "0-8", "A,uint"), "decl.go:6: A: cannot read mad:\"0-8\""},
		{"no width", "A " + field("uint8", "0,0", "A,uint"), "decl.go:6: A: nothing to read"},
		{"huge", "A " + field("uint8", "99999999999,8", "A,uint"), "decl.go:6: A: number too large"},
		{"bad stride", "A " + field("[2]uint8", "0,8*2/4", "A,uint"), "decl.go:6: A: elements overlap"},
		{"no c tag", "A uint8 `mad:\"0,8\"`\n", "decl.go:6: A: cannot read c:\"\""},
		{"bad format", "A " + field("uint8", "0,8", "A,decimal"), "decl.go:6: A: unknown format \"decimal\""},
		{"bad flag", "A " + field("uint8", "0,8", "A,uint,maybe"), "decl.go:6: A: unknown flag \"maybe\""},
		{"no tags", "A uint8\n", "decl.go:6: T: a field needs one name and its tags"},
		{"signed", "A " + field("int", "0,8", "A,uint"), "decl.go:6: T.A: type int is no unsigned integer"},
		{"foreign", "A " + field("time.Time", "0,8", "A,uint"), "decl.go:6: T.A: package \"\" is not of module"},
		{"pointer", "A " + field("*uint8", "0,8", "A,uint"), "decl.go:6: T.A: a field cannot have this type"},
		{"elements", "A " + field("[3]uint8", "0,8*2", "A,uint"), "decl.go:6: T.A: the type has 3 elements, the tag 2"},
		{"no elements", "A " + field("[3]uint8", "0,8", "A,uint"), "decl.go:6: T.A: the type has 3 elements, the tag 0"},
		{"blob", "A " + field("[4]byte", "0,8*4", "A,array"), "decl.go:6: T.A: [4]byte is copied as a whole"},
		{"blob width", "A " + field("[4]byte", "0,24", "A,array"), "decl.go:6: T.A: [4]byte needs a width of 32 bits"},
		{"nine bytes", "A " + field("uint64", "4,64", "A,hex"), "decl.go:6: T.A: 64 bits at bit 4 touch more than 8 bytes"},
		{"duplicate name", "A " + field("uint64", "1,63", "A,hex") + "B " + field("uint8", "0,1", "A,uint"), "decl.go:7: T.B: the name stands twice"},
		{"empty", "", "decl.go:5: T has no fields"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := declare(t, head+"type T struct {\n"+tt.src+"}\n")
			_, err := generate(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestDirectiveErrors(t *testing.T) {
	const body = "type T struct { A uint8 `mad:\"0,8\" c:\"A,uint\"` }\n"
	tests := []struct{ directive, want string }{
		{"//mad:attr id=17", "decl.go:3: T: cannot read \"id=17\""},
		{"//mad:attr size=64", "decl.go:3: T: mad:attr needs id="},
		{"//mad:attr id=0x0011 size=0", "decl.go:3: T: cannot read \"size=0\""},
		{"//mad:dump custom", "decl.go:4: T: mad:attr is missing"},
		{"//mad:atr id=0x0011", "decl.go:3: T: cannot read \"//mad:atr id=0x0011\""},
		{"//mad:attr id=0x0011\n//mad:alias 504,16 B,hex", "decl.go:4: T.B: ends at bit 520"},
	}
	for _, tt := range tests {
		_, err := generate(declare(t, "package bad\n\n"+tt.directive+"\n"+body))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.directive, err, tt.want)
		}
	}
	two := "package bad\n\n//mad:attr id=0x0011\n" + body + "//mad:attr id=0x0011\n" + strings.Replace(body, "T", "U", 1)
	if _, err := generate(declare(t, two)); err == nil || !strings.Contains(err.Error(), "T and U have the same id 0x0011") {
		t.Errorf("error %v, want the two names", err)
	}
}

func TestJSONName(t *testing.T) {
	tests := map[string]string{
		"LID": "lid", "MKey": "m_key", "GIDPrefix": "gid_prefix", "LIDsPerPort": "lids_per_port",
		"VLs": "vls", "SMSL": "sm_sl", "SMLID": "sm_lid", "State": "state", "HOQLife": "hoq_life", "GUIDs": "guids",
		"VL15Dropped": "vl15_dropped", "QP1Dropped": "qp1_dropped", "A": "a", "MasterSMLIDs": "master_sm_lids",
		"EDRFECModeEnabled": "edr_fec_mode_enabled", "OptimizedSLtoVL": "optimized_sl_to_vl", "QoSClass": "qos_class",
	}
	for name, want := range tests {
		if got := jsonName(name); got != want {
			t.Errorf("jsonName(%s) = %s, want %s", name, got, want)
		}
	}
}
