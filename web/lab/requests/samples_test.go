package requests

import (
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	line := record.Line{
		ID: 7, At: pagetest.Now.UnixMicro(), First: 10, Took: 20, Done: true, Origin: record.Client, Method: s.String(), Verb: s.String(), Path: "/" + url.PathEscape(s.String()), Query: url.QueryEscape(s.String()) + "=" + url.QueryEscape(s.String()),
		Status: 500, MediaType: s.String(), Sent: 1, Got: 2, Coding: s.String(), Warnings: 1, Error: s.String(),
	}
	watch := record.Line{ID: 8, At: pagetest.Now.UnixMicro(), First: 10, Origin: record.Relay, Method: "GET", Verb: "watch", Path: "/api/v1/pods", Query: "watch=1", Status: 200, Events: 3}
	side := record.Side{MediaType: s.String(), Header: []record.Field{{Name: s.String(), Value: s.String()}}, Bytes: 9, Body: []byte(`{"a":"` + s.String() + `"}`), Cut: true, Redacted: true}
	detail := record.Entry{Line: line, Server: s.String(), Proto: s.String(), Warned: []string{s.String()}, Request: side, Answer: side, Cap: 100}
	withheld := detail
	withheld.Answer.Body, withheld.Answer.Withheld = nil, "Secrets are not recorded"
	withheld.Request.Body = []byte("k8s\x00" + s.String())
	m := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Recording: true, Most: 5000, At: pagetest.Now.UnixMicro(), All: 2, Passed: 2, Lines: []record.Line{watch, line}}
	m.Shell.Title, m.Shell.Tool = "Requests", web.Requests
	opened, other, gone, none, off := m, m, m, m, m
	opened.Query, opened.Detail = Query{Entry: 7, Filter: record.Filter{Text: s.String(), Verb: s.String()}}, &detail
	other.Query, other.Detail = Query{Entry: 7, Raw: true}, &withheld
	gone.Query.Entry = 9
	none.Lines, none.Query.Filter.Status = nil, record.UnderWay
	off.Recording, off.Lines = false, nil
	return map[string]page.Page{
		"in requests": m, "in requests, opened": opened, "in requests, withheld": other,
		"in requests, gone": gone, "in requests, none": none, "in requests, off": off,
	}
}

func TestTheTableIsCutIntoItsRows(t *testing.T) {
	if len(pagetest.Living(pagetest.Tree(t, page.View(samples("some-text")["in requests"])))) != 1 {
		t.Error("the table isn’t known as one that is cut into its rows")
	}
}
