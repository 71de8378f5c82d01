package dashboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fake is a Prometheus that knows answers by queries, as JSON of their results.
func fake(t *testing.T, answers map[string]string) *Prometheus {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, ok := answers[r.FormValue("query")]
		if !ok {
			fmt.Fprintf(w, `{"status":"error","error":"parse error: %s"}`, strings.ReplaceAll(r.FormValue("query"), `"`, `'`))
			return
		}
		fmt.Fprintf(w, `{"status":"success","data":{"result":[%s]}}`, got)
	}))
	t.Cleanup(s.Close)
	return &Prometheus{URL: s.URL}
}

// hour is the end of the time shown in tests: an hour after the epoch.
var hour = time.Unix(3600, 0).UTC()

const linesAnswer = `{"metric":{"name":"a & b"},"values":[[600,"1"],[900,"5"],[1200,"NaN"],[1500,"2"]]},{"metric":{"name":"<c>"},"values":[[600,"3"]]}`

// panels is a dashboard of one panel.
func board(panel string) string {
	return `{"title":"x / Test","templating":{"list":[{"name":"fabric","type":"query","label":"Fabric","definition":"label_values(up, fabric)"}]},
"panels":[` + panel + `]}`
}

func read(t *testing.T, text string) *Dashboard {
	t.Helper()
	d, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
