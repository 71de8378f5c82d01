package jetstream

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"github.com/ibscope/ibscope/internal/service/nats"
)

// ObjectsConfig is what a store of objects keeps.
type ObjectsConfig struct {
	Name        string        // [A-Za-z0-9_-]{1,124}
	Description string        //
	TTL         time.Duration // after which an object is forgotten; 0 for never
	MaxBytes    int64         // 0 for no bound
	Replicas    int           // 0 = 1
}

// Objects are byte sequences of any length with names. Its methods may be called from any
// goroutine.
type Objects struct {
	client *Client
	name   string
	stream string
}

// ObjectInfo is what is known of an object.
type ObjectInfo struct {
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Options     *options  `json:"options,omitempty"`
	Bucket      string    `json:"bucket"`
	NUID        string    `json:"nuid"` // its parts have it in their subject
	Size        uint64    `json:"size"`
	ModTime     time.Time `json:"mtime"` // by the server's clock; zero in what is stored
	Chunks      uint32    `json:"chunks"`
	Digest      string    `json:"digest,omitempty"` // SHA-256=…, in base64 of URLs
	Deleted     bool      `json:"deleted,omitempty"`
}

type options struct {
	ChunkSize uint32 `json:"max_chunk_size,omitempty"`
}

const (
	objectsPrefix = "OBJ_"
	chunkSize     = 128 << 10
	chunksAbreast = 8 // that are under way at a time
	cleanWithin   = 5 * time.Second
)

func metaSubject(bucket, object string) string {
	return "$O." + bucket + ".M." + base64.URLEncoding.EncodeToString([]byte(object))
}
func chunkSubject(bucket, nuid string) string { return "$O." + bucket + ".C." + nuid }

// Objects finds a store of objects, or makes it. One that is there keeps its settings.
// The error is an *Error.
func (c *Client) Objects(ctx context.Context, o *ObjectsConfig) (*Objects, error) {
	stream := objectsPrefix + o.Name
	_, err := c.Stream(ctx, stream)
	if errors.Is(err, ErrStreamNotFound) {
		err = c.CreateStream(ctx, &StreamConfig{
			Name: stream, Description: o.Description, Subjects: []string{"$O." + o.Name + ".C.>", "$O." + o.Name + ".M.>"},
			MaxAge: o.TTL, MaxBytes: o.MaxBytes, Replicas: o.Replicas,
			discardNew: true, allowRollup: true, allowDirect: true,
		})
	}
	if err != nil {
		return nil, err
	}
	return &Objects{c, o.Name, stream}, nil
}

// Info tells of an object. The error is an *Error, which may be ErrObjectNotFound.
func (o *Objects) Info(ctx context.Context, name string) (*ObjectInfo, error) {
	i, err := o.info(ctx, name)
	if err == nil && i.Deleted {
		err = ErrObjectNotFound
	}
	if err != nil {
		return nil, wrap("look at object", o.name+"/"+name, err)
	}
	return i, nil
}

func (o *Objects) info(ctx context.Context, name string) (*ObjectInfo, error) {
	if name == "" {
		return nil, fmt.Errorf("%w: no name", os.ErrInvalid)
	}
	m, err := o.client.last(ctx, o.stream, metaSubject(o.name, name))
	if errors.Is(err, ErrMessageNotFound) {
		return nil, ErrObjectNotFound
	}
	if err != nil {
		return nil, err
	}
	i := &ObjectInfo{}
	if err := json.Unmarshal(m.Data, i); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadAnswer, err)
	}
	i.ModTime = m.Time
	return i, nil
}

// Put stores an object in the place of the one that had its name, which is there until
// the new one is whole. The error is an *Error, or that of the reader.
func (o *Objects) Put(ctx context.Context, name, description string, from io.Reader) (*ObjectInfo, error) {
	old, err := o.info(ctx, name)
	if err != nil && !errors.Is(err, ErrObjectNotFound) {
		return nil, wrap("put object", o.name+"/"+name, err)
	}
	i := &ObjectInfo{Name: name, Description: description, Options: &options{chunkSize}, Bucket: o.name, NUID: rand.Text()}
	if err := o.store(ctx, i, from); err != nil {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanWithin)
		defer cancel()
		_ = o.client.purge(clean, o.stream, chunkSubject(o.name, i.NUID)) // what is left has no name, and harms nobody
		return nil, wrap("put object", o.name+"/"+name, err)
	}
	if old != nil && !old.Deleted {
		err = o.client.purge(ctx, o.stream, chunkSubject(o.name, old.NUID))
		return i, wrap("clean up object", o.name+"/"+name, err)
	}
	return i, nil
}

// store sends the parts, and what the object is at the end.
func (o *Objects) store(ctx context.Context, i *ObjectInfo, from io.Reader) error {
	sum := sha256.New()
	if err := o.sendChunks(ctx, i, io.TeeReader(from, sum)); err != nil {
		return err
	}
	i.Digest = digest(sum)
	text, err := json.Marshal(i)
	if err != nil {
		return err
	}
	_, err = o.client.publish(ctx, &nats.Message{
		Subject: metaSubject(o.name, i.Name), Header: nats.Header{rollupHeader: rollupSubject}, Data: text,
	})
	return err
}

func digest(sum hash.Hash) string {
	return "SHA-256=" + base64.URLEncoding.EncodeToString(sum.Sum(nil))
}

// sendChunks sends the parts in order, several of them before the first is stored.
func (o *Objects) sendChunks(ctx context.Context, i *ObjectInfo, from io.Reader) error {
	var under []*nats.Pending
	defer func() {
		for _, p := range under {
			p.Forget()
		}
	}()
	first := func() error {
		answer, err := under[0].Wait(ctx)
		under = under[1:]
		if err != nil {
			return err
		}
		_, err = acked(answer)
		return err
	}
	chunk := make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(from, chunk)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if n > 0 {
			p, err := o.client.nats.Send(ctx, &nats.Message{Subject: chunkSubject(o.name, i.NUID), Data: chunk[:n]})
			if err != nil {
				return err
			}
			under = append(under, p)
			i.Size, i.Chunks = i.Size+uint64(n), i.Chunks+1
		}
		for len(under) > 0 && (err != nil || len(under) >= chunksAbreast) {
			if err := first(); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
