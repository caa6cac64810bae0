package lessons

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/markdown"
)

// Each lesson builds only on lessons that the guide shows before it, and each lesson is in exactly one chapter.
func TestTheOrderOfTheGuide(t *testing.T) {
	guide, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, c := range guide.Chapters {
		if c.Title == "" || c.About == "" || len(c.Lessons) == 0 {
			t.Errorf("the chapter %q has no title, no sentence about it, or no lessons", c.Title)
		}
		listed = append(listed, c.Lessons...)
	}
	var shown []string
	for _, l := range guide.Lessons {
		for _, before := range l.After {
			if !slices.Contains(shown, before) {
				t.Errorf("%s builds on %s, but doesn't come after it", l.ID, before)
			}
		}
		shown = append(shown, l.ID)
	}
	if !slices.Equal(listed, shown) {
		t.Errorf("the chapters list %q, and the guide shows %q", listed, shown)
	}
}

// Beginners read only the lessons of their path. So the path has every lesson that one of its lessons builds on.
func TestThePathOfBeginners(t *testing.T) {
	guide, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var path []string
	for _, l := range guide.Lessons {
		if !slices.Contains(l.Paths, "beginners") {
			continue
		}
		for _, before := range l.After {
			if !slices.Contains(path, before) {
				t.Errorf("%s builds on %s, which is not on the path", l.ID, before)
			}
		}
		path = append(path, l.ID)
	}
}

func TestTheGuideIsWhole(t *testing.T) {
	guide, problems := Read(texts(), folder)
	var missing []int
	for n := 1; n <= markdown.LastConcept; n++ {
		if !slices.ContainsFunc(guide.Lessons, func(l lesson.Lesson) bool { return slices.Contains(l.Concepts, n) }) {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no lesson teaches %d", missing)
	}
	if err := problems.Err(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsWrongWithAGuide(t *testing.T) {
	text := func(after, body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: T\nsummary: S.\nconcepts: [3]\nminutes: 5\nafter: [" + after + "]\n---\n\n## A\n\n" + body + "\n")}
	}
	_, problems := Read(fstest.MapFS{
		"chapters.yaml": {Data: []byte("- title: T\n  about: A.\n  lessons:\n    - nowhere\n    - a\n    - b\n    - a\n- title: U\n  about: B.\n  lessons: [c]\n")},
		"glossary.md":   {Data: []byte("## verb {#verb}\n\nA word.\n\nlesson: none\n")},
		"a/lesson.md":   text("b", "[x](lesson:none)"),
		"b/lesson.md":   text("b", "[x](lesson:a)"),
		"c/lesson.md":   text("b, gone", "[x](term:verb) [y](term:none)"),
		"lesson/x.go":   {},
		"C/lesson.md":   text("", "x"),
		"d/another.md":  {},
	}, folder)
	want := []string{
		`lessons/guide/C/lesson.md:1: "C" is no lesson's id: a folder's name is made of lower-case letters, digits and hyphens`,
		"lessons/guide/c/lesson.md:11: term:none is not in lessons/guide/glossary.md: correct the name, or write an entry with {#none}",
		"lessons/guide/chapters.yaml:7: a is listed twice: remove it from one of the two places",
		"lessons/guide/glossary.md:5: there is no lesson none: correct the name, or write lessons/guide/none/lesson.md",
		"lessons/guide/a/lesson.md:11: there is no lesson none: correct the name, or write lessons/guide/none/lesson.md",
		"lessons/guide/c/lesson.md:6: there is no lesson gone: correct the name, or write lessons/guide/gone/lesson.md",
		"lessons/guide/chapters.yaml:4: there is no lesson nowhere: correct the name, or write lessons/guide/nowhere/lesson.md",
		"lessons/guide/a/lesson.md:1: a builds on b, but doesn't come after b: change the order in lessons/guide/chapters.yaml",
		"lessons/guide/b/lesson.md:1: b builds on b, but doesn't come after b: change the order in lessons/guide/chapters.yaml",
		"lessons/guide/C/lesson.md:1: no chapter lists the lesson C: add it to lessons/guide/chapters.yaml",
	}
	if got := problems.Error(); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// What leads into the guide from anywhere in the product leads somewhere.
func TestTopics(t *testing.T) {
	guide, _ := Read(texts(), folder)
	for _, topic := range why.All() {
		_, taught := guide.Lesson(topic.Lesson)
		_, explained := guide.Term(topic.Term)
		if !taught && !explained {
			t.Errorf("%s is neither a lesson nor an entry of the glossary (components/why)", topic.Address())
		}
	}
}

// predictions calls f for each prediction of the guide, on each version on which the guide is tried.
func predictions(t *testing.T, f func(where string, step lesson.Step, p *lesson.Predict)) {
	t.Helper()
	guide, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for v := range lesson.Tried.All() {
		for _, l := range guide.Lessons {
			for _, step := range l.On(v).Steps {
				for _, b := range step.Blocks {
					if b.Predict != nil {
						f(l.ID+", step "+step.ID+" on Kubernetes "+v.String(), step, b.Predict)
					}
				}
			}
		}
	}
}

// aPlace are words that mean the place of a choice. They would be false, because the page shuffles the choices.
var aPlace = regexp.MustCompile(`(?i)\b(first|second|third|fourth|last|next|previous|other|upper|lower) (choice|answer|option|prediction)\b|` +
	`\b(choice|answer|option)s? (above|below|\d)\b|\b(of|all|both|none) (the )?(above|below)\b|\b(all|both|none|neither|either) of these\b`)

func TestNoChoiceNamesAPlace(t *testing.T) {
	predictions(t, func(where string, _ lesson.Step, p *lesson.Predict) {
		for _, c := range p.Choices {
			if found := aPlace.FindString(c.Text + " " + c.Because); found != "" {
				t.Errorf("%s: %q in the choice %q", where, found, c.Text)
			}
		}
	})
}

// A prediction is judged only while the checks of its response hold, so there is one. And one choice is correct, never two.
func TestEachPredictionCanBeJudged(t *testing.T) {
	predictions(t, func(where string, step lesson.Step, p *lesson.Predict) {
		checked := slices.ContainsFunc(step.Blocks, func(b lesson.Block) bool { return b.Check != nil && b.Check.Get == "" && b.Check.Of == p.Of })
		right := 0
		for _, c := range p.Choices {
			if c.Right {
				right++
			}
		}
		if p.Of == "" || !checked || right != 1 {
			t.Errorf("%s: the response to %q is checked in the same step: %v; %d choices are correct", where, p.Of, checked, right)
		}
	})
}
