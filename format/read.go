package format

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"

	"github.com/ibscope/ibscope/fabric"
)

// prefixSize is how much of a stream is looked at to recognise it.
const prefixSize = 64 << 10

// MaxSize is the most that is read of a compressed stream, in bytes once
// unpacked: a small file may hide a very large one. The text of a fabric with a
// million ports has some 100 MB.
const MaxSize = 4 << 30

// Load reads a stored fabric from a file, which may be compressed by gzip.
// Errors are Errors, or those of the reader of the format; a file that cannot
// be opened gives the error of os.Open in one.
func Load(path string) (*fabric.Fabric, error) {
	d, err := LoadDocument(path)
	if err != nil {
		return nil, err
	}
	return d.Fabric, nil
}

// Read reads a stored fabric from a stream, plain or compressed by gzip. Name
// stands for it in messages. No other file is opened: include lines in an ibsim
// topology become problems.
func Read(r io.Reader, name string) (*fabric.Fabric, error) {
	d, err := ReadDocument(r, name)
	if err != nil {
		return nil, err
	}
	return d.Fabric, nil
}

// LoadDocument is Load for who wants to know what else the file holds.
func LoadDocument(path string) (*Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{Op: "open", File: path, Err: plain(err)}
	}
	defer f.Close()
	return read(f, path, true)
}

// ReadDocument is Read for who wants to know what else the stream holds.
func ReadDocument(r io.Reader, name string) (*Document, error) { return read(r, name, false) }

func read(r io.Reader, name string, isFile bool) (*Document, error) {
	s, form, err := open(r, name, isFile)
	if err != nil {
		return nil, err
	}
	if form.read == nil {
		return nil, &Error{Op: "read", File: name, Kind: form.kind, Err: ErrNoGraph}
	}
	d := &Document{Kind: form.kind, Compressed: s.compressed}
	if err := form.read(s, d); err != nil {
		return nil, err
	}
	return d, nil
}

// open unpacks a stream and recognises what it is.
func open(r io.Reader, name string, isFile bool) (source, *form, error) {
	s := source{name: name, isFile: isFile}
	b := bufio.NewReaderSize(r, prefixSize)
	magic, err := b.Peek(2)
	if err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return s, nil, &Error{Op: "unpack", File: name, Err: err}
		}
		b = bufio.NewReaderSize(&limited{z, MaxSize}, prefixSize)
		s.compressed = true
	}
	prefix, err := b.Peek(prefixSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return s, nil, &Error{Op: "read", File: name, Err: plain(err)}
	}
	if len(prefix) == 0 {
		return s, nil, &Error{Op: "recognise", File: name, Err: errEmpty}
	}
	s.Reader = b
	for i := range formats {
		if f := &formats[i]; f.is(prefix) {
			return s, f, nil
		}
	}
	return s, nil, &Error{Op: "recognise", File: name, Err: ErrUnknown}
}

// limited ends a stream that is longer than expected with ErrTooLarge.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// plain takes the file name off an error of package os, for Error has it.
func plain(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}
