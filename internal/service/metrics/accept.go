package metrics

import (
	"strconv"
	"strings"
)

// accepted is the format that an Accept header prefers (RFC 9110, 12.5.1): the text
// format unless OpenMetrics is named, and named to be as good.
func accepted(header string) Format {
	open, text := 0.0, 0.0
	for media, q := range preferences(header) {
		switch media {
		case "application/openmetrics-text":
			open = max(open, q)
		case "text/plain":
			text = max(text, q)
		}
	}
	if open > 0 && open >= text {
		return OpenMetrics
	}
	return Text
}

// acceptsGzip reads an Accept-Encoding header.
func acceptsGzip(header string) bool {
	prefer := preferences(header)
	if q, named := prefer["gzip"]; named {
		return q > 0
	}
	return prefer["*"] > 0
}

// preferences are the words of a header with their weights. A word that stands there
// several times, with different parameters, has the highest.
func preferences(header string) map[string]float64 {
	out := map[string]float64{}
	for item := range strings.SplitSeq(header, ",") {
		word, parameters, _ := strings.Cut(item, ";")
		word = strings.ToLower(strings.TrimSpace(word))
		if word != "" {
			out[word] = max(out[word], weight(parameters))
		}
	}
	return out
}

// weight is the parameter q, 1 if there is none.
func weight(parameters string) float64 {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.ToLower(strings.TrimSpace(name)) == "q" {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || q < 0 || q > 1 {
				return 0
			}
			return q
		}
	}
	return 1
}
