package web_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab"
	"github.com/fieldmark/fieldmark/web/learn"
	"github.com/fieldmark/fieldmark/web/read"
	"github.com/fieldmark/fieldmark/web/run"
	"github.com/fieldmark/fieldmark/web/survey"
	"github.com/fieldmark/fieldmark/web/write"
)

// wings are the pages of each program for the browser.
func wings() map[string]page.Set {
	return map[string]page.Set{
		web.ReadProgram: read.Pages(), web.WriteProgram: write.Pages(), web.LabProgram: lab.Pages(), web.SurveyProgram: survey.Pages(), web.LearnProgram: learn.Pages(), web.RunProgram: run.Pages(),
	}
}

// Each page has a profile, and each profile a page: the folder, the kind and the list of the wing agree.
func TestEachPageHasItsProfile(t *testing.T) {
	has := map[string][]string{}
	for _, p := range web.Profiles() {
		has[p.Program] = append(has[p.Program], p.Kind)
	}
	for wing, pages := range wings() {
		delete(pages, errorpage.Kind)
		want := slices.Sorted(maps.Keys(pages))
		slices.Sort(has[wing])
		if !slices.Equal(has[wing], want) {
			t.Errorf("%s: profiles of %v, pages of %v", wing, has[wing], want)
		}
		delete(has, wing)
	}
	if len(has) > 0 {
		t.Errorf("profiles in folders that are no wing: %v", has)
	}
}

func TestProfilesSayWhatThePagesAre(t *testing.T) {
	addresses, known := map[string]bool{}, map[feature.ID]bool{}
	for _, f := range feature.All() {
		known[f.ID] = true
	}
	for _, p := range web.Profiles() {
		text, err := os.ReadFile(filepath.Join(p.Program, p.Kind, "page.json"))
		if err != nil {
			t.Fatal(err)
		}
		strict := json.NewDecoder(bytes.NewReader(text))
		strict.DisallowUnknownFields()
		if err := strict.Decode(new(web.Profile)); err != nil {
			t.Errorf("%s: %v", p.Kind, err)
		}
		if p.Title == "" || !strings.HasPrefix(p.Address, "/") {
			t.Errorf("%s: no title, or no address", p.Kind)
		}
		if p.Tool() != "" && (addresses[p.Address] || p.Called == "" || strings.ReplaceAll(p.Tool(), "-", "") != p.Kind) {
			t.Errorf("%s: a tool has an address of its own, which is its folder (without hyphens, as packages are named), and a name within sentences", p.Kind)
		}
		addresses[p.Address] = true
		if p.Menu != web.NoMenu && (p.Brief == "" || p.Hint == "" || p.Place == 0) {
			t.Errorf("%s: a menu says what each page is for", p.Kind)
		}
		for _, n := range p.Needs {
			if !known[n.Feature] {
				t.Errorf("%s needs %q, which is no feature", p.Kind, n.Feature)
			}
		}
	}
}

// What a server lacks stands once on a page: in the head of its frame, or where the page itself puts it.
func TestWhatTheServerLacksIsSaidOnce(t *testing.T) {
	const frame = `"shell":{"cluster":{"slug":"practice","name":"practice"},"lacks":[{"id":"x","name":"X","what":"a feature of its own"}]}`
	for wing, pages := range wings() {
		for kind, reads := range pages {
			p, err := reads([]byte(`{"kind":"` + kind + `",` + frame + `}`))
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			var b strings.Builder
			if err := page.Main(p).Render(t.Context(), &b); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if n := strings.Count(b.String(), "This server doesn’t offer a feature of its own."); n != 1 {
				t.Errorf("%s of %s says it %d times", kind, wing, n)
			}
		}
	}
}
