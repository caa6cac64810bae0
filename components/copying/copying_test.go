package copying_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

var update = flag.Bool("update", false, "write the golden files")

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func owner(name, operation, subresource string, ago time.Duration) ownership.Owner {
	return ownership.Owner{Manager: ownership.Manager{Name: name, Operation: operation, Subresource: subresource, APIVersion: "apps/v1"}, Time: now.Add(-ago).Format(time.RFC3339)}
}

func faces(all ...ownership.Owner) []components.Manager {
	var c owners.Cast
	c.MeetAll(all)
	return c.OfAll(all)
}

// blame is a blame whose texts from a cluster are name and value.
func blame(name, value string) copying.Blame {
	gitops, scaler := owner(name, "Apply", "", 3*time.Minute), owner("hpa", "Update", "scale", time.Hour)
	return copying.Blame{
		Object: "Deployment shop/" + name, Managers: faces(gitops, scaler),
		Lines: []copying.Line{
			{Number: 1, Text: manifest.Line{{Class: manifest.Key, Text: "spec"}, {Text: ":"}}},
			{Number: 2, Text: manifest.Line{{Text: "  "}, {Class: manifest.Key, Text: "replicas"}, {Text: ": "}, {Class: manifest.Number, Text: "3"}}, Label: copying.Label([]ownership.Owner{gitops, scaler}, 12, false, now), Columns: []int{0, 1}},
			{Number: 3, Text: manifest.Line{{Text: "  "}, {Class: manifest.Key, Text: "note"}, {Text: ": "}, {Class: manifest.String, Text: value}}, Label: copying.Label([]ownership.Owner{gitops}, 12, false, now), Columns: []int{0}},
			{Number: 4, Text: manifest.Line{{Text: "  "}, {Class: manifest.Key, Text: "template"}, {Text: ":"}}, Label: copying.Label(nil, 12, false, now), Hidden: 12},
			{Number: 17, Text: manifest.Line{{Class: manifest.Key, Text: "x"}}, Label: copying.Label(nil, 12, true, now)},
		},
		Lost: []ownership.Lost{{Owner: gitops, Path: ".data." + name, Detail: "the object has no such field"}},
	}
}

func conflict(name, value string) copying.Conflict {
	gitops, scaler := owner(name, "Apply", "", 3*time.Minute), owner("hpa", "Update", "scale", time.Hour)
	all := faces(gitops, scaler)
	return copying.Conflict{
		Object: "Deployment shop/" + name, Why: "Another manager (" + name + ") owns the field with another value.",
		Fields: []copying.Contested{
			{Path: ".spec." + name, Live: value, Stated: "3", Owners: []copying.Owner{{Manager: all[0], Wrote: "last wrote 3m ago"}, {Manager: all[1]}}},
			{Live: "5"},
		},
	}
}

func fight(name, value string) copying.Fight {
	return copying.Fight{
		Object: "Deployment shop/" + name, Path: ".spec." + name, Values: [2]string{value, "3"}, Returns: "12 times, about every 6.0 s",
		Managers: faces(owner(name, "Apply", "", time.Minute), owner("hpa", "Update", "scale", time.Hour)),
	}
}

func subjects(name, value string) map[string]copying.Subject {
	field := blame(name, value)
	field.Field, field.Lines, field.Lost, field.More = ".spec."+name, field.Lines[1:2], nil, 7
	secret := fight(name, value)
	secret.Values = [2]string{}
	return map[string]copying.Subject{"blame": blame(name, value), "field": field, "conflict": conflict(name, value), "fight": fight(name, value), "secret": secret}
}

func TestGolden(t *testing.T) {
	const hostile = "we\u202eb`|</text><script>@everyone\n| x |\n```"
	for kind, texts := range map[string][2]string{"": {"web", `"a note"`}, "hostile-": {hostile, hostile}} {
		for name, s := range subjects(texts[0], texts[1]) {
			check(t, kind+name+".md", s.Markdown())
			check(t, kind+name+".svg", strings.NewReplacer("/><", "/>\n<", "</text><", "</text>\n<").Replace(s.SVG())+"\n")
		}
	}
}

func check(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s differs: go test ./components/copying -update shows how\n%s (%v)", file, got, err)
	}
}

// wellFormed reads a picture, and tells what in it isn't ours.
func wellFormed(svg string) (odd string) {
	elements := map[string]bool{"svg": true, "rect": true, "text": true, "tspan": true, "path": true}
	d := xml.NewDecoder(strings.NewReader(svg))
	for depth := 0; ; {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return ""
		case err != nil:
			return err.Error()
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; !elements[token.Name.Local] {
				return token.Name.Local
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "style" {
					return a.Name.Local
				}
			}
		case xml.EndElement:
			depth--
		case xml.Comment, xml.ProcInst, xml.Directive:
			return "a comment"
		}
	}
}

// FuzzSubjects proves that no text from a cluster ends a line, a cell, a block or an element.
func FuzzSubjects(f *testing.F) {
	for _, text := range []string{
		"web", "", "a|b", "`", "```\n# x", "\r\n\r\n", "</text><script>", "]]>", "&lt;", "<!-- -->", "@everyone", "\u202eabc", "\x00\x1b[31m", "\ufffe", "\xff", "日本語", "e\u0301", "a\\|b", "…",
		strings.Repeat("long ", 100), strings.Repeat("長", 300), "\t\tx",
	} {
		f.Add(text)
	}
	want := map[string]int{}
	for name, s := range subjects("x", "y") {
		want[name] = strings.Count(s.Markdown(), "\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, s := range subjects(text, text) {
			if odd := wellFormed(s.SVG()); odd != "" {
				t.Errorf("%s: %q makes a picture with %s", name, text, odd)
			}
			markdown := s.Markdown()
			if got := strings.Count(markdown, "\n"); got != want[name] {
				t.Errorf("%s: %q makes %d lines instead of %d:\n%s", name, text, got, want[name], markdown)
			}
			if strings.ContainsAny(markdown, "\u202e\x00\x1b\r\u200b") {
				t.Errorf("%s: %q stays in %q", name, text, markdown)
			}
			tables(t, name, markdown)
			fences(t, name, markdown)
		}
	})
}

var bars = regexp.MustCompile(`(?:^|[^\\])\|`)

// tables checks that all rows of a table have the same number of cells.
func tables(t *testing.T, name, markdown string) {
	t.Helper()
	width := 0
	for l := range strings.Lines(markdown) {
		if !strings.HasPrefix(l, "|") || name == "blame" || name == "field" {
			continue
		}
		n := len(bars.FindAllString(strings.ReplaceAll(l, `\\`, ""), -1))
		if width == 0 {
			width = n
		}
		if n != width {
			t.Errorf("%s: %d cells instead of %d in %q", name, n, width, l)
		}
	}
}

// fences checks that a block of code ends with the last line of it.
func fences(t *testing.T, name, markdown string) {
	t.Helper()
	if name != "blame" && name != "field" {
		return
	}
	lines := strings.Split(strings.TrimSuffix(markdown, "\n"), "\n")
	fence := strings.TrimSuffix(lines[2], "text")
	if len(fence) < 3 || strings.Trim(fence, "`") != "" || lines[len(lines)-1] != fence {
		t.Fatalf("%s: %q", name, markdown)
	}
	if inside := strings.Join(lines[3:len(lines)-1], "\n"); strings.Contains(inside, fence) {
		t.Errorf("%s: the block ends too early: %q", name, markdown)
	}
}

// TestColors compares the colors of pictures with the light colors of the stylesheet.
func TestColors(t *testing.T) {
	sheet, err := os.ReadFile("../../static/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light := map[string]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#\w+),`).FindAllStringSubmatch(string(sheet), -1) {
		light[m[1]] = m[2]
	}
	drawn := ""
	for hue := range components.Hues {
		drawn += copying.Fight{Path: "a", Managers: []components.Manager{{Name: "m", Hue: hue + 1, Initials: "M"}}}.SVG()
	}
	for _, class := range []manifest.Class{manifest.Plain, manifest.Key, manifest.String, manifest.Number, manifest.Word} {
		drawn += copying.Blame{Lines: []copying.Line{{Number: 1, Text: manifest.Line{{Class: class, Text: "x"}}}}}.SVG()
	}
	for _, name := range []string{"card", "ink", "soft", "faint", "line", "key", "string", "number", "word", "hue-1", "hue-2", "hue-3", "hue-4", "hue-5", "hue-6", "hue-7", "hue-8"} {
		if color := light[name]; color == "" || !strings.Contains(drawn, `"`+color+`"`) {
			t.Errorf("no picture has %s, which is %q", name, color)
		}
	}
}

func TestPicturesAreBounded(t *testing.T) {
	b := copying.Blame{Object: strings.Repeat("o", 5000)}
	for range 3 * copying.MostDrawn {
		b.Lines = append(b.Lines, copying.Line{Text: manifest.Line{{Text: strings.Repeat("x", 5000)}}, Label: strings.Repeat("l", 5000)})
	}
	c := copying.Conflict{Why: strings.Repeat("why ", 5000)}
	for range 500 {
		c.Fields = append(c.Fields, copying.Contested{Path: strings.Repeat("p", 5000), Live: strings.Repeat("v", 5000), Owners: make([]copying.Owner, 500)})
	}
	size := regexp.MustCompile(`^<svg xmlns="[^"]*" width="(\d{1,4})" height="(\d{1,5})"`)
	for name, s := range map[string]copying.Subject{"blame": b, "conflict": c} {
		if svg := s.SVG(); len(svg) > 400_000 || !size.MatchString(svg) {
			t.Errorf("%s: %d bytes, %.100s", name, len(svg), svg)
		}
		if file := s.File(); !strings.HasSuffix(file, ".png") {
			t.Error(file)
		}
	}
	if got := len(c.Markdown()); got > 500_000 {
		t.Errorf("%d bytes", got)
	}
	if !strings.Contains(b.SVG(), "… and 300 more lines") || !strings.Contains(c.Markdown(), "… and 460 more fields") {
		t.Error("what is left out isn’t counted")
	}
}
