package palette

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func press(t *testing.T, m Model, keys ...string) Model {
	t.Helper()
	for _, k := range keys {
		next, commands := m.Update(page.Pressed{Key: k})
		if len(commands) > 0 {
			t.Fatalf("%s gives %v", k, commands)
		}
		m = next
	}
	return m
}

// active is the text of the chosen option.
func active(m Model) string {
	options := m.options()
	if m.active >= len(options) {
		return ""
	}
	return m.index.entry(options[m.active]).Text
}

func TestKeysMoveAmongTheOptions(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	for keys, want := range map[string]string{
		"":                                 "Pods",
		"ArrowDown":                        "Deployments",
		"ArrowDown ArrowDown":              "Services",
		"ArrowUp":                          "Keys and help", // round about
		"ArrowUp ArrowDown":                "Pods",
		"End":                              "Keys and help",
		"End Home":                         "Pods",
		"PageDown":                         "Overview",
		"PageDown PageDown PageDown":       "Keys and help",
		"PageDown PageUp":                  "Pods",
		"PageUp":                           "Pods",
		"Tab":                              "Pods",
		"ArrowDown x Shift ArrowDown":      "Services",
		"End ArrowDown ArrowDown PageDown": "API groups",
	} {
		if got := active(press(t, m, strings.Fields(keys)...)); got != want {
			t.Errorf("%q leads to %q, want %q", keys, got, want)
		}
	}
	none := press(t, typing(m, ":zzz"), "ArrowDown", "ArrowUp", "End", "Enter")
	if _, done := none.Chosen(); done {
		t.Error("nothing was found, and something was chosen")
	}
}

func TestEnterOpensWhatIsChosen(t *testing.T) {
	m := press(t, typing(stocked(t, "/api/v1/namespaces/shop/pods"), "po"), "ArrowDown")
	m, commands := m.Update(page.Pressed{Key: "Enter"})
	want := "/c/practice/apis/postgresql.cnpg.io/v1/namespaces/shop/poolers"
	if !slices.Equal(commands, []page.Cmd{page.Navigate{Address: want}}) {
		t.Errorf("%+v", commands)
	}
	if e, done := m.Chosen(); !done || e.Href != want {
		t.Errorf("%+v %v", e, done)
	}
}

func TestActionsAreTheCallersToDo(t *testing.T) {
	m := typing(stocked(t, "/api/v1/namespaces/shop/pods"), "colours")
	if _, done := m.Chosen(); done {
		t.Fatal("chosen before anything was")
	}
	m, commands := m.Update(page.Pressed{Key: "Enter"})
	if e, done := m.Chosen(); !done || e.Run != "theme" || len(commands) > 0 {
		t.Errorf("%+v %v %v", e, done, commands)
	}
}

func TestAClickChoosesTheOptionOfTheElement(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	n, commands := m.Take(components.PaletteOptionID(1))
	if e, done := n.Chosen(); !done || e.Text != "Deployments" || len(commands) != 1 {
		t.Errorf("%+v %v", e, commands)
	}
	for _, id := range []string{"", "palette-option-", "palette-option-99", "row-1"} {
		n, commands = m.Take(id)
		if _, done := n.Chosen(); done || len(commands) > 0 {
			t.Errorf("%q chooses something", id)
		}
	}
}

func TestWhatTheReaderMovedToStaysChosen(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m, _ = paused(t, typing(m, "web"))
	m, _ = answered(t, m, "pods", 200, listOf("", "shop/web-2", "shop/web-3"))
	if active(m) != "web-2" {
		t.Fatalf("%q is chosen of %q", active(m), lines(m))
	}
	m = press(t, m, "ArrowDown")
	m, _ = answered(t, m, "deployments.apps", 200, listOf("", "shop/web", "shop/web-1"))
	if active(m) != "web-3" {
		t.Errorf("%q is chosen of %q", active(m), lines(m))
	}
	if m = typing(m, "web-"); active(m) != "web-1" {
		t.Errorf("after typing on, %q is chosen", active(m))
	}
	m, _ = paused(t, m)
	m, _ = answered(t, m, "services", 200, listOf("", "shop/web-"))
	if active(m) != "web-" {
		t.Errorf("nothing was moved to, and %q is chosen", active(m))
	}
}

func TestOtherMessagesMeanNothing(t *testing.T) {
	m := typing(stocked(t, "/api/v1/namespaces/shop/pods"), "web")
	for _, msg := range []page.Msg{page.Typed{Field: "filter", Text: "x"}, page.Typed{Field: Field, Text: "web"}, page.Pointed{Over: true}, page.Response{ID: "other", Status: 200}} {
		n, commands := m.Update(msg)
		if len(commands) > 0 || !slices.Equal(lines(n), lines(m)) {
			t.Errorf("%+v changes something", msg)
		}
	}
}

func TestBeforeAnythingIsTyped(t *testing.T) {
	frame := frameAt(t, "/api/v1/namespaces/shop/pods")
	types, _ := Open(frame, Types, []Entry{{Kind: Action, Text: "All columns", Run: "wide"}})
	if got := lines(types); len(got) != 1 || !strings.HasPrefix(got[0], "Resource types: Pods po, Deployments deploy, Services svc,") || len(types.options()) != mostInAll {
		t.Errorf("types: %q", got)
	}
	frame.Cluster.Slug, frame.Cluster.Name = "", ""
	frame.Catalog.Groups = nil
	outside, _ := Open(frame, Types, nil)
	if got := lines(outside); !slices.Equal(got, []string{"Clusters: practice, staging/eu, production", "Pages: Choose a cluster, Field guide lessons about every concept, Glossary terms and their meaning"}) {
		t.Errorf("outside: %q", got)
	}
	if got := lines(typing(stocked(t, "/api/v1/pods"), ":")); len(got) != 1 || !strings.HasPrefix(got[0], "Resource types: Pods") {
		t.Errorf("a colon: %q", got)
	}
	if got, want := lines(typing(stocked(t, "/api/v1/pods"), " \t")), lines(stocked(t, "/api/v1/pods")); !slices.Equal(got, want) {
		t.Errorf("spaces: %q", got)
	}
}

func TestEntriesLeadToWhatTheySay(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods/web-7d4b9c6f5-x2x9z")
	for query, want := range map[string]string{
		"deploy":          "/c/practice/apis/apps/v1/namespaces/shop/deployments",
		"nodes":           "/c/practice/api/v1/nodes",
		"deploy payments": "/c/practice/apis/apps/v1/namespaces/payments/deployments",
		"deploy all":      "/c/practice/apis/apps/v1/deployments",
		"ledger-0":        "/c/practice/api/v1/namespaces/payments/pods/ledger-0",
		"node-1":          "/c/practice/api/v1/nodes/node-1",
		"kube-system":     "/c/practice/api/v1/namespaces/kube-system/pods",
		"all namespaces":  "/c/practice/api/v1/pods",
		"production":      "/c/production",
		"overview":        "/c/practice",
		"api groups":      "/c/practice/apis",
		"batch/v1":        "/c/practice/apis/batch/v1",
		"choose":          "/",
	} {
		n := typing(m, query)
		if len(n.options()) == 0 || n.index.entry(n.options()[0]).Href != want {
			t.Errorf("%q finds %q, of which the first does not lead to %s", query, lines(n), want)
		}
	}
}

func TestResultsAreAnnounced(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	for query, want := range map[string]string{
		"":            "",
		"x2x9z":       "1 result, first web-7d4b9c6f5-x2x9z in shop, Pod",
		"node-1":      "1 result, first node-1, Node",
		"daemonset":   "1 result, first DaemonSets, apps/v1",
		"deploy pay":  "3 results, first Deployments in payments, apps/v1",
		"colours":     "1 result, first Change colours",
		":zzz":        "Nothing found",
		"zzz":         "", // until everything likely was looked at
		"deploymnets": "Nothing found. Did you mean Deployments?",
	} {
		if got := typing(m, query).Announcement(); got != want {
			t.Errorf("%q is announced as %q, want %q", query, got, want)
		}
	}
}

// markup is what a palette looks like, as a browser reads it.
func markup(t *testing.T, m Model) *html.Node {
	t.Helper()
	var b bytes.Buffer
	if err := m.View().Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func TestTheFieldNamesTheChosenOption(t *testing.T) {
	m := press(t, typing(stocked(t, "/api/v1/namespaces/shop/pods"), "web"), "ArrowDown", "ArrowDown")
	ids, names, selected := map[string]int{}, "", []string{}
	for n := range markup(t, m).Descendants() {
		if id := attribute(n, "id"); id != "" {
			ids[id]++
		}
		if attribute(n, "aria-selected") == "true" {
			selected = append(selected, attribute(n, "id"))
		}
		names += attribute(n, "aria-activedescendant")
	}
	if !slices.Equal(selected, []string{"palette-option-2"}) || names != "palette-option-2" {
		t.Errorf("%v is selected, the field names %q", selected, names)
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements are called %s", n, id)
		}
	}
	if ids["palette-input"] != 1 || ids["palette-option-0"] != 1 || ids["palette-options"] != 1 {
		t.Errorf("%v", ids)
	}
}

func TestHostileNamesAreShownVisibly(t *testing.T) {
	frame := frameAt(t, "/api/v1/pods")
	bad := "web\u202e<img src=x onerror=alert(1)>\u200b"
	m, _ := Open(frame, Everything, nil, Known{Type: kind(t, frame, "po"), Names: []Name{{bad, bad}}})
	m, _ = paused(t, typing(m, "nodes web"))
	m, _ = answered(t, m, "nodes", 200, listOf("", "/"+bad))
	for _, query := range []string{"web", "img", "onerror web", "\u202e"} {
		found, shown := typing(m, query), ""
		for n := range markup(t, found).Descendants() {
			if n.Type == html.ElementNode && n.Data == "img" {
				t.Fatalf("%q: the name became an element", query)
			}
			if n.Type == html.TextNode {
				shown += n.Data
			}
		}
		if len(found.options()) == 0 || strings.ContainsAny(shown, "\u202e\u200b") || !strings.Contains(shown, `web\u202e<img src=x onerror=alert(1)>\u200b`) {
			t.Errorf("%q shows %q", query, shown)
		}
		if strings.ContainsAny(found.Announcement(), "\u202e\u200b") {
			t.Errorf("%q is announced as %q", query, found.Announcement())
		}
	}
}
