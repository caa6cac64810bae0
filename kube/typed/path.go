// Package typed reads what people type: paths of fields, and words with a typo.
//
//	spec.replicas                       ──▶  .spec.replicas
//	.spec.containers[name=app].image    ──▶  .spec.containers[name="app"].image
//	metadata.labels["example.com/app"]  ──▶  .metadata.labels.example.com/app
//
// The right side is structured-merge-diff's notation, which all pages and commands print. It doesn't quote the names of fields, so a name may look like
// steps. So look for the text as it is first, if you have the
// object: see ownership.Blame.Meant.
package typed

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrPath says that a text is no path of a field.
var ErrPath = errors.New("the path isn't valid: write it like .spec.containers[*].image")

// Step is one step of a path: a field, or one or all items of a list.
type Step struct {
	Name string // of a field, or the key of a map
	Item bool   // the step is an item of a list, or with neither Keys nor Index all of them
	// Keys identify the item, in the order of their names. The item of a set has one key without a name.
	Keys  []Key
	Index string // a number: the item's place in the list
}

// Key is a field that identifies a list item.
type Key struct {
	Name  string
	Value string // in structured-merge-diff's notation: texts are in quotes
}

// Path is a path in structured-merge-diff's notation. A text that is no path stays as it is.
func Path(text string) string {
	text = strings.TrimSpace(text)
	steps, err := Steps(text)
	if err != nil || len(steps) == 0 {
		return text
	}
	var b strings.Builder
	for _, s := range steps {
		b.WriteString(s.String())
	}
	return b.String()
}

// Steps are the steps of a path. The path of an object itself is a dot, or empty, and has none.
func Steps(text string) ([]Step, error) {
	if text = strings.TrimSpace(text); text == "" || text == "." {
		return nil, nil
	}
	if text[0] != '.' && text[0] != '[' {
		text = "." + text
	}
	var steps []Step
	for text != "" {
		s, rest, err := cutStep(text)
		if err != nil {
			return nil, err
		}
		steps, text = append(steps, s), rest
	}
	return steps, nil
}

// cutStep splits a path after its first step.
func cutStep(text string) (s Step, rest string, err error) {
	if inside, rest, ok := Bracket(text); ok {
		s, err = bracketed(inside)
		return s, rest, err
	}
	if text[0] != '.' || len(text) == 1 {
		return Step{}, "", ErrPath
	}
	text = text[1:]
	if end := strings.IndexAny(text, ".["); end >= 0 {
		return Step{Name: text[:end]}, text[end:], nil
	}
	return Step{Name: text}, "", nil
}

// Bracket reads [ … ] at the beginning of a path. Brackets in quotes don't count.
func Bracket(path string) (inside, rest string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		return "", "", false
	}
	end := Until(path, ']')
	if end == len(path) {
		return "", "", false
	}
	return path[1:end], path[end+1:], true
}

// Until is the index of a character outside of quotes, or the length of the text.
func Until(text string, c byte) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == c && !quoted:
			return i
		}
	}
	return len(text)
}

// bracketed reads what is in brackets: a name in quotes, *, a place, keys of an item, a value of a set, or a name without quotes.
func bracketed(inside string) (Step, error) {
	_, err := strconv.Atoi(inside)
	switch {
	case inside == "", inside == "*":
		return Step{Item: true}, nil
	case err == nil:
		return Step{Item: true, Index: inside}, nil
	case inside[0] == '"':
		var name string
		if json.Unmarshal([]byte(inside), &name) != nil {
			return Step{}, ErrPath
		}
		return Step{Name: name}, nil
	case inside[0] == '=':
		return Step{Item: true, Keys: []Key{{Value: literal(inside[1:])}}}, nil
	case !strings.Contains(inside, "="):
		return Step{Name: inside}, nil
	}
	s := Step{Item: true}
	for inside != "" {
		end := Until(inside, ',')
		name, value, _ := strings.Cut(inside[:end], "=")
		if name, value = strings.TrimSpace(name), strings.TrimSpace(value); name == "" || value == "" {
			return Step{}, ErrPath
		}
		s.Keys = append(s.Keys, Key{name, literal(value)})
		inside = strings.TrimPrefix(inside[end:], ",")
	}
	slices.SortFunc(s.Keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}

// literal is a value in structured-merge-diff's notation: a text that isn't in double quotes gets them. Numbers, true, false and null have none.
func literal(text string) string {
	if strings.HasPrefix(text, `"`) || json.Valid([]byte(text)) {
		return text
	}
	if inner, ok := strings.CutPrefix(text, "'"); ok && strings.HasSuffix(inner, "'") {
		text = strings.TrimSuffix(inner, "'")
	}
	return strconv.Quote(text)
}

// String writes the step in structured-merge-diff's notation.
func (s Step) String() string {
	switch {
	case !s.Item:
		return "." + s.Name
	case len(s.Keys) > 0:
		var keys []string
		for _, k := range s.Keys {
			keys = append(keys, k.Name+"="+k.Value)
		}
		return "[" + strings.Join(keys, ",") + "]"
	case s.Index != "":
		return "[" + s.Index + "]"
	}
	return "[*]"
}

// Fits tells whether the step can mean an item of a list. A number in the path fits the same number as a text, because people leave quotes out.
func (s Step) Fits(item any, at int) bool {
	if s.Index != "" {
		return s.Index == strconv.Itoa(at)
	}
	fields, isMap := item.(map[string]any)
	for _, k := range s.Keys {
		v := item
		if k.Name != "" || isMap {
			v = fields[k.Name]
		}
		if !equal(v, k.Value) {
			return false
		}
	}
	return len(s.Keys) > 0
}

func equal(v any, written string) bool {
	if word, err := strconv.Unquote(written); err == nil {
		return v == word
	}
	switch v := v.(type) {
	case string, bool, json.Number:
		return fmt.Sprint(v) == written
	}
	return v == nil && written == "null"
}
