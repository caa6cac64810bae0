package request

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Request
	frame.Catalog = pagetest.Text("any").Shell(apipath.Path{}).Catalog // which paths are offered depends on it
	begin := func(method, path, body string) Model {
		typed := draft.Draft{Method: method, Target: path, Accept: s.String(), ContentType: s.String(), Body: body, Header: []request.Header{{Name: s.String(), Value: s.String()}}}
		return Model{Frame: page.Frame{Kind: Kind, Shell: frame}, Draft: typed, Practice: true}
	}
	answered := func(m Model, status int, media, body string) page.Page {
		return pagetest.LiveAt(time.Time{}, m,
			page.Kept{Values: map[string]string{}},
			page.Acted{Action: "send-request"},
			page.Typed{Field: "paste", Text: "hello " + s.String()},
			page.Opened{ID: "console", Status: status, Header: []request.Header{{Name: "content-type", Value: media}, {Name: "x", Value: s.String()}}, Entry: s.String()},
			page.Arrived{ID: "console", Part: []byte(body), Bytes: int64(len(body)) + 1},
			page.Ended{ID: "console", How: page.Whole},
		)
	}
	asking := begin("DELETE", "/api/v1/nodes/a", "")
	asking.Practice = false
	collection := "/api/v1/namespaces/default/pods?limit=1&x=" + url.QueryEscape(s.String())
	written, _ := json.Marshal(s.String())
	return map[string]page.Page{
		"in the console":          begin("GET", collection, ""),
		"in the console, no path": begin("GET", "/a//b?x="+url.QueryEscape(s.String()), ""),
		"in the console, body":    begin("PATCH", "/api/v1/nodes/a", "text"),
		"in the console, asking":  answered(asking, 200, "", ""),
		"in the console, JSON":    answered(begin("GET", collection, ""), 200, "application/json", `{"a":`+string(written)+`}`),
		"in the console, table":   answered(begin("GET", collection, ""), 200, "application/json", `{"kind":"Table","columnDefinitions":[{"name":`+string(written)+`}],"rows":[{"cells":[`+string(written)+`]}]}`),
		"in the console, refused": answered(begin("POST", collection, "text"), 422, "application/json", `{"kind":"Status","code":422,"reason":`+string(written)+`,"message":`+string(written)+`}`),
		"in the console, text":    answered(begin("GET", "/metrics", ""), 200, "text/plain", s.String()),
		"in the console, bytes":   answered(begin("GET", collection, ""), 200, "application/x", s.String()),
		"in the console, events":  answered(begin("GET", collection+"&watch=1", ""), 200, "application/json", `{"type":`+string(written)+`,"object":{"kind":`+string(written)+`}}`+"\n"),
	}
}
