package lesson

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Answer is what the API server said to a request.
type Answer struct {
	Status int      `json:"status"` // 0: nothing
	Header []Header `json:"header,omitempty"`
	Body   []byte   `json:"body,omitempty"` // as far as it was kept; of a watch, the lines that have come
	Size   int64    `json:"size"`           // of the body, after decompression
	Wire   int64    `json:"wire"`           // of the body over the wire; 0: nobody knows
	// Open tells that more may come.
	Open bool `json:"open,omitempty"`

	read *reading
}

// reading is the document of an answer.
type reading struct {
	done     bool
	document any
	err      error
}

// Remembering is the answer with a memory for its document, for whoever has more than one statement judged of it.
func (a Answer) Remembering() Answer {
	a.read = &reading{}
	return a
}

// Verdict is what a statement comes to.
type Verdict struct {
	Statement Statement `json:"statement"`
	OK        bool      `json:"ok"`
	Expected  string    `json:"expected"` // in words: "is 409", "contains …"
	Came      string    `json:"came"`     // the value that came; empty where there was none
	Absent    bool      `json:"absent,omitempty"`
}

// String says what was expected and what came.
func (v Verdict) String() string {
	came := v.Came
	if v.Absent {
		came = "nothing"
	}
	return fmt.Sprintf("%s: expected that it %s, and what came is %s", v.Statement.Subject, v.Expected, came)
}

// Words say in a sentence what came. They don't say what was expected: a learner finds that out.
func (v Verdict) Words() string {
	came, of := status.Excerpt([]byte(v.Came), 120), v.Statement.Subject
	switch {
	case of.Kind == Status:
		return "The status code is " + came + "."
	case of.Kind == Owners && v.Absent:
		return "Nobody owns " + of.Path + "."
	case of.Kind == Owners:
		return "Owners of " + of.Path + ": " + came + "."
	case of.Kind == Managers:
		return "Managers: " + came + "."
	case of.Kind == Count:
		return "Items of " + of.Path + ": " + came + "."
	case of.Kind == JSON && v.Absent:
		return of.Path + " isn’t there."
	case of.Kind == JSON:
		return of.Path + " is " + came + "."
	case v.Absent:
		return "There is no " + of.String() + "."
	}
	return of.String() + ": " + came
}

// Judge tells whether a statement holds of an answer. What it keeps goes into the variables.
func (s Statement) Judge(a Answer, vars Vars) Verdict {
	v := Verdict{Statement: s}
	value, present, err := s.Subject.of(a, vars)
	if err != nil {
		v.Expected, v.Came = "can be read", vars.Plain(err.Error())
		return v
	}
	v.Came, v.Absent = value, !present
	if s.Keep != "" {
		v.Expected, v.OK = "is present, to be kept as "+s.Keep, present && a.Status != 0
		if v.OK {
			vars[s.Keep] = value
		}
		return v
	}
	want, err := vars.Expand(s.Value)
	if err != nil {
		v.Expected = expected(s.Op, vars.Plain(s.Value)) + ", which no step has kept yet"
		return v
	}
	v.Expected = expected(s.Op, want)
	// Where nothing was answered nothing holds, not even that something is absent.
	v.OK = a.Status != 0 && s.Op.holds(value, present, want)
	return v
}

// expected says in words what a comparison asks for.
func expected(op Op, want string) string {
	switch op {
	case Equal:
		return "is " + want
	case Unequal:
		return "is not " + want
	case Less:
		return "is less than " + want
	case AtMost:
		return "is at most " + want
	case More:
		return "is more than " + want
	case AtLeast:
		return "is at least " + want
	case IsPresent, IsAbsent:
		return string(op)
	case Lacks:
		return "does not contain " + want
	}
	return string(op) + " " + want
}

func (op Op) holds(value string, present bool, want string) bool {
	switch op {
	case IsPresent:
		return present
	case IsAbsent:
		return !present
	}
	if !present {
		return false
	}
	switch op {
	case Equal:
		return value == want
	case Unequal:
		return value != want
	case Contains:
		return strings.Contains(value, want)
	case Lacks:
		return !strings.Contains(value, want)
	case StartsWith:
		return strings.HasPrefix(value, want)
	case Matches:
		re, err := regexp.Compile(want)
		return err == nil && re.MatchString(value)
	}
	return op.compares(value, want)
}

func (op Op) compares(value, want string) bool {
	a, err := strconv.ParseFloat(value, 64)
	b, err2 := strconv.ParseFloat(want, 64)
	if err != nil || err2 != nil {
		return false
	}
	switch op {
	case Less:
		return a < b
	case AtMost:
		return a <= b
	case More:
		return a > b
	}
	return op == AtLeast && a >= b
}

// Of is the subject's value in an answer; false: there is none.
func (s Subject) Of(a Answer, vars Vars) (string, bool) {
	value, present, err := s.of(a, vars)
	return value, present && err == nil
}

func (s Subject) of(a Answer, vars Vars) (value string, present bool, err error) {
	switch s.Kind {
	case Status:
		return strconv.Itoa(a.Status), a.Status != 0, nil
	case HeaderOf:
		return a.field(s.Name)
	case Type:
		value, present, err = a.field("Content-Type")
		value, _, _ = strings.Cut(value, ";")
		return strings.TrimSpace(value), present, err
	case Body:
		return string(a.Body), len(a.Body) > 0, nil
	case Hex:
		return hex.EncodeToString(a.Body), len(a.Body) > 0, nil
	case Size:
		return strconv.FormatInt(a.Size, 10), a.Status != 0, nil
	case Wire:
		return strconv.FormatInt(a.Wire, 10), a.Wire != 0, nil
	case Warnings:
		lines := a.warnings()
		return strings.Join(lines, "\n"), len(lines) > 0, nil
	case Stream:
		return map[bool]string{true: "open", false: "ended"}[a.Open], a.Status != 0, nil
	case Events:
		return s.events(a, vars)
	}
	return s.inside(a, vars)
}

// field is a field of the answer's head; of several of the same name, all, with a comma between.
func (a Answer) field(name string) (string, bool, error) {
	var all []string
	for _, h := range a.Header {
		if strings.EqualFold(h.Name, name) {
			all = append(all, h.Value)
		}
	}
	return strings.Join(all, ", "), len(all) > 0, nil
}

func (a Answer) warnings() []string {
	var lines, texts []string
	for _, h := range a.Header {
		if strings.EqualFold(h.Name, "Warning") {
			lines = append(lines, h.Value)
		}
	}
	for _, w := range status.ParseWarnings(lines) {
		texts = append(texts, w.Text)
	}
	return texts
}

// inside is the value of a subject that is something in the answer's JSON.
func (s Subject) inside(a Answer, vars Vars) (string, bool, error) {
	document, err := a.document()
	if err != nil {
		return "", false, fmt.Errorf("the answer is no JSON: %s", status.Excerpt(a.Body, 120))
	}
	if s.Kind == Managers {
		object, _ := document.(map[string]any)
		all := managers(object)
		return strings.Join(all, ", "), len(all) > 0, nil
	}
	path, err := vars.Expand(s.Path)
	if err != nil {
		return "", false, err
	}
	if s.Kind == Owners {
		return owners(document, path)
	}
	return s.at(document, path)
}

func (s Subject) at(document any, path string) (string, bool, error) {
	p, err := ParsePath(path)
	if err != nil {
		return "", false, err
	}
	v, ok := p.In(document)
	if s.Kind != Count {
		return written(v), ok, nil
	}
	switch v := v.(type) {
	case []any:
		return strconv.Itoa(len(v)), true, nil
	case map[string]any:
		return strconv.Itoa(len(v)), true, nil
	case nil:
		return "0", true, nil
	}
	return "", false, fmt.Errorf("%s is neither a list nor a map, but %s", path, written(v))
}

// managers are the entries of managedFields, in their own order.
func managers(object map[string]any) []string {
	var all []string
	for _, e := range ownership.Parse(object).Entries {
		name := e.Name + " " + e.Operation
		if e.Subresource != "" {
			name += " " + e.Subresource
		}
		all = append(all, name)
	}
	return all
}

// owners are the names of those who own a field of an object, each once, in alphabetical order.
func owners(document any, path string) (string, bool, error) {
	object, _ := document.(map[string]any)
	blame := ownership.Parse(object).On(manifest.Tree(object), nil)
	var names []string
	for _, n := range blame.Find(path) {
		for _, o := range blame.Owners(n) {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return strings.Join(names, ", "), len(names) > 0, nil
}
