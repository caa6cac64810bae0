package palette

import (
	"testing"

	"github.com/fieldmark/fieldmark/web"
)

// TestEveryToolOfTheRoutesIsListed, beside the routes, holds that package web lists them all.
func TestEveryToolIsFoundByItsTitle(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	tools := web.Listed(web.NoMenu)
	if len(tools) == 0 {
		t.Fatal("there are no tools")
	}
	for _, tool := range tools {
		found := typing(m, tool.Title)
		if len(found.options()) == 0 {
			t.Errorf("%s is not found", tool.Title)
			continue
		}
		if e := found.index.entry(found.options()[0]); e.Text != tool.Title || e.Beside != tool.Brief || e.Href != "/c/practice/-/"+tool.Tool() {
			t.Errorf("%s finds %+v first", tool.Title, e)
		}
	}
}
