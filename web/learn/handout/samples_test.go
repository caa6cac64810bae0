package handout

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	titled := s.Outside()
	titled.Title, titled.Here = "Handout", "/learn/print"
	return map[string]page.Page{"a handout": Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Path: "operators", Chapters: []Chapter{{
		Title: "Deletion", About: "Deletion in two phases.", Lessons: []Lesson{{
			ID: "deletion", Title: "Deletion has two phases",
			Takeaways: []lesson.Takeaway{{HTML: "A DELETE with finalizers only begins a deletion: <code>metadata.deletionTimestamp</code>."}, {HTML: "It differs.", Range: release.Range{Since: release.Version(36)}}},
			Pictures:  []string{`<figure class="picture"><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="card" width="5" height="5"></rect></svg><figcaption>Two phases</figcaption></figure>`},
		}},
	}}}}
}

func TestPicturesOfALessonAreFound(t *testing.T) {
	one, two := `<figure class="picture"><svg></svg></figure>`, `<figure class="picture"><svg><g></g></svg></figure>`
	l := lesson.Lesson{Intro: "<p>Why?</p>" + one + "<p>So.</p>", Steps: []lesson.Step{{Blocks: []lesson.Block{{HTML: "<p>Text</p>"}, {HTML: two}}}}}
	want := []string{one, two}
	if got := Pictures(l); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
