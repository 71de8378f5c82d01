package snapshot

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// errKind is the cause of a value that is of another kind than expected.
func errKind(want string) error { return errors.New("expected " + want) }

// eachMember calls f for the members of an object that is valid JSON.
func eachMember(object []byte, f func(key, value []byte) error) error {
	return eachValue(object, '{', func(b []byte) (int, error) {
		n := extentOf(b)
		key := b[:n]
		rest := bytes.TrimLeft(b[n:], " \t\r\n:")
		value := rest[:extentOf(rest)]
		return len(b) - len(rest) + len(value), f(key, value)
	})
}

// eachElement calls f for the elements of an array that is valid JSON.
func eachElement(array []byte, f func(value []byte) error) error {
	return eachValue(array, '[', func(b []byte) (int, error) {
		n := extentOf(b)
		return n, f(b[:n])
	})
}

// eachValue calls f with what begins at each value; f gives the length of that.
func eachValue(b []byte, bracket byte, f func([]byte) (int, error)) error {
	if len(b) == 0 || b[0] != bracket {
		return bad("%s in place of a %c", b[:min(len(b), 20)], bracket)
	}
	for b = b[1 : len(b)-1]; ; {
		b = bytes.TrimLeft(b, " \t\r\n,")
		if len(b) == 0 {
			return nil
		}
		n, err := f(b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
}

func extentOf(b []byte) int {
	var e extent
	return e.scan(b)
}

// name is what a key says.
func name(key []byte) string {
	if len(key) >= 2 && bytes.IndexByte(key, '\\') < 0 {
		return string(key[1 : len(key)-1])
	}
	s, _ := text(key)
	return s
}

func text(value []byte) (string, error) {
	if len(value) < 2 || value[0] != '"' {
		return "", errKind("a string")
	}
	if isPlain(string(value[1 : len(value)-1])) {
		return string(value[1 : len(value)-1]), nil
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err
}

// number reads a whole number from 0 to limit.
func number(value []byte, limit uint64) (uint64, error) {
	v, err := strconv.ParseUint(string(value), 10, 64)
	if err != nil || v > limit {
		return 0, errKind("a whole number up to " + strconv.FormatUint(limit, 10))
	}
	return v, nil
}

// put reads a whole number into a field.
func put[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](field *T, value []byte, limit uint64) error {
	v, err := number(value, limit)
	if err == nil {
		*field = T(v)
	}
	return err
}

func putText(field *string, value []byte) (err error) {
	*field, err = text(value)
	return err
}

func putBytes(field *string, value []byte) error {
	b, err := appendHex(nil, value)
	*field = string(b)
	return err
}

// putHex reads a string with a number of so many bits, "0x0015".
func putHex[T ~uint8 | ~uint16 | ~uint32](field *T, value []byte, bits int) error {
	s, err := text(value)
	if err != nil {
		return err
	}
	v, err := strconv.ParseUint(s, 0, bits)
	if err != nil {
		return errKind("a string as 0x0015, of " + strconv.Itoa(bits) + " bits")
	}
	*field = T(v)
	return nil
}

func putTime(field *time.Time, value []byte) error {
	s, err := text(value)
	if err == nil {
		*field, err = time.Parse(time.RFC3339Nano, s)
	}
	return err
}

func putGUID(field *ib.GUID, value []byte) error {
	s, err := text(value)
	if err == nil {
		*field, err = ib.ParseGUID(s)
	}
	return err
}

// pair reads an array of two numbers.
func pair(value []byte, limits [2]uint64) (v [2]int, err error) {
	i := 0
	err = eachElement(value, func(element []byte) error {
		if i >= len(v) {
			return errKind("two numbers")
		}
		i++
		return put(&v[i-1], element, limits[i-1])
	})
	if err == nil && i < len(v) {
		err = errKind("two numbers")
	}
	return v, err
}

// appendHex reads a string of hexadecimal digits.
func appendHex(b, value []byte) ([]byte, error) {
	if len(value) < 2 || value[0] != '"' {
		return nil, errKind("a string")
	}
	return hex.AppendDecode(b, value[1:len(value)-1])
}

// attribute reads an attribute in wire form; what is missing at its end is 0.
func attribute(value []byte) (*[mad.DataSize]byte, error) {
	if len(value) > 2*mad.DataSize+2 {
		return nil, errKind("at most 64 bytes")
	}
	data := new([mad.DataSize]byte)
	_, err := appendHex(data[:0], value)
	return data, err
}
