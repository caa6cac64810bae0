package refusal

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	deepest = 5 // how many levels of quotes and JSON are opened
	// budget is how many bytes are read to find the ends of JSON documents and quoted texts, for each byte of the text.
	budget = 4
)

// readText reads a text, and the JSON documents and quoted texts in it.
func (r *reader) readText(text string, depth int) {
	done := 0
	for at := 0; at < len(text) && depth < deepest && r.goesOn(); {
		next := wrapped(text, at)
		r.work(max(next, at) - at)
		if next < 0 {
			break
		}
		held := r.hold(text, next, at)
		if held.read != nil {
			r.scan(text[done:held.start])
			held.read(depth + 1)
			done = held.end
		}
		at = held.end
	}
	r.scan(text[done:])
}

// held is a piece of text with another text inside it, and the function that reads the inner text; nil if that one says nothing.
type held struct {
	start, end int
	read       func(depth int)
}

// wrapped is the place of the next JSON object, escaped quote, or quoted value in a line of a log.
func wrapped(text string, from int) int {
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '{':
			if strings.HasPrefix(strings.TrimLeft(text[i+1:min(i+64, len(text))], " \t\n"), `"`) {
				return i
			}
		case '=':
			if i+1 < len(text) && text[i+1] == '"' && i > 0 && plainWord(text[i-1:i]) {
				return i + 1
			}
		case '\\':
			if i+1 < len(text) && text[i+1] == '"' {
				return i
			}
			i++
		}
	}
	return -1
}

// hold finds the piece of text around a place. Text before from belongs to another piece.
func (r *reader) hold(text string, at, from int) held {
	if text[at] == '{' {
		if strings.HasSuffix(text[from:at], "value: [") {
			if end := r.index(text[at:], "]: "); end > 0 {
				return held{end: at + end} // a value of the manifest
			}
		}
		length, value, ok := r.document(text[at:])
		if !ok {
			return held{end: at + max(1, length)}
		}
		return held{at, at + length, func(depth int) { r.value(value, depth) }}
	}
	start, end, name := r.quotes(text, at, from)
	r.work(end - from)
	inner := unescaped(strings.TrimSuffix(strings.TrimPrefix(text[start:end], `"`), `"`))
	const shortest = 12 // shorter texts say nothing
	if name || len(inner) < shortest || !speaks(strings.ReplaceAll(inner, `\`, "")) {
		return held{end: end}
	}
	return held{start, end, func(depth int) { r.readText(clean(inner), depth) }}
}

// index is the place of words in a text. It reads no more than the budget; -1: the words aren't there.
func (r *reader) index(text, words string) int {
	text = text[:min(len(text), max(0, r.budget))]
	at := strings.Index(text, words)
	read := at
	if at < 0 {
		read = len(text)
	}
	r.budget -= read
	r.work(read)
	return at
}

// document reads the JSON object at the front of a text, if it says anything about a refusal. If it says nothing, nothing in it does, and length is
// the object's length, otherwise 0.
func (r *reader) document(text string) (length int, value any, ok bool) {
	length = r.balanced(text)
	r.work(2 * length)
	if length == 0 || !strings.Contains(text[:length], `"Status"`) && !speaks(strings.ReplaceAll(text[:length], `\`, "")) {
		return length, nil, false
	}
	for _, form := range []string{text[:length], strings.ReplaceAll(text[:length], `\\`, `\`)} { // Python writes each backslash twice in bytes
		if json.Unmarshal([]byte(form), &value) == nil {
			return length, value, true
		}
	}
	return 0, nil, false
}

// balanced is the length of the JSON object at the front of a text; 0 if it doesn't end.
func (r *reader) balanced(text string) int {
	open, quoted := 0, false
	for i := 0; i < len(text) && r.budget > 0; i++ {
		r.budget--
		r.work(1)
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open++
		case c == '}':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// named are words before a quoted name. The text in quotes after them is always a name.
var named = []string{"conflict with ", "conflicts with ", "subresource ", "User ", "field manager "}

// quotes is the text in quotes around an escaped quote, and whether it is a name. If somebody copied only the text inside the quotes, it is the line.
func (r *reader) quotes(text string, at, from int) (start, end int, name bool) {
	open := 0 // the opening quote is at the place, or before it
	if text[at] == '"' {
		from, at = at, at+1
	} else {
		open = lastQuote(text[from:at])
	}
	if open < 0 {
		start = from + strings.LastIndexByte(text[from:at], '\n') + 1
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			return start, at + n, false
		}
		return start, len(text), false
	}
	start = from + open
	name = slices.ContainsFunc(named, func(word string) bool { return strings.HasSuffix(text[:start], word) })
	for i := at; i < len(text) && r.budget > 0; i++ {
		r.budget--
		r.work(1)
		switch text[i] {
		case '\\':
			i++
		case '"':
			return start, i + 1, name
		}
	}
	return start, len(text), name
}

// lastQuote is the last quote that isn't escaped; -1 if there is none.
func lastQuote(text string) int {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '"' && (len(text[:i])-len(strings.TrimRight(text[:i], `\`)))%2 == 0 {
			return i
		}
	}
	return -1
}

// unescaped is an escaped text without its escapes, which can be those of Go, JSON, JavaScript and Python.
func unescaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'n', 'r':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '"', '\\', '/', '\'':
			b.WriteByte(c)
		case 'u', 'x':
			digits := map[byte]int{'u': 4, 'x': 2}[c]
			if n, err := strconv.ParseUint(text[i+1:min(i+1+digits, len(text))], 16, 16); err == nil && i+digits < len(text) {
				b.WriteRune(rune(n))
				i += digits
				continue
			}
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// value reads a value of a JSON document: a Status, or the sentences in a line of a log or in another object. Sentences that are there several times
// count once.
func (r *reader) value(v any, depth int) {
	before := len(r.Refusals)
	r.walk(v, depth)
	said := map[string]bool{}
	r.Refusals = append(r.Refusals[:before], slices.DeleteFunc(r.Refusals[before:], func(no Refusal) bool {
		text, err := json.Marshal(no)
		again := err == nil && said[string(text)]
		said[string(text)] = true
		return again
	})...)
}

func (r *reader) walk(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		if !r.goesOn() {
			return
		}
		if v["kind"] == "Status" {
			r.status(v)
			return
		}
		r.result(v)
		if namespace, is := v["namespace"].(string); is && v["controller"] != nil {
			r.said.around = namespace
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "stacktrace" && key != "errorVerbose" {
				r.walk(v[key], depth)
			}
		}
	case []any:
		for _, item := range v {
			r.walk(item, depth)
		}
	case string:
		if speaks(strings.ReplaceAll(v, `\`, "")) {
			r.readText(clean(v), depth)
		}
	}
}

// result notes the object in a result of an Argo CD Application, for the message beside it.
func (r *reader) result(v map[string]any) {
	text := func(key string) string { s, _ := v[key].(string); return s }
	if v["apiVersion"] == nil && text("kind") != "" && text("name") != "" && text("message") != "" && v["syncPhase"] != nil {
		r.addNote(note{tool: ArgoCD, object: Object{Group: text("group"), Version: text("version"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name")}})
	}
}

// status reads a Status object: its message like any other sentence, and its other fields.
func (r *reader) status(v map[string]any) {
	body, err := json.Marshal(v)
	s := status.Parse(0, body)
	if err != nil || s.Code < status.CodeBadRequest {
		return
	}
	sentence := reader{budget: len(s.Message) * budget, ended: r.ended, steps: r.steps}
	sentence.scan(clean(s.Message))
	no := Refusal{Reason: Reason(s.Reason), Message: s.Message}
	if len(sentence.Refusals) > 0 && len(sentence.Rest) == 0 {
		no = sentence.Refusals[0]
	}
	no.Code, no.Tool, no.RetryAfterSeconds = s.Code, Status, s.RetryAfterSeconds
	no.name(ofStatus(s))
	if s.ManagerConflict() {
		no.Reason, no.Untold = Conflict, 0
	}
	no.Fields = nil // the causes have all of them, and are complete
	known := map[string]int{}
	for _, cause := range s.Causes {
		if owner, ok := cause.Owner(); ok && cause.Reason == status.FieldManagerConflict {
			no.own(known, cause.Field, owner)
		} else if cause.Field != "" {
			no.wrong(path(cause.Field), cause.Message)
		} else if cause.Message != "" && no.Policy == nil && !strings.Contains(s.Message, cause.Message) {
			no.Message += " " + cause.Message
		}
	}
	r.emit(no)
}

func ofStatus(s status.Status) Object {
	o := typed(s.Kind)
	o.Group, o.Name = s.Group, s.Name
	return o
}
