package lesson

import (
	"html"
	"regexp"
	"slices"

	"github.com/fieldmark/fieldmark/web"
)

// Prose in a lesson is HTML that is safe to show as it is. Two things in it are the page's to fill in: variables, which stand as
// <span class="var" data-var="namespace">{{namespace}}</span>, in code as well, and links into the tools of a cluster, whose address
// is tool:NAME. Links to the glossary have the class term, and the term's definition as their title.

// Tools are the names of the pages of a cluster that a lesson may lead to, as in their addresses, in alphabetical order.
func Tools() []string {
	var names []string
	for _, t := range web.Tools() {
		names = append(names, t.Tool())
	}
	slices.Sort(names)
	return names
}

var (
	placeholder = regexp.MustCompile(`<span class="var" data-var="([a-z][a-z0-9-]*)">[^<]*</span>`)
	toolLink    = regexp.MustCompile(`href="tool:([a-z-]+)"`)
)

// Placeholder is how a variable stands in prose.
func Placeholder(name string) string {
	return `<span class="var" data-var="` + name + `">{{` + name + `}}</span>`
}

// Fill puts the values of variables into prose; where one has none, its name stands for it, as in a request.
func (v Vars) Fill(prose string) string {
	return placeholder.ReplaceAllStringFunc(prose, func(found string) string {
		name := placeholder.FindStringSubmatch(found)[1]
		value, ok := v[name]
		if !ok {
			value = name
		}
		return `<span class="var" data-var="` + name + `">` + html.EscapeString(value) + `</span>`
	})
}

// Tooled gives links into tools their addresses.
func Tooled(prose string, address func(tool string) string) string {
	return toolLink.ReplaceAllStringFunc(prose, func(found string) string {
		name := toolLink.FindStringSubmatch(found)[1]
		if _, known := web.ToolNamed(name); !known {
			return found
		}
		return `href="` + html.EscapeString(address(name)) + `"`
	})
}
