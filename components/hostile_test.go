package components_test

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/schema"
)

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
func everywhere(text string) []specimen.Specimen {
	row := components.GridRow{
		UID: text, Namespace: text, Name: text, ResourceVersion: text, Href: "/c/practice", NamespaceHref: "/c/practice", Deleting: true,
		Cells: []components.GridCell{{Text: text, Link: true}, {Text: text, Tone: components.Bad}, {Text: text}, {Text: text, Numeric: true}},
	}
	unlinked := row
	unlinked.Href, unlinked.NamespaceHref = "", ""
	return []specimen.Specimen{
		{Name: "grid", Shown: components.Table(components.Grid{
			Label: text, Namespaces: true, NamespaceH: components.HeaderCell{Name: text},
			Head: []components.HeaderCell{{Name: text, Hint: text, Href: "/c/practice"}, {Name: text}},
			Rows: []components.GridRow{row, unlinked},
		})},
		{Name: "palette", Shown: components.Search(paletteWith(text))},
		{Name: "palette-nothing", Shown: components.Search(components.Palette{Label: "Find", Query: text, Nothing: text})},
		{Name: "notice", Shown: components.Say(components.Notice{
			Title: text, Words: text, Advice: text, Quoted: text, Details: []string{text},
			Links: []components.Link{{Text: text, Href: "/c/practice", Hint: text}},
		})},
		{Name: "anatomy", Shown: components.Anatomy([]components.Segment{{Text: text, Means: "name"}, {Text: text, Means: "name", Href: "/c/practice"}})},
		{Name: "choose", Shown: components.Choose(components.Menu{Label: "cluster", Current: text, Note: text, Links: []components.Link{{Text: text, Href: "/c/practice", Hint: text}}, Find: &components.Finding{Action: "/", Field: "q", Do: "contexts", Words: text}})},
		{Name: "tabs", Shown: components.Tabs("Views", []components.Link{{Text: text, Href: "/c/practice", Hint: text}})},
		{Name: "facts", Shown: components.Facts([]components.Fact{
			{Name: text, Text: text, Hint: text}, {Name: text, Text: text, Href: "/c/practice"}, {Name: text, Text: text, Tone: components.Bad},
		})},
		{Name: "conditions", Shown: components.Conditions([]components.Condition{{Type: text, Status: text, Reason: text, Message: text, Since: "for 1m"}}, "")},
		{Name: "wire-line", Shown: components.WireLine(components.Request{Verb: "list", Method: "GET", Target: text, Status: 200, MediaType: text})},
		{Name: "field", Shown: components.Field(components.FieldPanel{
			Name: text, Trail: []components.Link{{Text: text, Href: "/c/practice"}, {Text: text}},
			Field: schema.Field{
				Path: schema.Path{text}, Type: text, Description: text, About: text, Default: text, Enum: []string{text}, Untold: text,
				Merge: schema.Merge{Strategy: schema.ByKeys, List: true, Keys: []string{text}, Said: text}, Patch: schema.Patch{Strategy: "merge", Key: text},
			},
			Here: &components.FieldValues{Texts: []string{text}, Values: 1, Places: 1},
		})},
		{Name: "blame", Shown: components.Blame(components.BlameDocument{Label: text, Managers: []components.Manager{managerWith(text)}, Lines: []components.BlameLine{{
			ID: "line-1", Number: 1, Line: manifest.Line{{Class: manifest.Key, Text: text}, {Text: text}}, Path: text, Owners: text, Said: text, Hint: text, Href: "?field=a",
			Columns: []int{0}, Label: []components.Manager{managerWith(text)}, Begins: true, Folds: components.Unfolded,
		}}})},
		{Name: "owners", Shown: components.Owners(components.Ownership{
			Values: 1, Portions: []components.Portion{{Owners: []components.Manager{managerWith(text)}, Values: 1, Href: "?", Hint: text}},
			Fields: []components.Link{{Text: text, Href: "?"}},
			Rows:   []components.OwnerRow{{Manager: managerWith(text), Wrote: "last wrote 1s ago", Values: 1, Href: "?", Notes: []string{text}, Cells: []components.Link{{Text: "1", Href: "?", Hint: text}}}},
			Only:   []components.Link{{Text: "Only shared", Href: "?", Hint: text}},
		})},
		{Name: "reference", Shown: templ.Join(templ.Raw("<ul>"), dependents.Reference(dependents.Ref{Kind: text, APIVersion: text, Namespace: text, Name: text}, "1d"), templ.Raw("</ul>"))},
		{Name: "searched", Shown: templ.Join(dependents.Searched(dependents.Search{Where: text}, "12:00:00"), dependents.LeftOut(dependents.Search{LeftOut: []string{text}}))},
		{Name: "copying", Shown: components.Copying(text, text)},
		{Name: "code", Shown: components.Code(components.Document{Label: text, Lines: []manifest.Line{{{Class: manifest.Key, Text: text}, {Text: text}}}})},
	}
}

func managerWith(text string) components.Manager {
	return components.Manager{Hue: 1, Initials: components.Initials(text), Name: text, Operation: text, Subresource: text}
}

func hostileCases() []specimen.Specimen {
	var cases []specimen.Specimen
	for _, c := range everywhere(hostileTexts["attribute"] + hostileTexts["right-to-left"]) {
		cases = append(cases, specimen.Specimen{Name: "hostile-" + c.Name, Shown: c.Shown})
	}
	return cases
}

// paletteWith puts a text wherever a palette shows text that comes from a cluster.
func paletteWith(text string) components.Palette {
	return components.Palette{Label: "Find", Query: text, Notes: []string{text}, Groups: []components.PaletteGroup{{Title: "Objects", Options: []components.PaletteOption{
		{Text: components.Marked{{Text: text}}, Beside: components.Marked{{Text: text}}, Detail: components.Marked{{Text: text}}, Href: "/c/practice"},
		{Text: components.Marked{{Text: text, Hit: true}}, Beside: components.Marked{{Text: text, Hit: true}}, Detail: components.Marked{{Text: text, Hit: true}}, Run: text},
	}}}}
}
