package jetstream

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"time"
)

// StreamConfig is what a stream keeps. What is 0 has no bound.
type StreamConfig struct {
	Name        string        // [A-Za-z0-9_-]{1,128}
	Description string        //
	Subjects    []string      // of the messages that it takes
	MaxAge      time.Duration // of messages
	MaxBytes    int64         // of all messages
	PerSubject  int64         // messages that are kept of each subject
	Duplicates  time.Duration // for which an ID of a message is known; 0 = 2 minutes, or MaxAge
	Replicas    int           // 0 = 1

	discardNew  bool // refuse what is too much, instead of forgetting what is old
	denyDelete  bool // of single messages
	allowRollup bool // a message may replace all of its subject
	allowDirect bool // answers may come from any replica, to clients that want that
}

// streamConfig is that as the server has it.
type streamConfig struct {
	Name        string        `json:"name"`
	Description string        `json:"description,omitempty"`
	Subjects    []string      `json:"subjects,omitempty"`
	Retention   string        `json:"retention"`
	Consumers   int           `json:"max_consumers"`
	Messages    int64         `json:"max_msgs"`
	MaxBytes    int64         `json:"max_bytes"`
	MaxAge      time.Duration `json:"max_age"`
	PerSubject  int64         `json:"max_msgs_per_subject"`
	MaxSize     int32         `json:"max_msg_size"`
	Discard     string        `json:"discard"`
	Storage     string        `json:"storage"`
	Replicas    int           `json:"num_replicas"`
	Duplicates  time.Duration `json:"duplicate_window,omitempty"`
	DenyDelete  bool          `json:"deny_delete,omitempty"`
	AllowRollup bool          `json:"allow_rollup_hdrs,omitempty"`
	AllowDirect bool          `json:"allow_direct"`
}

const maxName = 128

// checkName refuses names that a subject cannot have. No regular expression does it: one
// with a bound on the length would take milliseconds at each start of the program.
func checkName(name string) error {
	if !isWord(name, maxName, "_-") {
		return fmt.Errorf("%w: a name has 1 to %d of A-Z, a-z, 0-9, _ and -", os.ErrInvalid, maxName)
	}
	return nil
}

// isWord reports whether a text has letters, digits and some other characters only.
func isWord(s string, longest int, others string) bool {
	return s != "" && len(s) <= longest && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(others, r)
	})
}

// encode is what is sent: -1 is what the server has for no bound.
func (s *StreamConfig) encode() *streamConfig {
	unbounded := func(n int64) int64 {
		if n == 0 {
			return -1
		}
		return n
	}
	discard := "old"
	if s.discardNew {
		discard = "new"
	}
	return &streamConfig{
		Name: s.Name, Description: s.Description, Subjects: s.Subjects,
		Retention: "limits", Storage: "file", Discard: discard, Replicas: max(s.Replicas, 1),
		Consumers: -1, Messages: -1, MaxBytes: unbounded(s.MaxBytes), PerSubject: unbounded(s.PerSubject), MaxSize: -1,
		MaxAge: s.MaxAge, Duplicates: s.Duplicates,
		DenyDelete: s.denyDelete, AllowRollup: s.allowRollup, AllowDirect: s.allowDirect,
	}
}

// decode is what a server has told.
func (s *streamConfig) decode() StreamConfig {
	return StreamConfig{
		Name: s.Name, Description: s.Description, Subjects: s.Subjects, MaxAge: s.MaxAge,
		MaxBytes: max(s.MaxBytes, 0), PerSubject: max(s.PerSubject, 0), Duplicates: s.Duplicates, Replicas: s.Replicas,
		discardNew: s.Discard == "new", denyDelete: s.DenyDelete, allowRollup: s.AllowRollup, allowDirect: s.AllowDirect,
	}
}

// StreamInfo is how a stream stands.
type StreamInfo struct {
	Config   StreamConfig
	Messages uint64
	Bytes    uint64
	First    uint64 // number of the first message
	Last     uint64
}

// streamInfo is that as the server has it.
type streamInfo struct {
	Config streamConfig `json:"config"`
	Total  int          `json:"total"` // of subjects, which come in parts
	State  struct {
		Messages uint64            `json:"messages"`
		Bytes    uint64            `json:"bytes"`
		First    uint64            `json:"first_seq"`
		Last     uint64            `json:"last_seq"`
		Subjects map[string]uint64 `json:"subjects"`
	} `json:"state"`
}

// CreateStream makes a stream. One that is there already with the same settings is as
// good; with others it is ErrStreamExists. The error is an *Error.
func (c *Client) CreateStream(ctx context.Context, s *StreamConfig) error {
	err := checkName(s.Name)
	if err == nil {
		err = c.call(ctx, "STREAM.CREATE."+s.Name, s.encode(), &streamInfo{})
	}
	return wrap("create stream", s.Name, err)
}

// UpdateStream changes the settings of a stream. What is not in StreamConfig gets its
// default. The error is an *Error.
func (c *Client) UpdateStream(ctx context.Context, s *StreamConfig) error {
	err := checkName(s.Name)
	if err == nil {
		err = c.call(ctx, "STREAM.UPDATE."+s.Name, s.encode(), &streamInfo{})
	}
	return wrap("update stream", s.Name, err)
}

// Stream tells how a stream stands. The error is an *Error, which may be
// ErrStreamNotFound.
func (c *Client) Stream(ctx context.Context, name string) (*StreamInfo, error) {
	var i streamInfo
	err := checkName(name)
	if err == nil {
		err = c.call(ctx, "STREAM.INFO."+name, nil, &i)
	}
	if err != nil {
		return nil, wrap("look at stream", name, err)
	}
	return &StreamInfo{i.Config.decode(), i.State.Messages, i.State.Bytes, i.State.First, i.State.Last}, nil
}

// maxSubjects bounds those of one answer of subjects.
const maxSubjects = 1 << 20

// subjects lists the subjects of the messages in a stream that a pattern is of.
func (c *Client) subjects(ctx context.Context, stream, pattern string) ([]string, error) {
	var list []string
	for {
		var i streamInfo
		question := map[string]any{"subjects_filter": pattern, "offset": len(list)}
		if err := c.call(ctx, "STREAM.INFO."+stream, question, &i); err != nil {
			return nil, err
		}
		for subject := range i.State.Subjects {
			list = append(list, subject)
		}
		if len(i.State.Subjects) == 0 || len(list) >= i.Total || len(list) > maxSubjects {
			return list, nil
		}
	}
}

// stored is a message in a stream, as the server has it.
type stored struct {
	Subject  string    `json:"subject"`
	Sequence uint64    `json:"seq"`
	Header   string    `json:"hdrs"` // base64
	Data     []byte    `json:"data"`
	Time     time.Time `json:"time"`
}

// last reads the last message of a subject. It asks who leads the stream, and so sees
// what was written before.
func (c *Client) last(ctx context.Context, stream, subject string) (*stored, error) {
	var answer struct {
		Message *stored `json:"message"`
	}
	if err := c.call(ctx, "STREAM.MSG.GET."+stream, map[string]string{"last_by_subj": subject}, &answer); err != nil {
		return nil, err
	}
	if answer.Message == nil {
		return nil, fmt.Errorf("%w: no message", ErrBadAnswer)
	}
	header, err := base64.StdEncoding.DecodeString(answer.Message.Header)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadAnswer, err)
	}
	answer.Message.Header = string(header)
	return answer.Message, nil
}

// purge deletes the messages of a subject.
func (c *Client) purge(ctx context.Context, stream, subject string) error {
	return c.call(ctx, "STREAM.PURGE."+stream, map[string]string{"filter": subject}, &struct{}{})
}
