package compare

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Compare
	frame.Clusters = append(frame.Clusters, frame.Cluster, shell.Cluster{Slug: "other", Name: s.String()})
	begin := func(query url.Values) Model {
		m := Parse(frame.Cluster.Slug, []string{frame.Cluster.Slug, "other"}, query)
		m.Kind, m.Shell, m.Versions = Kind, frame, Pair{s.String(), s.String()}
		return m
	}
	written, _ := json.Marshal(s.String())
	answers := func(m Model, status int, media, left, right string) Model {
		calls := [2]call.Call{m.Request(0), m.Request(1)}
		for i, body := range []string{left, right} {
			x := &calls[i]
			x.State, x.Status, x.Kept, x.Bytes, x.Entry = call.Whole, status, []byte(body), int64(len(body)), s.String()
			x.Answer = []request.Header{{Name: "content-type", Value: media}, {Name: "etag", Value: s.String() + body}, {Name: "warning", Value: "299 - " + string(written)}}
		}
		m.Result = m.Settle(calls, [2]*components.Notice{})
		return m
	}
	get := begin(url.Values{"path": {"/api/v1/pods?x=" + url.QueryEscape(s.String())}, "accept": {s.String()}, "with": {"other"}})
	all := get
	all.All = true
	text := `{"a":` + string(written) + `,"metadata":{"uid":` + string(written) + `}}`
	object := func(uid, manager, data string) string {
		return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":` + string(written) + `,"namespace":"shop","uid":"` + uid + `","managedFields":[{"manager":` + manager +
			`,"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{},"f:b":{},"f:c":{}}},"time":"2026-01-02T03:04:05Z"}]},"data":` + data + `,"status":{"a":` + uid + `}}`
	}
	two := begin(url.Values{"path": {"/api/v1/namespaces/shop/configmaps/a"}, "there": {"/api/v1/namespaces/other/configmaps/a?x=" + url.QueryEscape(s.String())}, "with": {"other"}})
	failed := get
	notice := s.Notice()
	failed.Result = failed.Settle([2]call.Call{failed.Request(0), failed.Request(1)}, [2]*components.Notice{&notice})
	alone := begin(url.Values{})
	alone.Shell.Clusters, alone.Other = frame.Clusters[:1], frame.Cluster.Slug
	return map[string]page.Page{
		"in two servers":              get,
		"in two servers, one":         alone,
		"in two servers, no path":     begin(url.Values{"path": {"/a//" + s.String()}}),
		"in two servers, the same":    begin(url.Values{"with": {frame.Cluster.Slug}}),
		"in two servers, no response": failed,
		"in two servers, JSON":        answers(get, 200, "application/json", text, `{"a":1,"metadata":{"uid":"2"}}`),
		"in two servers, all":         answers(all, 200, "application/json", text, `{"a":1,"metadata":{"uid":"2"}}`),
		"in two servers, two objects": answers(two, 200, "application/json",
			object("1", string(written), `{"a":`+string(written)+`,"b":"same","c":"same"}`), object("2", `"helm"`, `{"b":"same","c":"same"}`)),
		"in two servers, refused": answers(get, 403, "application/json", `{"kind":"Status","code":403,"reason":`+string(written)+`,"message":`+string(written)+`}`, text),
		"in two servers, alive":   pagetest.LiveAt(time.Time{}, answers(get, 200, "text/plain", s.String(), ""), page.Acted{Action: "equal-lines"}),
		"in two servers, asking":  pagetest.LiveAt(time.Time{}, begin(url.Values{"method": {"PATCH"}, "path": {"/api/v1/nodes/a"}, "body": {"text"}}), page.Acted{Action: "send-request"}),
		"in two servers, sending": pagetest.LiveAt(time.Time{}, get, page.Acted{Action: "send-request"}),
	}
}
