package task

import (
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/anatomy"
)

// written is a request of the solution as HTTP writes it, and the commands that make it; empty: kubectl can't.
func (m Model) written(r lesson.Request) (text, commands string) {
	filled := anatomy.Filled(r, m.vars())
	var b strings.Builder
	b.WriteString(filled.Method + " " + filled.Target + "\n")
	if filled.As != "" {
		b.WriteString("as practice-viewer\n")
	}
	for _, h := range filled.Header {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	if filled.Body != "" {
		b.WriteString("\n" + filled.Body)
	}
	commands, _ = filled.Commands(m.About.Viewer)
	return strings.TrimSpace(b.String()), commands
}
