package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
)

// The style and the script of the page, whose policy lets these run and no others.
var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
	//go:embed body.html
	pageBody string
)

// Write writes the page of a fabric. The topology must be of the same fabric. What
// the options of the layout say is what the page shows first. Errors are those of
// the writer.
func Write(out io.Writer, f *fabric.Fabric, t *topology.Topology, o *drawing.Options) error {
	if o == nil {
		o = &drawing.Options{}
	}
	d := gather(f, t, o)
	// Marshal writes <, > and & as \u003c, \u003e and \u0026: no text of the fabric can
	// end the element that it is in.
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	title := html.EscapeString(d.Title)
	fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>%s</style>
</head>
<body>
<h1 id="title">%s</h1>
<p id="subtitle">%s</p>
`, hash(pageStyle), hash(pageScript), title, pageStyle, title, html.EscapeString(d.Subtitle))
	w.WriteString(pageBody)
	w.WriteString(`<script id="data" type="application/json">`)
	w.Write(data)
	fmt.Fprintf(w, "</script>\n<script>%s</script>\n</body>\n</html>\n", pageScript)
	return w.Flush()
}

// hash is how a policy names a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
