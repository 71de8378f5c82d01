package format

import (
	"compress/gzip"
	"errors"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/anonymize"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/ibsimnet"
	"github.com/ibscope/ibscope/format/snapshot"
)

// Kind is a kind of stored fabric. The words are those of command lines.
type Kind string

// The kinds.
const (
	Snapshot Kind = "snapshot"
	Cache    Kind = "cache"         // of ibnetdiscover --cache
	Ibsim    Kind = "ibsim"         // a topology for ibsim
	Topology Kind = "ibnetdiscover" // its text, or ibdiagnet's
	Ports    Kind = "ports"         // ibnetdiscover -p
	List     Kind = "list"          // ibnetdiscover -l, ibswitches, ibhosts
	Progress Kind = "progress"      // ibnetdiscover -s
	Database Kind = "db_csv"        // ibdiagnet's
	LinkList Kind = "lst"           // OpenSM's opensm-subnet.lst, ibdiagnet's .lst
	NetDump  Kind = "net_dump"      // ibdiagnet's, and .net_dump_ext
	Links    Kind = "iblinkinfo"    // its output
	Plan     Kind = "topo"          // a plan of whole systems for ibutils
	Systems  Kind = "ibnl"          // what systems of a plan hold
	Counters Kind = "counters"      // perfquery, ibqueryerrors, ibdiagnet's .pm
	Tables   Kind = "lfts"          // dump_fts, ibroute, opensm-lfts.dump, .fdbs
	LIDs     Kind = "guid2lid"      // OpenSM's
)

// ErrNotWritable is the cause for kinds that are read only.
var ErrNotWritable = errors.New("files of this kind are read only")

// Document is a stored fabric, and how it was stored.
type Document struct {
	Kind       Kind
	Compressed bool
	Fabric     *fabric.Fabric
	Snapshot   *snapshot.Snapshot // of Kind Snapshot, nil of others; Fabric is its fabric
}

// writers write the kinds that can be written.
var writers = []struct {
	kind  Kind
	write func(io.Writer, *fabric.Fabric) error
}{
	{Snapshot, func(w io.Writer, f *fabric.Fabric) error {
		return snapshot.Write(w, &snapshot.Snapshot{Taken: f.Sweep().Started, Fabric: f})
	}},
	{Topology, func(w io.Writer, f *fabric.Fabric) error { return ibnetdiscover.Write(w, f, nil) }},
	{Ibsim, ibsimnet.Write},
	{Cache, cache.Write},
	{Ports, func(w io.Writer, f *fabric.Fabric) error { return ibnetdiscover.WritePorts(w, f, nil) }},
	{List, func(w io.Writer, f *fabric.Fabric) error { return ibnetdiscover.WriteList(w, f, nil) }},
}

// Writable lists the kinds that Document.Write knows.
func Writable() []Kind {
	list := make([]Kind, 0, len(writers))
	for _, k := range writers {
		list = append(list, k.kind)
	}
	return list
}

// Write writes a document as d.Kind, compressed if d.Compressed says so;
// snapshots always are. The error is that of w or of the format, or an *Error with
// ErrNotWritable.
func (d *Document) Write(w io.Writer) error {
	if d.Kind == Snapshot && d.Snapshot != nil {
		return snapshot.Write(w, d.Snapshot)
	}
	for _, k := range writers {
		if k.kind != d.Kind {
			continue
		}
		if !d.Compressed || d.Kind == Snapshot {
			return k.write(w, d.Fabric)
		}
		z := gzip.NewWriter(w)
		if err := k.write(z, d.Fabric); err != nil {
			return err
		}
		return z.Close()
	}
	return &Error{Op: "write", File: string(d.Kind), Err: ErrNotWritable}
}

// Anonymize gives a document of the same kind without what identifies the owner of
// the fabric; see package anonymize.
func (d *Document) Anonymize(seed []byte, o *anonymize.Options) *Document {
	out := &Document{Kind: d.Kind, Compressed: d.Compressed}
	if d.Snapshot != nil {
		out.Snapshot = anonymizeSnapshot(d.Snapshot, seed, o)
		out.Fabric = out.Snapshot.Fabric
		return out
	}
	out.Fabric = anonymize.New(seed, o, d.Fabric).Fabric(d.Fabric)
	return out
}
