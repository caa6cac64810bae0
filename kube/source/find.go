package source

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Find gives the nodes at a path. It is read as field managers write it (.spec.containers[name="app"].image) and as servers do in
// warnings and errors (spec.containers[0].image, metadata.annotations[example.com/note]). Neither notation quotes the names of fields,
// so there may be several.
func (d Document) Find(path string) []*manifest.Node {
	if d.Root == nil {
		return nil
	}
	f := finder{}
	f.walk(d.Root, dotted(path))
	return f.found
}

// Nearest returns the node at a path. If there is none, it returns the innermost node around the path, which can be the document's
// root.
func (d Document) Nearest(path string) *manifest.Node {
	if d.Root == nil {
		return nil
	}
	f := finder{near: d.Root}
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

// finder goes down a path.
type finder struct {
	found []*manifest.Node
	near  *manifest.Node
	left  int // how short what was left of the path got, and by how much that is more than nothing
}

func (f *finder) walk(n *manifest.Node, rest string) {
	if rest == "" || rest == "." {
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
	for _, child := range n.Children {
		if after, ok := step(child, rest); ok {
			f.walk(child, after)
		}
	}
}

// items goes on to the items of a list that a path means: those that give all the keys or, if there are none, those that
// leave some to their defaults.
func (f *finder) items(list *manifest.Node, rest string) {
	inside, after, ok := bracket(rest)
	if !ok {
		return
	}
	var exact, likely []*manifest.Node
	for _, item := range list.Children {
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

// step takes a field's step off a path.
func step(n *manifest.Node, path string) (rest string, ok bool) {
	for _, way := range []string{"." + n.Key, "[" + n.Key + "]"} {
		if rest, ok := strings.CutPrefix(path, way); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return rest, true
		}
	}
	return "", false
}

// bracket takes [ … ] off a path; brackets in quotes are text.
func bracket(path string) (inside, rest string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		return "", "", false
	}
	quoted := false
	for i := 1; i < len(path); i++ {
		switch {
		case quoted && path[i] == '\\':
			i++
		case path[i] == '"':
			quoted = !quoted
		case path[i] == ']' && !quoted:
			return path[1:i], path[i+1:], true
		}
	}
	return "", "", false
}

// matches tells whether a list's item is the one that stands in brackets in a path: [0], [="value"], [name="app"] or
// [port=80,protocol="TCP"]. A key that the item doesn't give may have a default, and all tells whether it gives every one.
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

// literal takes a plain value off the front, as field managers write them.
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
