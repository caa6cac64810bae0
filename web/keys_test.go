package web_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/help"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

var update = flag.Bool("update", false, "write docs/keys.md")

// keysFile lists the keys of all pages, from the same lists as the help of each page.
const keysFile = "../docs/keys.md"

func TestKeysAreInTheDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Keys\n\nThe keys of all pages in the browser, as the help of each page (`?`) lists them. " +
		"`go test ./web -run TestKeys -update` writes this file.\n")
	section(&b, "Every page", help.Everywhere())
	for _, p := range web.Profiles() {
		// Of the types, Pods have the most keys.
		model := fmt.Sprintf(`{"kind":%q,"type":{"version":"v1","resource":"pods","kind":"Pod","namespaced":true,"verbs":["get","list","watch","patch","delete"]}}`, p.Kind)
		shown, err := wings()[p.Program].Decode([]byte(model))
		if err != nil {
			t.Fatal(err)
		}
		if keyed, is := shown.(page.Keyed); is {
			section(&b, p.Title, keyed.Keys())
		}
	}
	if *update {
		if err := os.WriteFile(keysFile, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text, err := os.ReadFile(keysFile); err != nil || string(text) != b.String() {
		t.Errorf("docs/keys.md differs from the keys of the pages (%v): run 'go test ./web -run TestKeys -update', and commit the file", err)
	}
}

func section(b *strings.Builder, title string, keys []components.Key) {
	fmt.Fprintf(b, "\n## %s\n\n| keys | what they do |\n|---|---|\n", title)
	for _, k := range keys {
		names := slices.Clone(k.Keys)
		for i, name := range names {
			names[i] = "<kbd>" + strings.ReplaceAll(name, "|", "\\|") + "</kbd>"
		}
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(names, " "), k.Does)
	}
}
