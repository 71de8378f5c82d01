package scenario

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
)

// parseShare reads a share from 0 to 1, or in percent.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err == nil && !(v >= 0 && v <= 1) {
		err = strconv.ErrRange
	}
	return v, err
}

func parseUint64(s string) (uint64, error) { return strconv.ParseUint(s, 0, 64) }

// parseCount reads a number of times, 1…1,000,000.
func parseCount(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err == nil && (n == 0 || n > 1e6) {
		err = strconv.ErrRange
	}
	return int(n), err
}

// parseRate reads "1xSDR", "4x", "EDR", or "full", which is no limit.
func parseRate(s string) (fabric.LinkRate, error) {
	var r fabric.LinkRate
	if s == "full" {
		return r, nil
	}
	lanes, speed, both := strings.Cut(s, "x")
	if both && lanes != "" && lanes[0] >= '0' && lanes[0] <= '9' {
		w, err := ib.ParseLinkWidth(lanes + "x")
		if err != nil || w.Lanes() == 0 {
			return r, invalid("no such width")
		}
		if r.Width = w; speed == "" {
			return r, nil
		}
		s = speed
	}
	v, err := ib.ParseLinkSpeed(s)
	if err != nil || v.Rank() == 0 {
		return r, invalid("no such speed")
	}
	r.Speed = v
	return r, nil
}

// parseAttribute reads the name or the number of an attribute.
func parseAttribute(s string) (mad.AttrID, error) {
	if n, err := strconv.ParseUint(s, 0, 16); err == nil && n != 0 {
		return mad.AttrID(n), nil
	}
	for _, a := range attr.All() {
		if strings.EqualFold(a.Name, s) {
			return a.ID, nil
		}
	}
	return 0, invalid("no such attribute")
}

func parseLID(s string) (ib.LID, error) {
	l, err := ib.ParseLID(s)
	if err == nil && l != 0 && !l.IsUnicast() {
		err = strconv.ErrRange
	}
	return l, err
}

func parseGUID(s string) (ib.GUID, error) {
	g, err := ib.ParseGUID(s)
	if err == nil && g == 0 {
		err = strconv.ErrRange
	}
	return g, err
}
