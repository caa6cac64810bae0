package representations

import (
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Representations
	of := func(path string) page.Page {
		return New(page.Frame{Kind: Kind, Shell: frame}, url.Values{"path": {path}, "accept": {s.String()}, "as": {s.String()}})
	}
	return map[string]page.Page{
		"in representations": of(""), "in representations of nothing": of(s.String()),
		"in representations of an object":    of("/api/v1/namespaces/default/pods/web"),
		"in representations of a collection": of("/api/v1/pods?labelSelector=" + url.QueryEscape(s.String())),
	}
}
