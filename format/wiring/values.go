package wiring

import (
	"os"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
)

// setPort understands a port: "17", "port 17", "P17", a cage "9/1", or the name of
// an adapter in a machine, "mlx5_0" or "mlx5_0/1".
func setPort(e *verify.End, text string) error {
	lower := strings.ToLower(text)
	for _, word := range []string{"port", "p"} {
		if rest := strings.TrimSpace(strings.TrimPrefix(lower, word)); rest != lower && rest != "" && isNumber(rest) {
			lower = rest
		}
	}
	switch {
	case isNumber(lower):
		n, err := strconv.Atoi(lower)
		if err != nil || n < 1 || n > 254 {
			return os.ErrInvalid
		}
		e.Port = n
	case lower != "" && isNumber(strings.ReplaceAll(lower, "/", "")) && strings.Count(lower, "/") <= 3:
		e.Cage = lower
	case isDevice(lower) && e.GUID == 0:
		device, num, found := strings.Cut(text, "/")
		e.Name, e.Port = e.Name+" "+device, 1
		if found {
			n, err := strconv.Atoi(num)
			if err != nil || n < 1 || n > 254 {
				return os.ErrInvalid
			}
			e.Port = n
		}
	default:
		return os.ErrInvalid
	}
	return nil
}

// isDevice reports whether a text may be the name of an adapter: a word with a digit.
func isDevice(lower string) bool {
	return lower != "" && lower[0] >= 'a' && lower[0] <= 'z' &&
		strings.ContainsAny(lower, "0123456789") && !strings.ContainsAny(lower, " \t")
}

func isNumber(text string) bool {
	for _, r := range text {
		if r < '0' || r > '9' {
			return false
		}
	}
	return text != ""
}

// gigabits are rates by which people call the speeds of 4 lanes.
var gigabits = map[string]ib.LinkSpeed{
	"10": ib.SpeedSDR, "20": ib.SpeedDDR, "40": ib.SpeedQDR, "56": ib.SpeedFDR, "100": ib.SpeedEDR,
	"200": ib.SpeedHDR, "400": ib.SpeedNDR, "800": ib.SpeedXDR,
}

// parseRate understands "NDR", "4x", "4x NDR", "4xNDR", "NDR 4x", "400G".
func parseRate(text string) (width ib.LinkWidth, speed ib.LinkSpeed, err error) {
	lower := strings.ToLower(text)
	for _, unit := range []string{"gbit/s", "gbps", "gb/s", "gbit", "gb", "g"} {
		if number := strings.TrimSpace(strings.TrimSuffix(lower, unit)); number != lower && gigabits[number] != 0 {
			return ib.Width4x, gigabits[number], nil
		}
	}
	if gigabits[lower] != 0 {
		return ib.Width4x, gigabits[lower], nil
	}
	if i := strings.IndexByte(lower, 'x'); i > 0 && isNumber(lower[:i]) && i+1 < len(lower) {
		lower = lower[:i+1] + " " + lower[i+1:]
	}
	for word := range strings.FieldsSeq(lower) {
		if isNumber(strings.TrimPrefix(word, "x")) { // "x4", or a column of widths with "4"
			word = strings.TrimPrefix(word, "x") + "x"
		}
		if w, err := ib.ParseLinkWidth(word); err == nil && w.Lanes() > 0 {
			width = w
			continue
		}
		s, err := ib.ParseLinkSpeed(word)
		if err != nil || s.Rank() == 0 {
			return 0, 0, mistakef("rate %q: expected a width and a speed, as 4x NDR, or one of them", text)
		}
		speed = s
	}
	return width, speed, nil
}
