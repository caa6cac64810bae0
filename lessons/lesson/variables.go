package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// variable is how a variable is written. A sign in front of the name, {{=name}}, is none: other braces are left alone.
var variable = regexp.MustCompile(`\{\{([a-z][a-z0-9-]*)\}\}`)

// Vars are the values of variables by their names.
type Vars map[string]string

// The variables that every lesson has.
const (
	Namespace = "namespace" // the learner's own, for this lesson and this attempt
	Unique    = "unique"    // letters and digits that no other learner's objects have, for names of cluster-scoped objects
)

// Given are the variables that a lesson begins with.
var Given = []string{Namespace, Unique}

// Expand puts the values of variables into a text. It fails on one that has no value (yet).
func (v Vars) Expand(text string) (string, error) {
	var missing error
	out := variable.ReplaceAllStringFunc(text, func(found string) string {
		name := found[2 : len(found)-2]
		value, ok := v[name]
		if !ok && missing == nil {
			missing = fmt.Errorf("{{%s}} has no value yet", name)
		}
		return value
	})
	return out, missing
}

// Plain is a text with its variables filled in, for people. A variable that has no value yet is shown as its name.
func (v Vars) Plain(text string) string {
	var out strings.Builder
	for _, piece := range v.Pieces(text) {
		out.WriteString(piece.Text)
	}
	return out.String()
}

// Used are the names of the variables in a text, each once, in their order.
func Used(text string) []string {
	var names []string
	for _, found := range variable.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// Expanded is the request with the values of its variables.
func (r Request) Expanded(v Vars) (Request, error) {
	out := r
	out.Header = slices.Clone(r.Header)
	texts := []*string{&out.Target, &out.Body, &out.Kubectl}
	for i := range out.Header {
		texts = append(texts, &out.Header[i].Value)
	}
	for _, text := range texts {
		expanded, err := v.Expand(*text)
		if err != nil {
			return r, err
		}
		*text = expanded
	}
	return out, nil
}

// Uses are the names of the variables in the request.
func (r Request) Uses() []string {
	all := r.Target + "\n" + r.Body
	for _, h := range r.Header {
		all += "\n" + h.Value
	}
	return Used(all)
}

// Piece is a part of a text: plain, or where a variable stands.
type Piece struct {
	Text string // a variable's value, or its name where it has none
	Var  string // the variable's name; empty: plain
}

// Pieces is a text with the values of variables, as far as they have any, each marked as one.
func (v Vars) Pieces(text string) []Piece {
	var all []Piece
	at := 0
	for _, found := range variable.FindAllStringSubmatchIndex(text, -1) {
		if found[0] > at {
			all = append(all, Piece{Text: text[at:found[0]]})
		}
		name := text[found[2]:found[3]]
		value, known := v[name]
		if !known {
			value = name
		}
		all = append(all, Piece{Text: value, Var: name})
		at = found[1]
	}
	if at < len(text) {
		all = append(all, Piece{Text: text[at:]})
	}
	return all
}
