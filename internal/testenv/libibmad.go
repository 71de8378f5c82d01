package testenv

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Dump names something that libibmad prints: a dumper of mad.h, or a range of
// its fields.
type Dump struct {
	Name        string // of the section in the result
	Func        string // "mad_dump_perfcounters"
	First, Last string // "IB_SA_PR_DGID_F", both included; instead of Func
}

const libibmadSource = `
#include <stdio.h>
#include <string.h>
#include <infiniband/mad.h>

static char text[65536];

static void section(const char *name)
{
	printf("%%s|%%zu\n%%s", name, strlen(text), text);
	memset(text, 0, sizeof text);
}

int main(void)
{
	static unsigned char b[%d];

	while (fread(b, sizeof b, 1, stdin) == 1) {
%s		printf("\n");
	}
	return 0;
}
`

// Libibmad compiles a program that lets libibmad print blocks of data, each size
// bytes long, and gives what it printed: for each block the sections by name.
// It skips the test without gcc or libibmad's header.
func Libibmad(t testing.TB, size int, dumps []Dump, blocks [][]byte) []map[string]string {
	t.Helper()
	Need(t, "gcc", "libibmad-dev")
	var calls strings.Builder
	for _, d := range dumps {
		call := fmt.Sprintf("%s(text, sizeof text, b, sizeof b);", d.Func)
		if d.Func == "" {
			call = fmt.Sprintf("mad_dump_fields(text, sizeof text, b, sizeof b, %s, %s + 1);", d.First, d.Last)
		}
		fmt.Fprintf(&calls, "\t\t%s section(%q);\n", call, d.Name)
	}
	bin := CompileC(t, fmt.Sprintf(libibmadSource, size, calls.String()), "-libmad")
	run := exec.CommandContext(context.WithoutCancel(t.Context()), bin)
	run.Stdin = bytes.NewReader(bytes.Join(blocks, nil))
	out, err := run.Output() // libibmad warns on stderr about codes it does not know
	if err != nil {
		t.Fatal(err)
	}
	all := parseSections(t, out)
	if len(all) != len(blocks) {
		t.Fatalf("libibmad printed %d of %d blocks", len(all), len(blocks))
	}
	return all
}

// CompileC compiles a C program and gives its path.
func CompileC(t testing.TB, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "oracle.c"), filepath.Join(dir, "oracle")
	if err := os.WriteFile(src, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-O1", "-o", bin, src}, flags...)
	if out, err := exec.CommandContext(t.Context(), "gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return bin
}

// parseSections reads "name|length", a line end and the text; an empty line ends
// a block.
func parseSections(t testing.TB, out []byte) []map[string]string {
	t.Helper()
	var all []map[string]string
	block := map[string]string{}
	for len(out) > 0 {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		name, length, ok := strings.Cut(string(line), "|")
		if !ok {
			all, block, out = append(all, block), map[string]string{}, rest
			continue
		}
		n, err := strconv.Atoi(length)
		if err != nil || n > len(rest) {
			t.Fatalf("bad section %q", line)
		}
		block[name], out = string(rest[:n]), rest[n:]
	}
	return all
}

// DumpBlocks makes data to print: blocks of all bytes alike for each byte, which
// covers every code of every enumeration, n of random data, and one of text.
func DumpBlocks(size, n int) [][]byte {
	var all [][]byte
	for c := range 256 {
		all = append(all, bytes.Repeat([]byte{byte(c)}, size))
	}
	random := rand.NewChaCha8([32]byte{1})
	for range n {
		b := make([]byte, size)
		_, _ = random.Read(b)
		all = append(all, b)
	}
	return append(all, TextBlock(size))
}

// TextBlock is data in which every text is printable, short, and ends in NUL.
func TextBlock(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		if b[i] = 'a' + byte(i%26); i%31 == 30 {
			b[i] = 0
		}
	}
	return b
}
