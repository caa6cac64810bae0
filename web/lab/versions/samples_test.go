package versions

import (
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	target := call.Target{Path: apipath.Collection("", "v1", s.String(), "pods"), Select: url.Values{"labelSelector": {s.String()}}}
	list := chunk.Answer{Version: s.String(), Continue: s.String(), Items: []chunk.Item{{Namespace: s.String(), Name: s.String(), UID: "u", Version: s.String()}}}
	notice := s.Notice()
	versioned := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Target: target, Text: s.String(), Cell: "list-exact.old"}.Fill(list)
	body := `{"metadata":{"resourceVersion":` + s.Quoted() + `,"continue":` + s.Quoted() + `},"items":[{"metadata":{"name":` + s.Quoted() + `}}]}`
	refusal := `{"kind":"Status","code":410,"message":` + s.Quoted() + `,"metadata":{"continue":` + s.Quoted() + `}}`
	return map[string]page.Page{
		"in versions":                versioned,
		"in versions, no collection": Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{}), Problem: &notice}, Text: s.String(), Cell: "get.unset"},
		"in versions, alive":         pagetest.Live(versioned),
		"in versions, answered":      pagetest.Live(versioned, s.Answer("send", "list-exact.old", 200, body)...),
		"in versions, refused":       pagetest.Live(versioned, s.Answer("send", "list-exact.old", 410, refusal)...),
	}
}
