package learn

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/lessons"
)

func TestABriefIsTwoSentences(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"One":                            "One",
		"One. Two.":                      "One. Two.",
		"One. Two. Three.":               "One. Two.",
		"Version 1.31 is out. Two? Yes.": "Version 1.31 is out. Two?",
		"Try e.g. this. Two! (Three.)":   "Try e.g. this. Two!",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, want := unmarked(`Use <code>a &lt; b</code> &amp; <a href="/x">c</a>.`), "Use a < b & c."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Each topic of the guide has a brief that fits a small card, without markup.
func TestEachTopicHasABrief(t *testing.T) {
	all, err := lessons.Load()
	if err != nil {
		t.Fatal(err)
	}
	briefs := briefsOf(all)
	if len(briefs) != len(all.Lessons)+len(all.Terms) {
		t.Errorf("%d briefs for %d lessons and %d terms", len(briefs), len(all.Lessons), len(all.Terms))
	}
	for topic, of := range briefs {
		text := of.Text
		if lesson, is := strings.CutPrefix(topic, "/learn/"); is && !strings.Contains(lesson, "#") && of.Task != topic+"/task" {
			t.Errorf("%s is practised at %q", topic, of.Task)
		}
		if len(text) < 20 || len(text) > 420 || strings.Contains(text, "</") || strings.Contains(text, "&lt;") || strings.Contains(text, "&#") {
			t.Errorf("%s has a brief of %d letters: %s", topic, len(text), text)
		}
	}
}
