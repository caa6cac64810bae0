package apply

import (
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) {
	pagetest.Run(t, func(pagetest.Text) map[string]page.Page {
		m := fought(t) // only requests and their responses lead to the cards of a conflict
		m.Kind, m.Shell.Title, m.Shell.Assets = Kind, "Apply", shell.Assets{Stylesheet: "/static/fieldmark.css", Icon: "/static/icon.svg"}
		return map[string]page.Page{"in an apply preview, conflict": m}
	})
}
