package program

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/web"
)

// asked are the addresses beside a cluster's tools that are no page: pages lead there, or ask them.
var asked = []string{web.Find, web.KindSchema, web.Archive}

// Menus and the palette show web.Tools. A tool that has a route is among them.
func TestEveryToolOfTheRoutesIsListed(t *testing.T) {
	e, is := router(routing{pages: new(pages.Pages), metrics: newMetrics()}).(*echo.Echo)
	if !is {
		t.Fatal("the router is another one")
	}
	listed := map[string]bool{}
	for _, tool := range web.Tools() {
		listed[tool.Tool()] = true
		if of := web.Program(web.Tool("practice", tool.Tool())); of != tool.Program {
			t.Errorf("%s is run by %s, and is listed with %s", tool.Tool(), of, tool.Program)
		}
	}
	routes := 0
	for _, r := range e.Routes() {
		name, is := strings.CutPrefix(r.Path, web.PageRoot+":cluster/-/")
		if !is || r.Method != http.MethodGet || slices.Contains(asked, name) {
			continue
		}
		routes++
		if !listed[name] {
			t.Errorf("%s is not in the table of tools", r.Path)
		}
	}
	if routes != len(listed) {
		t.Errorf("%d tools are listed, %d have a route", len(listed), routes)
	}
}
