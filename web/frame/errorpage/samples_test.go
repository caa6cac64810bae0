package errorpage

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	outside := s.Outside()
	outside.Title = "Choose a cluster"
	return map[string]page.Page{
		"no such page":         Model{Frame: page.Frame{Kind: Kind, Shell: outside}, Notice: s.Notice()},
		"in a cluster, broken": Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Notice: s.Notice()},
	}
}
