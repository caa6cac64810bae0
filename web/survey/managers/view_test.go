package managers

import (
	"encoding/json"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

func model(sheet *Sheet) Model {
	return Model{Frame: page.Frame{Kind: Kind, Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5}, Sheet: sheet}
}

var update = flag.Bool("update", false, "write the files in testdata")

func TestGolden(t *testing.T) {
	small := model(SheetOf(counted(9, 12, 9)))
	open := small
	open.Query = Query{Manager: "helm", Type: "deployments.apps"}
	open.Objects = &Objects{Manager: "helm", Type: "deployments.apps", More: true, Objects: []Object{{
		Path: "/apis/apps/v1/namespaces/shop/deployments/web", Namespace: "shop", Name: "web", Fields: 12, Paths: []string{".spec.replicas"},
		How: []string{"Update"}, Last: pagetest.Now.Unix(), Others: 1,
	}}}
	golden.Check(t, *update, []specimen.Specimen{
		{Name: "none", Shown: model(nil).Content()}, {Name: "small", Shown: small.Content()}, {Name: "objects", Shown: panel(open, open.cast(nil))},
	})
}

// drawn are the bytes of the picture, and of the document, its model included.
func drawn(t testing.TB, m Model) (picture, document int) {
	t.Helper()
	html := golden.Render(t, m.Content())
	from, to := strings.Index(html, `<svg class="managers-names"`), strings.Index(html, `<div class="managers-legend"`)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return to - from, len(html) + len(data)
}

// A picture is small enough to be sent, whatever a cluster is like, and so is the document.
func TestThePictureIsSmall(t *testing.T) {
	full := counted(40, 150, 3)
	full.Cells = nil
	for m := range full.Managers {
		for typ := range full.Types {
			if full.Types[typ].Objects > 0 {
				writes(&full, m, typ, "AUS", 1000+m*typ)
			}
		}
	}
	long := counted(40, 61, 3)
	for i := range long.Managers {
		long.Managers[i].Name = strings.Repeat("<\u202e&", 32) + string(rune('a'+i))
	}
	for name, c := range map[string]struct {
		report report.Report
		most   int // bytes of the document
	}{
		"usual": {counted(23, 61, 6), 120_000}, "large": {counted(400, 150, 8), 300_000}, "long names": {long, 300_000},
		"each manager writes each type": {full, 420_000},
	} {
		picture, document := drawn(t, model(SheetOf(c.report)))
		t.Logf("%s: the picture has %d bytes, the document with its model %d", name, picture, document)
		if picture > 150_000 || document > c.most {
			t.Errorf("%s: the picture has %d bytes, the document %d", name, picture, document)
		}
	}
}

// Squares grow with the logarithm of their fields, and have their bounds.
func TestSides(t *testing.T) {
	p := picture{largest: 24}
	last := 0
	for _, fields := range []int{0, 10, 100, 1000, 10_000, 100_000} {
		side := p.side(fields)
		if side <= last || side < smallest || side > p.largest {
			t.Errorf("%d fields have the side %d after %d", fields, side, last)
		}
		last = side
	}
	if p.side(1<<40) != p.largest || p.side(-1) != smallest {
		t.Errorf("out of bounds: %d and %d", p.side(1<<40), p.side(-1))
	}
}

func BenchmarkView(b *testing.B) {
	for name, r := range map[string]*Sheet{"23x61": SheetOf(counted(23, 61, 6)), "400x150": SheetOf(counted(400, 150, 8))} {
		m := model(r)
		for what, q := range map[string]Query{"all": {}, "filtered": {Text: "s", Operation: "Apply"}} {
			m.Query = q
			b.Run(name+"/"+what, func(b *testing.B) {
				for b.Loop() {
					if err := m.Content().Render(b.Context(), io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
