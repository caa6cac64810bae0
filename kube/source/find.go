package source

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Find returns the nodes at a path. It accepts the notation of field managers (.spec.containers[name="app"].image), and that of servers in
// warnings and errors (spec.containers[0].image, metadata.annotations[example.com/note]). Neither notation quotes the names of fields, so
// a path may have several nodes.
func (d Document) Find(path string) []*manifest.Node {
	if d.Root == nil {
		return nil
	}
	f := finder{lists: d.lists}
	f.walk(d.Root, dotted(path))
	return f.found
}

// Meant returns the nodes to which the parts of a path lead, for example .spec, .containers and [name="app"]. The name of a field is one part,
// whatever it contains. Without parts, the nodes are those that the path can mean.
func (d Document) Meant(path string, parts []string) []*manifest.Node {
	if d.Root == nil || parts == nil {
		return d.Find(path)
	}
	found := []*manifest.Node{d.Root}
	for _, part := range parts {
		var next []*manifest.Node
		for _, n := range found {
			next = append(next, d.step(n, part)...)
		}
		found = next
	}
	return found
}

// step returns the children of a node that one part of a path means.
func (d Document) step(n *manifest.Node, part string) []*manifest.Node {
	if name, field := strings.CutPrefix(part, "."); field {
		if child := n.Field(name); child != nil {
			return []*manifest.Node{child}
		}
		return nil
	}
	if len(n.Children) == 0 || n.Children[0].Index < 0 {
		return nil
	}
	f := finder{lists: d.lists}
	f.items(n, part)
	return f.found
}

// Nearest returns the node at a path. If there is none, it returns the innermost node around the path, which can be the document's
// root.
func (d Document) Nearest(path string) *manifest.Node {
	if d.Root == nil {
		return nil
	}
	f := finder{near: d.Root, lists: d.lists}
	f.walk(d.Root, dotted(path))
	if len(f.found) > 0 {
		return f.found[0]
	}
	return f.near
}

func dotted(path string) string {
	if path == "" || path[0] == '.' || path[0] == '[' {
		return path
	}
	return "." + path
}

// finder follows a path through a document.
type finder struct {
	found []*manifest.Node
	near  *manifest.Node
	left  int // the length of the shortest rest of the path that could not be followed
	lists *listIndex
}

func (f *finder) walk(n *manifest.Node, rest string) {
	if rest == "" || rest == "." && n.Field("") == nil { // the name of a field can be empty
		f.found = append(f.found, n)
		return
	}
	if f.left == 0 || len(rest) < f.left {
		f.near, f.left = n, len(rest)
	}
	if len(n.Children) > 0 && n.Children[0].Index >= 0 {
		f.items(n, rest)
		return
	}
	f.fields(n, rest)
}

// fields continues with the fields that a path may mean. Each of them is looked up, because a mapping may have many.
func (f *finder) fields(n *manifest.Node, rest string) {
	bracketed := rest[0] == '['
	for end := 1; end <= len(rest) && (bracketed || rest[0] == '.'); end++ {
		after := rest[end:]
		if bracketed {
			inside, closed := strings.CutPrefix(after, "]")
			if !closed {
				continue
			}
			after = inside
		}
		if after != "" && after[0] != '.' && after[0] != '[' {
			continue
		}
		if child := n.Field(rest[1:end]); child != nil {
			f.walk(child, after)
		}
	}
}

// items continues with the items of a list that a path means: the items with all the keys, or else the items in which some keys have their
// defaults.
func (f *finder) items(list *manifest.Node, rest string) {
	inside, after, ok := typed.Bracket(rest)
	if !ok {
		return
	}
	var exact, likely []*manifest.Node
	for _, item := range f.lists.candidates(list, inside) {
		switch given, all := matches(item.Value, item.Index, inside); {
		case given && all:
			exact = append(exact, item)
		case given:
			likely = append(likely, item)
		}
	}
	if len(exact) == 0 {
		exact = likely
	}
	for _, item := range exact {
		f.walk(item, after)
	}
}

// matches tells whether a list item is the one in the brackets of a path: [0], [="value"], [name="app"] or [port=80,protocol="TCP"]. A key
// that the item doesn't have may have a default; all is true if the item has every key.
func matches(item any, index int, inside string) (ok, all bool) {
	if n, err := strconv.Atoi(inside); err == nil {
		return n == index, true
	}
	fields, isMap := item.(map[string]any)
	given := 0
	for all = true; inside != ""; {
		name, rest, ok := strings.Cut(inside, "=")
		if !ok {
			return false, false
		}
		want, rest, ok := literal(rest)
		if !ok {
			return false, false
		}
		switch v, has := fields[name]; {
		case name == "" && !isMap:
			return rest == "" && equalScalar(item, want), true
		case has && !equalScalar(v, want), !isMap, !has && name == "protocol" && want != "TCP":
			return false, false
		case has:
			given++
		default:
			all = false
		}
		inside = strings.TrimPrefix(rest, ",")
	}
	return given > 0, all
}

// literal reads a value at the beginning of a text, in the notation of field managers.
func literal(text string) (value any, rest string, ok bool) {
	if prefix, err := strconv.QuotedPrefix(text); err == nil {
		word, err := strconv.Unquote(prefix)
		return word, text[len(prefix):], err == nil
	}
	word, rest, more := strings.Cut(text, ",")
	if more {
		rest = "," + rest
	}
	switch word {
	case "true", "false":
		return word == "true", rest, true
	case "null":
		return nil, rest, true
	}
	_, err := strconv.ParseFloat(word, 64)
	return json.Number(word), rest, err == nil
}

func equalScalar(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, areNumbers := b.(json.Number)
	if isNumber && areNumbers {
		f, err := x.Float64()
		g, wrong := y.Float64()
		return x == y || err == nil && wrong == nil && f == g
	}
	switch a.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}
