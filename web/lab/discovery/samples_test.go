package discovery

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Discovery
	pages := map[string]page.Page{}
	for name, m := range explored(s, frame) {
		pages["in discovery, "+name] = m
		pages["in discovery, alive, "+name] = pagetest.Live(m)
	}
	return pages
}

func explored(s pagetest.Text, in shell.Model) map[string]Model {
	pod := s.PodType()
	notice := s.Notice()
	return map[string]Model{
		"types": {Frame: page.Frame{Kind: Kind, Shell: in}, Query: Query{Tab: Types, Filter: s.String()}},
		"none":  {Frame: page.Frame{Kind: Kind, Shell: in, Problem: &notice}, Query: Query{Tab: Types}},
		"a type": {Frame: page.Frame{Kind: Kind, Shell: in}, Query: Query{Tab: Types, Type: "pods"}, Detail: &Detail{
			Name: s.String(), Versions: []discovery.Type{pod, pod}, Hashes: map[string]string{"v1": s.String()},
			Definition: &Definition{Name: s.String(), Conversion: s.String(), Stored: []string{s.String()}, Versions: []Defined{{Name: "v1", Deprecated: true, Warning: s.String(), Storage: true}}},
			Compared:   []string{s.String(), s.String()}, Differences: []schema.Difference{{Path: s.String(), In: []string{s.String(), ""}}}, Part: true,
		}},
		"documents":  {Frame: page.Frame{Kind: Kind, Shell: in}, Query: Query{Tab: OpenAPI}, Documents: []Document{{Name: s.String(), Path: "/openapi/v3/api/v1?hash=A", Hash: s.String()}}},
		"offers":     {Frame: page.Frame{Kind: Kind, Shell: in}, Query: Query{Tab: Offered}, Offers: []components.Feature{{Name: s.String(), Offered: "yes", Means: s.String(), Why: s.String(), Asked: s.String()}}},
		"deprecated": {Frame: page.Frame{Kind: Kind, Shell: in}, Query: Query{Tab: Deprecated}},
		"raw":        {Frame: page.Frame{Kind: Kind, Shell: in}, Query: Query{Tab: Raw}},
	}
}
