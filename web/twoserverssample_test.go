package web_test

import (
	"encoding/json"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/compare"
)

// twoServers are pages that compare the responses of two clusters: as the server makes them, and alive.
func (s sample) twoServers() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.Tool = web.Compare
	frame.Clusters = append(frame.Clusters, frame.Cluster, shell.Cluster{Slug: "other", Name: s.text()})
	begin := func(query url.Values) compare.Model {
		m := compare.Parse(frame.Cluster.Slug, []string{frame.Cluster.Slug, "other"}, query)
		m.Shell, m.Versions = frame, compare.Pair{s.text(), s.text()}
		return m
	}
	written, _ := json.Marshal(s.text())
	answers := func(m compare.Model, status int, media, left, right string) compare.Model {
		calls := [2]call.Call{m.Request(0), m.Request(1)}
		for i, body := range []string{left, right} {
			x := &calls[i]
			x.State, x.Status, x.Kept, x.Bytes, x.Entry = call.Whole, status, []byte(body), int64(len(body)), s.text()
			x.Answer = []request.Header{{Name: "content-type", Value: media}, {Name: "etag", Value: s.text() + body}, {Name: "warning", Value: "299 - " + string(written)}}
		}
		m.Result = m.Settle(calls, [2]*components.Notice{})
		return m
	}
	awake := func(m compare.Model, then ...page.Msg) templ.Component {
		var p page.Page
		p, _ = m.Awake(time.Time{})
		for _, msg := range then {
			p, _ = p.Update(msg)
		}
		return page.View(p)
	}
	get := begin(url.Values{"path": {"/api/v1/pods?x=" + url.QueryEscape(s.text())}, "accept": {s.text()}, "with": {"other"}})
	all := get
	all.All = true
	text := `{"a":` + string(written) + `,"metadata":{"uid":` + string(written) + `}}`
	failed := get
	notice := s.notice()
	failed.Result = failed.Settle([2]call.Call{failed.Request(0), failed.Request(1)}, [2]*components.Notice{&notice})
	alone := begin(url.Values{})
	alone.Shell.Clusters, alone.Other = frame.Clusters[:1], frame.Cluster.Slug
	return map[string]templ.Component{
		"in two servers":              page.View(get),
		"in two servers, one":         page.View(alone),
		"in two servers, no path":     page.View(begin(url.Values{"path": {"/a//" + s.text()}})),
		"in two servers, the same":    page.View(begin(url.Values{"with": {frame.Cluster.Slug}})),
		"in two servers, no response": page.View(failed),
		"in two servers, JSON":        page.View(answers(get, 200, "application/json", text, `{"a":1,"metadata":{"uid":"2"}}`)),
		"in two servers, all":         page.View(answers(all, 200, "application/json", text, `{"a":1,"metadata":{"uid":"2"}}`)),
		"in two servers, refused":     page.View(answers(get, 403, "application/json", `{"kind":"Status","code":403,"reason":`+string(written)+`,"message":`+string(written)+`}`, text)),
		"in two servers, alive":       awake(answers(get, 200, "text/plain", s.text(), ""), page.Acted{Action: "equal-lines"}),
		"in two servers, asking":      awake(begin(url.Values{"method": {"PATCH"}, "path": {"/api/v1/nodes/a"}, "body": {"text"}}), page.Acted{Action: "send-request"}),
		"in two servers, sending":     awake(get, page.Acted{Action: "send-request"}),
	}
}
