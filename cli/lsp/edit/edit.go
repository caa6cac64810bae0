// Package edit makes changes of files from ways out of findings. Each change is tried before it is offered.
package edit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/kube/check"
)

// Edit replaces lines of a text. Lines count from 0, and the line To isn't replaced.
type Edit struct {
	From, To int
	With     string
}

// hunk is the head of a unified diff's part.
var hunk = regexp.MustCompile(`^@@ -(\d+),\d+ \+\d+,\d+ @@$`)

// noEnd is what a unified diff has after a line that doesn't end.
const noEnd = `\ No newline at end of file`

// Patch are the edits of a unified diff with one part. ok is false if the text is no such diff, or isn't about these lines any more.
func Patch(of *text.Text, diff string) (all []Edit, ok bool) {
	if !strings.HasPrefix(diff, "--- ") {
		return nil, false
	}
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	if len(lines) < 4 {
		return nil, false
	}
	head := hunk.FindStringSubmatch(lines[2])
	if head == nil {
		return nil, false
	}
	at, err := strconv.Atoi(head[1])
	if err != nil {
		return nil, false
	}
	at--
	for i, line := range lines[3:] {
		if line == noEnd {
			continue
		}
		if line == "" {
			return nil, false
		}
		content := line[1:] + "\n"
		if next := i + 4; next < len(lines) && lines[next] == noEnd {
			content = line[1:]
		}
		switch line[0] {
		case '+':
			all = merged(all, Edit{at, at, content})
		case ' ', '-':
			if was, there := of.Whole(at); !there || was != content {
				return nil, false
			}
			if line[0] == '-' {
				all = merged(all, Edit{at, at + 1, ""})
			}
			at++
		default:
			return nil, false
		}
	}
	return all, len(all) > 0
}

// merged adds an edit. Edits that touch each other become one.
func merged(all []Edit, e Edit) []Edit {
	if n := len(all); n > 0 && all[n-1].To == e.From {
		all[n-1].To = e.To
		all[n-1].With += e.With
		return all
	}
	return append(all, e)
}

// Rule is the text of a file of rules with one rule more. The rule is a file of rules with only this rule, as a finding has it. ok is false if the file
// can't be changed so that it is right afterwards.
func Rule(file, rule string) (after string, ok bool) {
	before, err := check.ParseRules(check.RulesFile, file)
	if err != nil {
		return "", false
	}
	_, item, found := strings.Cut(rule, "\nrules:\n")
	if !found {
		return "", false
	}
	if file != "" && !strings.HasSuffix(file, "\n") {
		file += "\n"
	}
	_, whole, _ := strings.Cut(rule, "\n") // without the comment with the file's name
	for _, tried := range []string{indented(item, 0), indented(item, 2), indented(item, 4), "rules:\n" + item, whole, "---\n" + whole} {
		after, err := check.ParseRules(check.RulesFile, file+tried)
		if err == nil && len(after) == len(before)+1 && slices.EqualFunc(before, after[:len(before)], same) {
			return file + tried, true
		}
	}
	return "", false
}

// same tells whether a rule stays as it is.
func same(a, b check.Rule) bool {
	return a.Kind == b.Kind && a.Namespace == b.Namespace && a.Name == b.Name && a.Path == b.Path && a.Owner == b.Owner && a.Reason == b.Reason && a.Until == b.Until && slices.Equal(a.Findings, b.Findings)
}

func indented(text string, by int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Repeat(" ", by) + line)
	}
	return b.String()
}
