package program

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/fieldmark/fieldmark/cli/guide"
	"github.com/fieldmark/fieldmark/lessons/check"
	"github.com/fieldmark/fieldmark/server/export"
)

// exported are three lessons that take little time.
var exported = []string{"conflicts", "protobuf-envelope", "watch"}

// mostBytes is the size that the whole guide must not exceed. Three lessons have the same tasks, cases and maps.
const mostBytes = 20 << 20

// running starts a Fieldmark beside the practice cluster of the tests.
func running(t *testing.T) (server, token string) {
	t.Helper()
	kubeconfig, program := os.Getenv("FIELDMARK_TEST_PRACTICE_KUBECONFIG"), os.Getenv("FIELDMARK_BIN")
	if kubeconfig == "" || program == "" {
		t.Skip("needs a practice cluster: make test-cluster")
	}
	server, token, stop, err := check.Fieldmark{Program: program, Own: t.TempDir(), Kubeconfig: kubeconfig, Stderr: t.Output()}.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return server, token
}

// TestGuideIsExported records three lessons on a real cluster, and looks at the whole site. Make has followed every link.
func TestGuideIsExported(t *testing.T) {
	server, token := running(t)
	dir := filepath.Join(t.TempDir(), "guide")
	saved := filepath.Join(t.TempDir(), "saved.json")
	x := exporter{version: "v1", stderr: t.Output()}
	e := guide.Export{Dir: dir, Fieldmark: server, Token: token, Lessons: exported, Save: saved, Base: "https://example.com/guide/"}
	if err := x.export(t.Context(), e, func(line string) { t.Log(line) }); err != nil {
		t.Fatal(err)
	}
	site := siteIn(t, dir)
	if broken := site.Broken(); len(broken) > 0 {
		t.Errorf("%d links lead nowhere: %s", len(broken), strings.Join(broken, "\n"))
	}
	if site.Size() > mostBytes {
		t.Errorf("the site has %d bytes", site.Size())
	}
	for _, name := range site.Pages() {
		for _, wrong := range wrongIn(t, site[name]) {
			t.Errorf("%s: %s", name, wrong)
		}
	}
	for _, id := range exported {
		page := string(site["lessons/"+id+".html"])
		asks, answers := strings.Count(page, `class="asks"`), strings.Count(page, `class="answer"`)
		if asks == 0 || asks != answers {
			t.Errorf("%s has %d requests and %d responses", id, asks, answers)
		}
		if strings.Contains(page, token) {
			t.Errorf("%s has the launch token", id)
		}
	}
	if !strings.Contains(string(site["sitemap.xml"]), "<loc>https://example.com/guide/lessons/conflicts.html</loc>") {
		t.Error("the map of the site lacks a lesson")
	}
	t.Run("from a file", func(t *testing.T) { exportedAgain(t, x, saved, site) })
}

// exportedAgain makes the site from the file. It has the same pages.
func exportedAgain(t *testing.T, x exporter, saved string, before export.Site) {
	dir := filepath.Join(t.TempDir(), "guide")
	if err := x.export(t.Context(), guide.Export{Dir: dir, Recordings: saved, Base: "https://example.com/guide/"}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	again := siteIn(t, dir)
	for name := range before {
		if !bytes.Equal(before[name], again[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// siteIn are the files of a folder.
func siteIn(t *testing.T, dir string) export.Site {
	t.Helper()
	s := export.Site{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, below...) {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(name); err == nil { // else it is a folder
			s[filepath.ToSlash(rel)] = text
		}
	}
	return s
}

// wrongIn are the promises that a page breaks.
func wrongIn(t *testing.T, page []byte) (all []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	wrong := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	has := map[string]int{}
	level := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]atom.Atom{atom.Script, atom.Button, atom.Form, atom.Input, atom.Iframe, atom.Object}, n.DataAtom) {
			wrong("it has an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "data-do" {
				wrong("it has the attribute %s=%q", a.Key, a.Val)
			}
			has[n.Data+" "+a.Key+"="+a.Val]++
		}
		if now, err := strconv.Atoi(strings.TrimPrefix(n.Data, "h")); err == nil && len(n.Data) == 2 {
			if now > level+1 {
				wrong("a heading h%d follows one of h%d", now, level)
			}
			level = now
			has["h"+strconv.Itoa(now)]++
		}
	}
	for _, need := range []string{"html lang=en", "meta http-equiv=Content-Security-Policy", "meta name=description", "link rel=canonical", "h1"} {
		if has[need] != 1 {
			wrong("it has %d of %s", has[need], need)
		}
	}
	text := string(page)
	if !strings.Contains(text, `content="default-src &#39;none&#39;; style-src &#39;self&#39;;`) || strings.Contains(text, `&#39;unsafe`) {
		wrong("its policy allows more than it should")
	}
	if !strings.Contains(text, "The responses were recorded from Kubernetes v1.") {
		wrong("it doesn't say where the responses come from")
	}
	return all
}

func TestExportSaysWhatIsWrong(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "letter.txt"), []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(full, "letter.txt")
	for what, c := range map[string]struct {
		export guide.Export
		says   string
	}{
		"a folder with files":     {guide.Export{Dir: full, Recordings: text}, "has files that this command didn't make"},
		"a recording that isn't":  {guide.Export{Dir: filepath.Join(full, "new"), Recordings: text}, "it is no recording of lessons"},
		"a recording that's gone": {guide.Export{Dir: filepath.Join(full, "new"), Recordings: text + "x"}, "the recorded responses can't be read"},
		"a lesson that isn't":     {guide.Export{Dir: filepath.Join(full, "new"), Lessons: []string{"conflict"}}, `the field guide has no lesson "conflict"`},
		"nothing at an address": {
			guide.Export{Dir: filepath.Join(full, "new"), Fieldmark: "http://127.0.0.1:1", Token: "t", Lessons: []string{"conflicts"}}, "there is no Fieldmark at http://127.0.0.1:1",
		},
	} {
		err := exporter{stderr: t.Output()}.export(t.Context(), c.export, func(string) {})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, not %q", what, err, c.says)
		}
		if _, err := os.Stat(filepath.Join(full, "new")); err == nil {
			t.Errorf("%s: a folder was made", what)
		}
	}
}
