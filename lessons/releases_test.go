package lessons

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/markdown"
)

// unproved are versions that text names although nothing in its lesson changes at them, and why.
var unproved = []struct{ lesson, versions, why string }{
	{"managed-fields", "1.18", before},
	{"managed-fields", "1.21", ofKubectl},
	{"tables", "1.10 1.15", before},
	{"feature-detection", "1.30 1.27", before},
	{"feature-detection", "1.22 1.16", before},
	{"paths", "1.16 1.20", before},
	{"clearing-managed-fields", "1.19", before},
	{"dry-run", "1.13 1.19 1.22", before},
	{"chunks", "1.29", before},
	{"compression", "1.16", before},
	{"subresources", "1.21", before},
	{"resource-versions", "1.19", before},
	{"conflicts", "1.16 1.22", before},
	{"client-side-apply", "1.26", ofKubectl},
	{"untracked-subresources", "1.22", before},
	{"field-validation", "1.24 1.25", before},
	{"streaming-lists", "1.27", before},
	{"upgrades", "1.37", "it is the version to which the clusters of the story move"},
	{"streaming-lists", "1.35", "it is a version of a client library"},
	{"resource-versions", "1.31", "the oldest version that is tried has it, so no server without it can be tried"},
	{"glossary", "1.31 1.35", "the lesson that the entry names has the ranges"},
}

// The reasons of several.
const (
	before    = "the change was before 1.31, the oldest version that is tried"
	ofKubectl = "it is a version of kubectl, and the server doesn't know which one the reader has"
)

var named = regexp.MustCompile(`\b1\.[0-9]{2}\b`)

// Text that names a version stands in a part with a range, or in a lesson in which something changes at this version. So the statement is
// proved where the version is tried.
func TestTextNamesOnlyVersionsAtWhichSomethingChanges(t *testing.T) {
	guide, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	judge := func(id, text string, changes []release.Version) {
		for _, name := range named.FindAllString(text, -1) {
			v := release.Of(name)
			if slices.Contains(changes, v) || slices.Contains(changes, v+1) {
				continue
			}
			i := slices.IndexFunc(unproved, func(u struct{ lesson, versions, why string }) bool {
				return u.lesson == id && slices.Contains(strings.Fields(u.versions), name)
			})
			if i < 0 {
				t.Errorf("%s names %s, and nothing in it changes there: write a range (lessons/README.md, Versions), or give a reason in lessons/releases_test.go\n\t%s", id, name, text)
				continue
			}
			used[id+" "+name] = true
		}
	}
	for _, l := range guide.Lessons {
		changes := markdown.Changes(l)
		for _, text := range texted(l) {
			judge(l.ID, text, changes)
		}
	}
	for _, term := range guide.Terms {
		judge("glossary", term.HTML, nil)
	}
	for _, u := range unproved {
		for _, name := range strings.Fields(u.versions) {
			if !used[u.lesson+" "+name] {
				t.Errorf("%s doesn't name %s any more: remove the exception", u.lesson, name)
			}
		}
	}
}

// texted are the texts of a lesson without a range.
func texted(l lesson.Lesson) []string {
	all := []string{l.Intro}
	add := func(r release.Range, texts ...string) {
		if r.IsZero() {
			all = append(all, texts...)
		}
	}
	for _, k := range l.Takeaways {
		add(k.Range, k.HTML)
	}
	for _, step := range l.Steps {
		for _, b := range step.Blocks {
			if !b.Range.IsZero() {
				continue
			}
			all = append(all, b.HTML)
			switch {
			case b.Predict != nil:
				all = append(all, b.Predict.Question)
				for _, c := range b.Predict.Choices {
					add(c.Range, c.Text, c.Because)
				}
			case b.Check != nil:
				for _, s := range b.Check.Statements {
					add(s.Range, s.Why)
				}
			case b.Notes != nil:
				for _, n := range b.Notes.Notes {
					add(n.Range, n.Text)
				}
			case b.Request != nil:
				all = append(all, b.Request.NoKubectl)
			}
		}
	}
	return all
}

// On each version, a lesson that can be done has requests to send, and each lesson has takeaways.
func TestTheGuideIsWholeOnEachVersion(t *testing.T) {
	guide, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for v := range lesson.Tried.All() {
		for _, l := range guide.Lessons {
			on, sent := l.On(v), 0
			for _, step := range on.Steps {
				for _, b := range step.Blocks {
					if b.Request != nil {
						sent++
					}
				}
			}
			if sent == 0 && len(l.Steps) > 0 && l.Steps[0].Range.IsZero() || len(on.Takeaways) < 3 || len(on.Takeaways) > 6 {
				t.Errorf("%s on Kubernetes %s: %d requests, %d takeaways", l.ID, v, sent, len(on.Takeaways))
			}
		}
	}
}

var (
	statementRow = regexp.MustCompile("(?m)^\\| (1\\.[0-9]+) \\| (.+) \\| (`.+`|-) \\| (.*)\\|$")
	provingStep  = regexp.MustCompile("`([a-z-]+)#([a-z0-9-]+)`")
)

// Each proof in docs/kubernetes-releases.md is a step that checks something that changes at the version. A statement without a proof has a reason.
func TestProofsOfVersions(t *testing.T) {
	guide, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/kubernetes-releases.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := statementRow.FindAllStringSubmatch(string(page), -1)
	if lines := strings.Count(string(page), "\n| 1."); len(rows) != lines || lines == 0 {
		t.Fatalf("%d of %d rows can be read", len(rows), lines)
	}
	for _, row := range rows {
		if row[3] == "-" && strings.TrimSpace(row[4]) == "" {
			t.Errorf("%s has neither a proof nor a reason", row[2])
		}
		for _, proof := range provingStep.FindAllStringSubmatch(row[3], -1) {
			if changes := checkedChanges(guide, proof[1], proof[2]); !slices.Contains(changes, release.Of(row[1])) {
				t.Errorf("%s checks nothing that changes at %s, but at %v: %s", proof[0], row[1], changes, row[2])
			}
		}
		for _, named := range provingStep.FindAllStringSubmatch(row[4], -1) {
			if l, _ := guide.Lesson(named[1]); !slices.ContainsFunc(l.Steps, func(s lesson.Step) bool { return s.ID == named[2] }) {
				t.Errorf("there is no step %s: %s", named[0], row[2])
			}
		}
	}
}

// checkedChanges are the versions at which something changes that a step checks.
func checkedChanges(guide Guide, id, step string) []release.Version {
	l, _ := guide.Lesson(id)
	for _, s := range l.Steps {
		if s.ID != step {
			continue
		}
		s.Blocks = slices.DeleteFunc(slices.Clone(s.Blocks), func(b lesson.Block) bool { return b.Check == nil && b.Predict == nil && b.Request == nil })
		return markdown.Changes(lesson.Lesson{Steps: []lesson.Step{s}})
	}
	return nil
}
