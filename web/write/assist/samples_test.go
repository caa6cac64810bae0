package assist

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	pages := map[string]page.Page{}
	key := strings.Join([]string{s.String(), "Apply", s.String(), s.String()}, "|")
	for name, choice := range map[string]Choice{
		"hand over": {Do: HandOver, From: key, Fields: []string{".spec." + s.String(), s.String()}, Name: s.String(), How: s.String()}, "nothing chosen": {Do: HandOver},
		"to server side": {Do: ToServerSide, Name: s.String()}, "to client side": {Do: ToClientSide, Name: s.String()},
		"release": {Do: Release, From: key}, "clear": {Do: Clear},
	} {
		pages["in an assistant, "+name] = Model{
			Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Path: apipath.Object("", "v1", s.String(), "pods", s.String()), Type: s.PodType(), Object: s.Owned(), Choice: choice, Now: pagetest.Now,
		}
	}
	return pages
}
