package source

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A long list is read item by item, because the YAML parser needs many times the memory of what it reads at once. Where the text leaves any
// doubt about where the items are, the list is read as a whole.

// list is a list of objects whose items can be read one by one.
type list struct {
	head  Document // has the type of the list
	holds bool     // whether the text around the items may be that of Secrets
	items []segment
}

// listIn finds the items of a document that is a list; nil if it isn't one, is short, or must be read as a whole.
func (w whole) listIn(p piece, short int, work func(steps int)) *list {
	text := w.text[p.start:p.end]
	if len(text) < short || len(text) > MaxText || p.ended || p.marked && beside(text) != "" {
		return nil
	}
	head, items := jsonItems(text)
	if items == nil {
		head, items = dashedItems(text)
	}
	work(4 * len(text))
	if len(items) == 0 || slices.ContainsFunc(items, func(s segment) bool { return s.dashed && !isAlone(text[s.start:s.end]) }) {
		return nil
	}
	about := Parse(head)
	work(about.steps)
	if len(about.Documents) != 1 || !about.Documents[0].IsList() || slices.ContainsFunc(about.Problems, func(p Problem) bool { return !p.Nameless() }) {
		return nil
	}
	for i := range items {
		items[i].start, items[i].end = items[i].start+p.start, items[i].end+p.start
	}
	return &list{head: Document{APIVersion: about.Documents[0].APIVersion, Kind: about.Documents[0].Kind}, holds: about.holds, items: items}
}

// isAlone tells whether a list item can be read without the text around it: it has no alias of an anchor elsewhere, and ends where it seems to.
func isAlone(item string) bool {
	var n yaml.Node
	return tooDeep(item) < 0 && yaml.Unmarshal([]byte(item), &n) == nil && len(n.Content) == 1 && n.Content[0].Kind == yaml.SequenceNode && len(n.Content[0].Content) == 1
}

// jsonItems finds the items of a list in JSON, and the text without them; nil if it isn't JSON.
func jsonItems(text string) (head string, items []segment) {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") || !json.Valid([]byte(text)) {
		return "", nil
	}
	depth, open, end, from := 0, -1, -1, 0 // from is the beginning of the next item
	field := ""                            // the last text in the outermost object: a list comes right after its name
	for at := 0; at < len(text); at++ {
		switch within := open >= 0 && end < 0 && depth == 2; text[at] {
		case '"':
			start := at + 1
			for at = start; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			if depth == 1 {
				field = text[start:at]
			}
		case '[', '{':
			if depth++; depth == 2 && text[at] == '[' && field == "items" {
				if open >= 0 {
					return "", nil
				}
				open, from = at, at+1
			}
		case ']', '}', ',':
			if within {
				items, from = appendItem(items, text, from, at), at+1
			}
			if text[at] != ',' {
				depth--
			}
			if within && text[at] == ']' {
				end = at
			}
		}
	}
	if end < 0 {
		return "", nil
	}
	return text[:open+1] + text[end:], items
}

// appendItem appends a piece of text without the blanks around it, unless it is blank, or there are already more items than are read.
func appendItem(items []segment, text string, from, to int) []segment {
	const blank = " \t\r\n"
	to = from + len(strings.TrimRight(text[from:to], blank))
	from = to - len(strings.TrimLeft(text[from:to], blank))
	if from == to || len(items) > maxItems {
		return items
	}
	return append(items, segment{start: from, end: to})
}

// dashedItems finds the items of a list in YAML, each in lines of its own, and the text without them; nil if there are none.
func dashedItems(text string) (head string, items []segment) {
	if strings.Count(text, "\r") != strings.Count(text, "\r\n") || strings.ContainsAny(text, "\u0085\u2028\u2029") {
		return "", nil // the YAML parser sees more lines than are counted here
	}
	at, open, end, indent := 0, -1, len(text), 0
	for line := range strings.Lines(text) {
		start, body := at, strings.TrimLeft(line, " ")
		at += len(line)
		column, last := len(line)-len(body), len(items)-1
		switch rest, opens := strings.CutPrefix(line, "items:"); {
		case open < 0:
			if opens && isBlankOrComment(rest) {
				open = start
			}
		case end < len(text) || body == "" || isEmpty(body):
		case last < 0 && !isDashed(body):
			return "", nil
		case last < 0 || column == indent && isDashed(body):
			if last >= 0 {
				items[last].end = start
			}
			items, indent = append(items, segment{start: start, end: len(text), dashed: true}), column
		case column <= indent:
			items[last].end, end = start, start
		}
	}
	if len(items) == 0 {
		return "", nil
	}
	return text[:open] + "items: []\n" + text[end:], items
}

// isBlankOrComment tells whether nothing but a comment follows in a line.
func isBlankOrComment(rest string) bool {
	body := strings.TrimLeft(rest, " \t\r\n")
	return body == "" || body[0] == '#' && len(body) < len(rest)
}

func isDashed(body string) bool { return isMarker(body, "-") }

// item reads an item of a list.
func (t *Text) item(s segment, l *list) {
	d := Document{Index: len(t.Documents), listed: true, segment: s, whole: &t.whole}
	if !s.dashed {
		d.Text, d.base, d.Span = t.text[s.start:s.end], s.start, t.span(s.start, s.end)
	}
	r, root := t.rooted(&d)
	if root == nil && r.broken { // not even YAML
		d.Broken = true
		t.Documents = append(t.Documents, d)
		return
	}
	if root != nil {
		d.plant(r, root)
	}
	t.identified(d, l.head, t.cutBack(d.Index), 0)
}
