package components

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// goldens are the components in their states.
func goldens() []golden {
	return slices.Concat(gridCases(), noticeCases(), partCases(), codeCases(), overlayCases(), hostileCases())
}

var (
	nameHead = HeaderCell{Name: "Name", Hint: "Name must be unique within a namespace.", Href: "/c/practice/api/v1/pods?sort=Name"}
	pods     = Grid{
		Label: "Pods",
		Head: []HeaderCell{
			nameHead,
			{Name: "Status", Href: "/c/practice/api/v1/pods?sort=Status"},
			{Name: "Restarts", Href: "/c/practice/api/v1/pods?sort=Restarts", Numeric: true},
		},
		Rows: []GridRow{
			podRow("web-1", "Running", "0"),
			podRow("web-2", "CrashLoopBackOff", "17"),
		},
	}
)

func podRow(name, status, restarts string) GridRow {
	return GridRow{
		UID: "u-" + name, Namespace: "shop", Name: name, ResourceVersion: "42",
		Href: "/c/practice/api/v1/namespaces/shop/pods/" + name, NamespaceHref: "/c/practice/api/v1/namespaces/shop/pods",
		Cells: []GridCell{
			{Text: name, Link: true},
			{Text: status, Tone: CellTone("Status", status)},
			{Text: restarts, Numeric: true},
		},
	}
}

func gridCases() []golden {
	sorted := func(how string) Grid {
		g := pods
		g.Head = slices.Clone(g.Head)
		g.Head[2].Sort = how
		return g
	}
	everywhere := pods
	everywhere.Namespaces = true
	everywhere.NamespaceH = HeaderCell{Name: "Namespace", Hint: "The namespace the object is in.", Href: "/c/practice/api/v1/pods?sort=Namespace"}
	unlinked := everywhere
	unlinked.Rows = []GridRow{podRow("web-1", "Running", "0")}
	unlinked.Rows[0].Href, unlinked.Rows[0].NamespaceHref = "", ""
	deleting := Grid{Label: "Pods", Head: []HeaderCell{nameHead}, Rows: []GridRow{podRow("web-1", "Terminating", "0")}}
	deleting.Rows[0].Deleting = true
	long := Grid{Label: "Events", Head: []HeaderCell{{Name: "Message"}, {Name: "Count", Numeric: true}}, Rows: []GridRow{{
		UID: "u", Name: "e", Cells: []GridCell{
			{Text: strings.Repeat("m", longCell)}, {Text: strings.Repeat("m", longCell+1)}, {Text: strings.Repeat("9", longCell+1), Numeric: true},
		},
	}}}
	return []golden{
		{"grid", Table(pods)},
		{"grid-sorted-ascending", Table(sorted("ascending"))},
		{"grid-sorted-descending", Table(sorted("descending"))},
		{"grid-namespaces", Table(everywhere)},
		{"grid-without-links", Table(unlinked)},
		{"grid-deleting", Table(deleting)},
		{"grid-long-cells", Table(long)},
		{"grid-without-rows", Table(Grid{Label: "Pods", Head: pods.Head})},
		{"grid-fewer-cells-than-columns", Table(Grid{Label: "Pods", Head: pods.Head, Rows: []GridRow{{UID: "u", Name: "a", Cells: []GridCell{{Text: "a"}}}}})},
	}
}

func noticeCases() []golden {
	cases := []golden{
		{"notice-quoted", Say(Notice{Tone: Warn, Title: "Not allowed", Words: "You may not list secrets.", Advice: "Ask for it.", Quoted: "secrets is forbidden:\nline two"})},
		{"notice-details", Say(Notice{Title: "No such type", Details: []string{"deployments.apps", "daemonsets.apps"}})},
		{"notice-links", Say(Notice{Title: "None match", Links: []Link{
			{Text: "Clear the selectors", Href: "/c/practice/api/v1/pods", Primary: true},
			{Text: "All types", Href: "/c/practice", Hint: "Every type that the server lists"},
		}})},
		{"buttons", Buttons([]Link{{Text: "Go on", Href: "/"}, {Text: "Read more", Href: "https://kubernetes.io/docs/", Primary: true}})},
	}
	for name, tone := range map[string]Tone{"calm": Calm, "good": Good, "busy": Busy, "warn": Warn, "bad": Bad} {
		cases = append(cases, golden{"notice-" + name, Say(Notice{Tone: tone, Title: "A title", Words: "What is the matter."})})
	}
	return cases
}

func partCases() []golden {
	return []golden{
		{"anatomy", Anatomy([]Segment{
			{Text: "apis", Means: "the named API groups", Href: "/c/practice/apis"},
			{Text: "apps", Means: "API group", Href: "/c/practice/apis/apps"},
			{Text: "v1", Means: "version"},
			{Text: "deployments", Means: "resource type", Href: "/c/practice/apis/apps/v1/deployments", Current: true},
		})},
		{"anatomy-of-the-root", Anatomy(nil)},
		{"choose", Choose(Menu{Label: "namespace", Current: "shop", Links: []Link{
			{Text: "All namespaces", Href: "/c/practice/api/v1/pods"},
			{Text: "shop", Href: "/c/practice/api/v1/namespaces/shop/pods", Current: true, Hint: "the one chosen"},
		}})},
		{"choose-with-a-note", Choose(Menu{Label: "namespace", Current: "all", Note: "You may not list the namespaces here."})},
		{"tabs", Tabs("Views of this object", []Link{
			{Text: "YAML", Href: "/c/practice/api/v1/namespaces/shop/pods/web-1", Current: true},
			{Text: "JSON", Href: "/c/practice/api/v1/namespaces/shop/pods/web-1?tab=json", Hint: "The object as JSON"},
		})},
		{"facts", Facts([]Fact{
			{Name: "state", Text: "it answers", Tone: Good},
			{Name: "version", Text: "v1.37.1", Mono: true, Hint: "as the server says"},
			{Name: "user", Text: "practice", Href: "/c/practice"},
			{Name: "plain", Text: "text"},
		})},
		{"conditions", Conditions([]Condition{
			{Type: "Ready", Status: "True", Since: "for 5m"},
			{Type: "MemoryPressure", Status: "True", Reason: "KubeletHasInsufficientMemory", Message: "there is no room"},
			{Type: "Available", Status: "Unknown"},
		})},
		{"wire-line", WireLine(Request{Verb: "list", Method: "GET", Target: "/api/v1/pods?limit=500", Status: 200, MediaType: "Table", Bytes: 1900000, Millis: 1234})},
		{"wire-line-refused", WireLine(Request{Verb: "get", Method: "GET", Target: "/api/v1/secrets", Status: 403, MediaType: "JSON", Bytes: 812, Millis: 3})},
		{"wire-line-without-answer", WireLine(Request{Verb: "list", Method: "GET", Target: "/api/v1/pods"})},
	}
}

func codeCases() []golden {
	lines := []manifest.Line{
		{{Class: manifest.Key, Text: "replicas"}, {Text: ": "}, {Class: manifest.Number, Text: "3"}},
		{{Class: manifest.Key, Text: "paused"}, {Text: ": "}, {Class: manifest.Word, Text: "false"}},
		{{Text: "  - "}, {Class: manifest.String, Text: `"quoted & <kept>"`}},
		{},
	}
	return []golden{
		{"code", Code(Document{Label: "web-1 as yaml", Lines: lines})},
		{"code-changed", Code(Document{Label: "web-1 as yaml", Lines: lines, Keys: []int{1, 7, 3, 9}, Fresh: []bool{true, false, false, true}})},
		{"code-empty", Code(Document{Label: "nothing"})},
	}
}

// hostileTexts is what a cluster may put into any name, value or message.
var hostileTexts = map[string]string{
	"script":            "<script>alert(1)</script>",
	"attribute":         `"><img src=x onerror=alert(1)>`,
	"single-quote":      "' onmouseover='alert(1)",
	"javascript":        "javascript:alert(1)",
	"right-to-left":     "invoice-\u202efdp.exe",
	"isolate":           "a\u2066b\u2069c",
	"zero-width":        "ad\u200bmin",
	"byte-order-mark":   "\ufeffadmin",
	"soft-hyphen":       "ad\u00admin",
	"ansi":              "\x1b[31mred\x1b[0m",
	"bell-and-nul":      "a\x07b\x00c",
	"end-of-everything": "</a></td></tr></table></main></body></html>",
	"comment":           "<!-- ",
	"template":          "{{ .Values.secret }} ${jndi:ldap://example.com/a}",
	"unbroken":          strings.Repeat("unbroken", 38)[:300],
	"character-entity":  "&lt;script&gt; &#x202e;",
}

// everywhere puts a text wherever a component shows text that comes from a cluster.
func everywhere(text string) []golden {
	row := GridRow{
		UID: text, Namespace: text, Name: text, ResourceVersion: text, Href: "/c/practice", NamespaceHref: "/c/practice", Deleting: true,
		Cells: []GridCell{{Text: text, Link: true}, {Text: text, Tone: Bad}, {Text: text}, {Text: text, Numeric: true}},
	}
	unlinked := row
	unlinked.Href, unlinked.NamespaceHref = "", ""
	return []golden{
		{"grid", Table(Grid{
			Label: text, Namespaces: true, NamespaceH: HeaderCell{Name: text},
			Head: []HeaderCell{{Name: text, Hint: text, Href: "/c/practice"}, {Name: text}},
			Rows: []GridRow{row, unlinked},
		})},
		{"palette", Search(paletteWith(text))},
		{"palette-nothing", Search(Palette{Label: "Find", Query: text, Nothing: text})},
		{"notice", Say(Notice{
			Title: text, Words: text, Advice: text, Quoted: text, Details: []string{text},
			Links: []Link{{Text: text, Href: "/c/practice", Hint: text}},
		})},
		{"anatomy", Anatomy([]Segment{{Text: text, Means: "name"}, {Text: text, Means: "name", Href: "/c/practice"}})},
		{"choose", Choose(Menu{Label: "cluster", Current: text, Note: text, Links: []Link{{Text: text, Href: "/c/practice", Hint: text}}})},
		{"tabs", Tabs("Views", []Link{{Text: text, Href: "/c/practice", Hint: text}})},
		{"facts", Facts([]Fact{
			{Name: text, Text: text, Hint: text}, {Name: text, Text: text, Href: "/c/practice"}, {Name: text, Text: text, Tone: Bad},
		})},
		{"conditions", Conditions([]Condition{{Type: text, Status: text, Reason: text, Message: text, Since: "for 1m"}})},
		{"wire-line", WireLine(Request{Verb: "list", Method: "GET", Target: text, Status: 200, MediaType: text})},
		{"code", Code(Document{Label: text, Lines: []manifest.Line{{{Class: manifest.Key, Text: text}, {Text: text}}}})},
	}
}

func hostileCases() []golden {
	var cases []golden
	for _, c := range everywhere(hostileTexts["attribute"] + hostileTexts["right-to-left"]) {
		cases = append(cases, golden{"hostile-" + c.name, c.component})
	}
	return cases
}
