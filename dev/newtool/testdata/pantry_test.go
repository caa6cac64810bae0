package lab_test

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab"
	"github.com/fieldmark/fieldmark/web/lab/pantry"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

// TestThePantryIsATool: routes, menus and the wing know the tool, and it shows what all pages show.
func TestThePantryIsATool(t *testing.T) {
	of, known := web.ToolNamed("pantry")
	if !known || of.Kind != "pantry" || of.Program != "lab" || web.Program("/c/one/-/pantry") != "lab" {
		t.Fatalf("the profile is %+v", of)
	}
	read, err := lab.Pages()["pantry"]([]byte(`{"kind":"pantry","shell":{"title":"Pantry","cluster":{"slug":"one"},"catalog":{"groups":[{"name":"apps"}]}},"shelf":"jam"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, opens := read.(page.Opener); !opens {
		t.Error("the pantry doesn’t open by itself")
	}
	var html strings.Builder
	if err := page.View(read).Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	if listed := web.Listed(web.Laboratories); listed[len(listed)-1].Kind != "pantry" {
		t.Errorf("the menu of laboratories ends with %s", listed[len(listed)-1].Kind)
	}
	for _, want := range []string{"<title>Pantry", "On this shelf: jam"} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// TestThePantryPromisesWhatAllPagesDo stands here, because tests can't run in a folder that isn't there.
func TestThePantryPromisesWhatAllPagesDo(t *testing.T) {
	pagetest.Run(t, func(s pagetest.Text) map[string]page.Page {
		return map[string]page.Page{"in the pantry": pantry.Model{Frame: page.Frame{Kind: pantry.Kind, Shell: s.Shell(apipath.Path{})}, Shelf: s.String()}}
	})
}
