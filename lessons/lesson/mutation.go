package lesson

import (
	"encoding/hex"
	"encoding/json"
	"iter"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// Mutation is an answer that says something else about what a statement speaks of, and of nothing besides.
type Mutation struct {
	What   string // how it differs
	Answer Answer
}

// Mutations are answers that differ from one in the statement's subject: it is gone, is another, is what the statement compares with, or
// just misses it. They are what a statement is proved by: one that holds of all of them, or of none, says nothing.
func (s Statement) Mutations(a Answer, vars Vars) iter.Seq[Mutation] {
	return func(yield func(Mutation) bool) {
		subject, want, err := s.expandVariables(vars)
		if err != nil {
			return
		}
		if gone, ok := subject.without(a); ok && !yield(Mutation{"without it", gone}) {
			return
		}
		came, _ := subject.Of(a, vars)
		for _, value := range candidates(s.Op, came, want) {
			if changed, ok := subject.with(a, value); ok && !yield(Mutation{"where it is " + value, changed}) {
				return
			}
		}
	}
}

// expandVariables is the statement's subject and value with the values of variables.
func (s Statement) expandVariables(vars Vars) (Subject, string, error) {
	subject := s.Subject
	want, err := vars.Expand(s.Value)
	if err != nil {
		return subject, "", err
	}
	if subject.Path, err = vars.Expand(subject.Path); err != nil || subject.Where == nil {
		return subject, want, err
	}
	where := *subject.Where
	if where.Path, err = vars.Expand(where.Path); err != nil {
		return subject, "", err
	}
	where.Value, err = vars.Expand(where.Value)
	subject.Where = &where
	return subject, want, err
}

// candidates are values by which a comparison comes to another end.
func candidates(op Op, came, want string) []string {
	all := []string{want, came + "x", want + "x", "x" + want, "x", ""}
	for _, text := range []string{want, came} {
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			for _, near := range []float64{n + 1, n - 1, 2*n + 1} {
				all = append(all, strconv.FormatFloat(near, 'f', -1, 64))
			}
		}
	}
	all = append(all, "0", "1", "200", "201", "400", "404", "409", "500", "open", "ended")
	if op == Matches {
		if re, err := syntax.Parse(want, syntax.Perl); err == nil {
			all = append(all, sample(re.Simplify()))
		}
	}
	var distinct []string
	for _, value := range all {
		if value != came && !slices.Contains(distinct, value) {
			distinct = append(distinct, value)
		}
	}
	return distinct
}

// sample is a text that a regular expression matches, as far as that is found without trying.
func sample(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpCapture, syntax.OpPlus:
		return sample(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(sample(re.Sub[0]), min(re.Min, 100))
	case syntax.OpAlternate:
		return sample(re.Sub[0])
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(sample(sub))
		}
		return b.String()
	}
	return "" // what may be left out, and what has no width
}

// without is the answer without the subject; false: it can't be without.
func (s Subject) without(a Answer) (Answer, bool) {
	switch s.Kind {
	case HeaderOf:
		return a.withField(s.Name), true
	case Type:
		return a.withField("Content-Type"), true
	case Warnings:
		return a.withField("Warning"), true
	case Body, Hex:
		a.Body = nil
		return a, true
	case Wire:
		a.Wire = 0
		return a, true
	case JSON, Count:
		return s.changed(a, dropped)
	case Owners, Managers:
		managed, err := ParsePath(managedFields)
		if err != nil {
			return a, false
		}
		return a.changed(func(document any) any { return dropped(document, managed) })
	}
	return a, false // a status, sizes, events and the end of a stream can be others, but not absent
}

// with is the answer with another value of the subject; false: it can't have that one.
func (s Subject) with(a Answer, value string) (Answer, bool) {
	switch s.Kind {
	case Status:
		n, err := strconv.Atoi(value)
		a.Status = n
		return a, err == nil && n >= 100 && n < 600
	case HeaderOf:
		return a.withField(s.Name, value), true
	case Type:
		return a.withField("Content-Type", value), value != ""
	case Warnings:
		return a.withField("Warning", "299 - "+strconv.Quote(value)), value != ""
	case Body:
		a.Body = []byte(value)
		return a, true
	case Hex:
		raw, err := hex.DecodeString(value)
		a.Body = raw
		return a, err == nil
	case Size, Wire:
		n, err := strconv.ParseInt(value, 10, 64)
		if s.Kind == Size {
			a.Size = n
		} else {
			a.Wire = n
		}
		return a, err == nil && n >= 0
	case Stream:
		a.Open = value == "open"
		return a, value == "open" || value == "ended"
	case Events:
		return s.withEvents(a, value)
	}
	return s.withInside(a, value)
}

// withField is the answer whose head has a field with these values alone.
func (a Answer) withField(name string, values ...string) Answer {
	a.Header = slices.DeleteFunc(slices.Clone(a.Header), func(h Header) bool { return strings.EqualFold(h.Name, name) })
	for _, value := range values {
		a.Header = append(a.Header, Header{Name: name, Value: value})
	}
	return a
}

// mostItems is how many items or events are made up, at most.
const mostItems = 20000

// withEvents is the stream with so many of the events that are meant.
func (s Subject) withEvents(a Answer, value string) (Answer, bool) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > mostItems {
		return a, false
	}
	var b strings.Builder
	for _, event := range a.Happenings() {
		meant := (s.Name == "any" || s.Name == string(event.Type)) && s.Where.meets(event)
		if meant && n == 0 {
			continue
		}
		if meant {
			n--
		}
		line(&b, string(event.Type), event.Object)
	}
	for ; n > 0; n-- {
		line(&b, s.made(), s.object())
	}
	a.Body = []byte(b.String())
	return a, true
}

// made is the type of an event that is made up.
func (s Subject) made() string {
	if s.Name == "any" {
		return string(watch.Added)
	}
	return s.Name
}

// object is one that meets the condition.
func (s Subject) object() json.RawMessage {
	var object any = map[string]any{}
	if s.Where != nil {
		if p, err := ParsePath(s.Where.Path); err == nil {
			object = put(object, p, s.Where.Value)
		}
	}
	return json.RawMessage(written(object))
}

func line(b *strings.Builder, kind string, object json.RawMessage) {
	b.WriteString(`{"type":` + strconv.Quote(kind) + `,"object":`)
	b.Write(object)
	b.WriteString("}\n")
}
