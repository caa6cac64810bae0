package fields

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func copiedText(t *testing.T, m on, key string) string {
	t.Helper()
	m.Model = m.Awake()
	did := laidOut(t, m).copied(components.AsMarkdown, key)
	if len(did) != 1 {
		t.Fatalf("%+v", did)
	}
	return did[0].(page.Copy).Text
}

// laidOut is a tab in the browser.
func laidOut(t *testing.T, m on) on {
	t.Helper()
	l, err := m.lay()
	if err != nil {
		t.Fatal(err)
	}
	m.live.laid = l
	return m
}

func TestLinesAreCopiedAsShown(t *testing.T) {
	m := recorded(t, "scaled", "")
	all := copiedText(t, m, CopyLines)
	if !strings.HasPrefix(all, "### Deployment ") || strings.Count(all, "```") != 2 || !strings.Contains(all, "nobody ") || !strings.Contains(all, " │   replicas: ") {
		t.Errorf("%s", all)
	}
	m.Reading.Filter = "replicas"
	filtered := copiedText(t, m, CopyLines)
	if strings.Contains(filtered, "image:") || !strings.Contains(filtered, " │   replicas: ") {
		t.Errorf("%s", filtered)
	}
}

func TestFoldedLinesAreCopiedAsOne(t *testing.T) {
	m := recorded(t, "scaled", "")
	m.Model = m.Awake()
	m.live.folds[".spec.template"] = true
	did := laidOut(t, m).copied(components.AsMarkdown, CopyLines)
	if text := did[0].(page.Copy).Text; strings.Contains(text, "containers:") || !strings.Contains(text, "  template: … ") {
		t.Errorf("%s", text)
	}
}

func TestTheSelectedFieldIsCopied(t *testing.T) {
	text := copiedText(t, recorded(t, "scaled", "field=.spec.replicas"), copyField)
	if !strings.Contains(text, ", `.spec.replicas`\n\n```text\n") || strings.Count(text, "\n") != 5 || !strings.Contains(text, " │   replicas: ") {
		t.Errorf("%s", text)
	}
	for _, c := range []struct{ query, key string }{{"", copyField}, {"field=.nosuch", copyField}, {"", "nothing"}} {
		m := recorded(t, "scaled", c.query)
		m.Model = m.Awake()
		if did := laidOut(t, m).copied(components.AsMarkdown, c.key); did != nil {
			t.Errorf("%+v: %+v", c, did)
		}
	}
}

func TestBlameAsAnImage(t *testing.T) {
	m := recorded(t, "crowd", "")
	m.Model = m.Awake()
	did := laidOut(t, m).copied(components.AsImage, CopyLines)
	if c := did[0].(page.Copy); c.Text != "" || !strings.HasPrefix(c.SVG, "<svg ") || c.File != "fieldmark-blame.png" {
		t.Errorf("%.200s %s", c.SVG, c.File)
	}
}
