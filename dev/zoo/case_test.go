package zoo

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// situation is one thing that people report.
type situation struct {
	name   string   // in one word; the place on the page
	issues []string // as owner/repository#number
	title  string
	story  string // what happens, and why

	steps   func(*scene) // lead to the situation
	object  string       // the object that it is about, as TYPE/NAME
	file    string       // the manifest that the tool is about to apply
	manager string       // as whom; empty: check finds out

	finds []string          // what check finds: the kind, and the path
	owns  map[string]string // what blame says: the owners by path

	act  func(*scene)      // what the tool does then
	says []string          // pieces of what it says
	then map[string]string // the object's values afterwards, by JSONPath; empty: it has none

	explains []string // what explain says of the refusal, if the tool is refused: the reason, the object, and the fields with their owners

	end   string       // how to end it, in words
	out   func(*scene) // the same, as commands
	ended map[string]string
}

// seen is what was seen of a situation.
type seen struct {
	situation

	prepared, acted, left []said
	check                 report
	blame                 map[string]string
	explained             explanation
}

// said is a command, or what stands for one, and what it said; or a file that was written.
type said struct {
	command, output string
	file            bool   // the command is the file's name, and the output is its text
	refusal         string // the output in full, if the tool failed
}

// words are all that the tool said.
func words(all []said) string {
	var b strings.Builder
	for _, s := range all {
		if !s.file {
			b.WriteString(s.output + "\n")
		}
	}
	return b.String()
}

// play goes through a situation, and holds what is seen to what is expected.
func play(t *testing.T, c situation) seen {
	t.Helper()
	s := enter(t)
	c.steps(s)
	v := seen{situation: c, prepared: s.heard(), check: s.check(c), blame: s.blame(c)}
	equal(t, "check finds", v.check.list(), c.finds)
	for _, path := range slices.Sorted(maps.Keys(c.owns)) {
		equal(t, "blame of "+path, v.blame[path], c.owns[path])
	}
	c.act(s)
	v.acted = s.heard()
	for _, piece := range c.says {
		if all := words(v.acted); !strings.Contains(all, piece) {
			t.Errorf("the tool doesn't say %q:\n%s", piece, all)
		}
	}
	s.has(c.object, c.then)
	if refusal := refusalIn(v.acted); refusal != "" || len(c.explains) > 0 {
		v.explained = s.explain(c, refusal)
		equal(t, "explain says", v.explained.list(), c.explains)
	}
	if c.out != nil {
		c.out(s)
		v.left = s.heard()
		s.has(c.object, c.ended)
	}
	return v
}

// refusalIn is what the tool said when it failed; empty: it didn't.
func refusalIn(all []said) string {
	for _, s := range all {
		if s.refusal != "" {
			return s.refusal
		}
	}
	return ""
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%s\n  %q\nwant\n  %q", what, got, want)
	}
}
