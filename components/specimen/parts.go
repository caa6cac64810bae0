package specimen

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// ways are components for navigation.
func ways() Section {
	return Section{
		Name: "ways", Title: "Navigation", Note: "Where the user is, and links to other places.",
		Specimens: []Specimen{
			{Name: "anatomy", Title: "Anatomy of a path", Note: "Each part has a tooltip with its meaning.", Shown: components.Anatomy([]components.Segment{
				{Text: "apis", Means: "the named API groups", Href: "/c/practice/apis"},
				{Text: "apps", Means: "API group", Href: "/c/practice/apis/apps"},
				{Text: "v1", Means: "version"},
				{Text: "deployments", Means: "resource type", Href: "/c/practice/apis/apps/v1/deployments", Current: true},
			})},
			{Name: "anatomy-of-the-root", Title: "Anatomy of the root", Shown: components.Anatomy(nil)},
			{Name: "choose", Title: "Menu", Note: "It opens and closes without scripts.", Open: true, Shown: components.Choose(components.Menu{Label: "namespace", Current: "shop", Links: []components.Link{
				{Text: "All namespaces", Href: podsPage},
				{Text: "shop", Href: "/c/practice/api/v1/namespaces/shop/pods", Current: true, Hint: "the one chosen"},
			}})},
			{Name: "choose-with-a-search", Title: "Menu that lists a part", Note: "Without scripts, the search is a form.", Open: true, Shown: components.Choose(components.Menu{
				Label: "cluster", Current: "prod-eu-1", Find: &components.Finding{Action: "/", Field: "q", Do: "contexts", Words: "Find one of 500 contexts…"},
				Links: []components.Link{{Text: "prod-eu-1", Href: "/c/prod-eu-1", Current: true}, {Text: "prod-eu-2", Href: "/c/prod-eu-2"}},
			})},
			{Name: "choose-with-a-note", Title: "Menu with nothing to choose", Open: true, Shown: components.Choose(components.Menu{Label: "namespace", Current: "all", Note: "You may not list the namespaces here."})},
			{Name: "tabs", Title: "Tabs", Shown: components.Tabs("Views of this object", []components.Link{
				{Text: "YAML", Href: "/c/practice/api/v1/namespaces/shop/pods/web-1", Current: true, Why: &why.YAML},
				{Text: "JSON", Href: "/c/practice/api/v1/namespaces/shop/pods/web-1?tab=json", Hint: "The object as JSON"},
				{Text: "Timeline", Href: "/c/practice/api/v1/namespaces/shop/pods/web-1?tab=timeline", Mark: "1 field is fought over"},
			})},
		},
	}
}

func beside() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return components.Beside(why.Apply).Render(templ.WithChildren(ctx, components.Press(components.Button{Words: "Apply", Do: "apply"})), w)
	})
}

func facts() Section {
	return Section{
		Name: "facts", Title: "Facts and conditions",
		Specimens: []Specimen{
			{Name: "facts", Title: "Names with values", Shown: components.Facts([]components.Fact{
				{Name: "state", Text: "it answers", Tone: components.Good},
				{Name: "version", Text: "v1.37.1", Mono: true, Hint: "as the server says"},
				{Name: "user", Text: "practice", Href: "/c/practice"},
				{Name: "plain", Text: "text"},
				{Name: "scope", Text: "Namespaced", Why: &why.Paths},
			})},
			{Name: "why", Title: "Into the guide", Note: "Beside a thing that shows a concept.", Shown: components.Why(why.Conflicts)},
			{Name: "why-mark", Title: "Into the guide, where there is little room", Shown: components.WhyMark(why.ColumnPriority)},
			{Name: "why-beside", Title: "Into the guide, from a button", Note: "The mark is beside the button, so the button’s name doesn’t change.", Shown: beside()},
			{Name: "copying", Title: "A menu that copies", Note: "Only pages with the program for the browser have it.", Shown: components.Copying("lines", "the lines with their owners"), Open: true},
			{Name: "conditions", Title: "Status conditions", Note: "A condition whose meaning isn’t documented has no color.", Shown: components.Conditions([]components.Condition{
				{Type: "Ready", Status: "True", Since: "for 5m", Verdict: condition.Fine},
				{Type: "MemoryPressure", Status: "True", Reason: "KubeletHasInsufficientMemory", Message: "there is no room", Verdict: condition.Ill, Links: []components.Link{{Text: "2 pods in this namespace", Href: podsPage}}},
				{Type: "Available", Status: "Unknown", Verdict: condition.Busy},
				{Type: "Sleepy", Status: "True"},
			}, "1 more condition isn’t shown.")},
			{Name: "action-bar", Title: "Actions", Note: "The primary act first. The menu opens without scripts.", Open: true, Shown: components.ActionBar(components.Actions{
				First: []templ.Component{components.Press(components.Button{Words: "Apply", Do: "apply"})},
				Rest:  []templ.Component{components.Press(components.Button{Words: "Delete…", Do: "delete"})},
			})},
		},
	}
}

func documents() Section {
	lines := []manifest.Line{
		{{Class: manifest.Key, Text: "replicas"}, {Text: ": "}, {Class: manifest.Number, Text: "3"}},
		{{Class: manifest.Key, Text: "paused"}, {Text: ": "}, {Class: manifest.Word, Text: "false"}},
		{{Text: "  - "}, {Class: manifest.String, Text: `"quoted & <kept>"`}},
		{},
	}
	return Section{
		Name: "documents", Title: "Documents", Note: "Objects as text. Each line can be linked to by its number.",
		Specimens: []Specimen{
			{Name: "code", Title: "Lines", Shown: components.Code(components.Document{Label: "web-1 as yaml", Lines: lines})},
			{Name: "code-changed", Title: "Lines that changed a moment ago", Note: "The bar beside the number disappears together with the background.", Shown: components.Code(components.Document{
				Label: "web-1 as yaml", Lines: lines, Keys: []int{1, 7, 3, 9}, Fresh: []bool{true, false, false, true},
			})},
			{Name: "code-empty", Title: "Nothing", Shown: components.Code(components.Document{Label: "nothing"})},
		},
	}
}

func wire() Section {
	return Section{
		Name: "wire", Title: "Requests", Note: "One line each: verb, method and target, status, media type, size, time.",
		Specimens: []Specimen{
			{Name: "wire-line", Title: "Answered", Shown: components.WireLine(components.Request{Verb: "list", Method: "GET", Target: "/api/v1/pods?limit=500", Status: 200, MediaType: "Table", Bytes: 1900000, Millis: 1234})},
			{Name: "wire-line-refused", Title: "Refused", Shown: components.WireLine(components.Request{Verb: "get", Method: "GET", Target: "/api/v1/secrets", Status: 403, MediaType: "JSON", Bytes: 812, Millis: 3})},
			{Name: "wire-line-watch", Title: "A watch, while it is open", Shown: components.WireLine(components.Request{Verb: "watch", Method: "GET", Target: "/api/v1/pods?watch=1", Status: 200, MediaType: "JSON", Bytes: 5120, Events: 12, Warnings: 1, Open: true})},
			{Name: "wire-line-waiting", Title: "No response yet", Shown: components.WireLine(components.Request{Verb: "list", Method: "GET", Target: "/api/v1/pods", Open: true})},
			{Name: "wire-line-without-answer", Title: "Without a response", Shown: components.WireLine(components.Request{Verb: "list", Method: "GET", Target: "/api/v1/pods"})},
		},
	}
}
