package snapshot

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// fabricProblem reads a problem of a fabric. Those that fabric.Builder finds by
// itself are left to it.
func (d *decoder) fabricProblem(b *body, value []byte) error {
	p, extra, err := d.readProblem(value)
	if err != nil {
		return err
	}
	switch p.Kind {
	case fabric.DuplicateGUID, fabric.RateMismatch, fabric.BadChassis:
		return nil
	}
	b.b.AddProblem(p)
	if len(extra) > 0 {
		if b.of.problems == nil {
			b.of.problems = map[int][]member{}
		}
		b.of.problems[b.problems] = extra
	}
	b.problems++
	return nil
}

// problem reads one of Snapshot.Problems.
func (d *decoder) problem(_ int, value []byte) error {
	p, extra, err := d.readProblem(value)
	if err != nil {
		return err
	}
	d.keepAll(problemOf{nil, len(d.s.Problems)}, extra)
	d.s.Problems = append(d.s.Problems, p)
	return nil
}

func (d *decoder) readProblem(value []byte) (p fabric.Problem, extra []member, err error) {
	var cause Cause
	err = eachMember(value, func(key, value []byte) error {
		known, err := problemMember(&p, &cause, name(key), value)
		if !known {
			return d.keepIn(&extra, key, value)
		}
		return inMember("problem", key, err)
	})
	if cause != (Cause{}) {
		p.Err = &cause
	}
	return p, extra, err
}

func problemMember(p *fabric.Problem, c *Cause, key string, value []byte) (known bool, err error) {
	switch key {
	case "message": // made of the others
	case "kind":
		var kind string
		err = putText(&kind, value)
		p.Kind = fabric.ProblemKind(kind)
	case "lid":
		err = put(&p.Target.LID, value, 1<<16-1)
	case "slid":
		err = put(&p.Target.SLID, value, 1<<16-1)
	case "path":
		var s string
		if s, err = text(value); err == nil {
			p.Target.Path, err = ib.ParseDRPath(s)
			p.Target.Directed = true
		}
	case "guid":
		err = putGUID(&p.GUID, value)
	case "port":
		if string(value) == "-1" {
			p.Port = -1
		} else {
			err = put(&p.Port, value, 255)
		}
	case "class":
		err = putHex(&p.Class, value, 8)
	case "attribute":
		err = putHex(&p.Attr, value, 16)
	case "modifier":
		err = put(&p.Modifier, value, 1<<32-1)
	default:
		return problemText(p, c, key, value)
	}
	return true, err
}

func problemText(p *fabric.Problem, c *Cause, key string, value []byte) (known bool, err error) {
	switch key {
	case "file":
		err = putText(&p.File, value)
	case "file_hex":
		err = putBytes(&p.File, value)
	case "detail":
		err = putText(&p.Detail, value)
	case "detail_hex":
		err = putBytes(&p.Detail, value)
	case "error":
		err = putText(&c.Text, value)
	case "error_hex":
		err = putBytes(&c.Text, value)
	case "status":
		var status uint16
		err = put(&status, value, 1<<16-1)
		c.Err = mad.Status(status)
	case "cause":
		var word string
		err = putText(&word, value)
		for _, known := range causes {
			if known.word == word {
				c.Err = known.err
			}
		}
	default:
		return false, nil
	}
	return true, err
}
