package chunks

import (
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	target := call.Target{Path: apipath.Collection("", "v1", s.String(), "pods"), Select: url.Values{"labelSelector": {s.String()}}}
	notice := s.Notice()
	chunked := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Target: target, Text: s.String(), Limit: 5}
	body := `{"metadata":{"resourceVersion":` + s.Quoted() + `,"continue":` + s.Quoted() + `},"items":[{"metadata":{"name":` + s.Quoted() + `}}]}`
	refusal := `{"kind":"Status","code":410,"message":` + s.Quoted() + `,"metadata":{"continue":` + s.Quoted() + `}}`
	return map[string]page.Page{
		"in chunks":                chunked,
		"in chunks, no collection": Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{}), Problem: &notice}, Text: s.String()},
		"in chunks, alive":         pagetest.Live(chunked),
		"in chunks, a chunk":       pagetest.Live(chunked, s.Answer("next", "chunk-1", 200, body)...),
		"in chunks, expired":       pagetest.Live(chunked, append(s.Answer("next", "chunk-1", 200, body), s.Answer("next", "chunk-2", 410, refusal)...)...),
		"in chunks, watched": pagetest.Live(chunked, append(s.Answer("next", "chunk-1", 200, body), s.Answer("watch", "watch", 200,
			`{"type":"ADDED","object":{"metadata":{"uid":"v","name":`+s.Quoted()+`}}}`+"\n")...)...),
	}
}
