package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/release"
)

// Subject is what a statement speaks of. Path, Name and Where may have variables in them.
type Subject struct {
	Kind SubjectKind `json:"kind"`
	Path string      `json:"path,omitempty"` // of JSON, Count, Owners
	Name string      `json:"name,omitempty"` // of Header: the field's; of Events: their type, or any
	// Where narrows events to those whose object has this value at that path.
	Where *Where `json:"where,omitempty"`
}

// Where is a condition on the objects of events.
type Where struct {
	Path  string `json:"path"`
	Value string `json:"value"` // "*" for any
}

// SubjectKind is a kind of thing that can be said something about.
type SubjectKind string

// The kinds of subject.
const (
	Status   SubjectKind = "status"   // the HTTP status
	HeaderOf SubjectKind = "header"   // header NAME: a field of the answer's head
	Type     SubjectKind = "type"     // the media type, without parameters
	JSON     SubjectKind = "json"     // json PATH: a value in the answer
	Count    SubjectKind = "count"    // count PATH: how many items, or fields, are there; 0 where nothing is
	Body     SubjectKind = "body"     // the answer's text
	Hex      SubjectKind = "hex"      // the answer's bytes, in lower-case hexadecimal digits
	Size     SubjectKind = "size"     // how many bytes the answer has, after decompression
	Wire     SubjectKind = "wire"     // how many bytes of body went over the wire
	Warnings SubjectKind = "warnings" // the warnings of the answer, one a line
	Owners   SubjectKind = "owners"   // owners PATH: the managers that own a field of the answer, by name, with a comma between
	Managers SubjectKind = "managers" // the entries of managedFields: "ada Apply", "ben Update scale", with a comma between
	Events   SubjectKind = "events"   // events TYPE [where PATH = VALUE]: how many came on a stream
	Stream   SubjectKind = "stream"   // open or ended
)

// Op is how a statement compares.
type Op string

// The comparisons. Those with < and > are of numbers.
const (
	Equal      Op = "="
	Unequal    Op = "!="
	Less       Op = "<"
	AtMost     Op = "<="
	More       Op = ">"
	AtLeast    Op = ">="
	Contains   Op = "contains"
	Lacks      Op = "lacks"
	StartsWith Op = "starts with"
	Matches    Op = "matches" // a regular expression, anywhere in the text
	IsPresent  Op = "is present"
	IsAbsent   Op = "is absent"
)

// ops are tried in this order: what is longer comes before what it begins with.
var ops = []Op{Unequal, AtMost, AtLeast, Equal, Less, More, StartsWith, Contains, Lacks, Matches, IsPresent, IsAbsent}

// Statement is one thing that is said of an answer, and has to be so; or, with Keep, a value that is kept.
type Statement struct {
	Line    int     `json:"line,omitempty"`
	Subject Subject `json:"subject"`
	Op      Op      `json:"op,omitempty"`
	Value   string  `json:"value,omitempty"` // may have variables in it
	Keep    string  `json:"keep,omitempty"`  // the variable that the subject's value is kept as
	Why     string  `json:"why,omitempty"`   // what it means that this is so: HTML in a lesson, text as ParseStatement reads it
	// Range are the versions of Kubernetes for which the statement is true.
	Range release.Range `json:"range,omitzero"`
}

// ParseStatement reads "SUBJECT OP VALUE -- why" or "keep SUBJECT as NAME", with the range of versions before it, if it has one.
func ParseStatement(line string) (Statement, error) {
	versions, line, err := release.Cut(line)
	if err != nil {
		return Statement{}, fmt.Errorf("reading the versions: %w", err)
	}
	text, why, _ := strings.Cut(line, " -- ")
	s := Statement{Why: strings.TrimSpace(why), Range: versions}
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "keep "); ok {
		return parseKeep(s, rest)
	}
	subject, op, value, ok := split(text)
	if !ok {
		return s, fmt.Errorf("%q compares nothing: there is no =, !=, <, <=, >, >=, contains, lacks, starts with, matches, is present or is absent in it", text)
	}
	if s.Subject, err = ParseSubject(subject); err != nil {
		return s, err
	}
	s.Op, s.Value = op, value
	return s, s.sensible()
}

func parseKeep(s Statement, text string) (Statement, error) {
	at := strings.LastIndex(text, " as ")
	if at < 0 {
		return s, fmt.Errorf("keep %s: it says not as what (keep SUBJECT as NAME)", text)
	}
	s.Keep = strings.TrimSpace(text[at+4:])
	if !variable.MatchString("{{" + s.Keep + "}}") {
		return s, fmt.Errorf("keep … as %s: a variable's name is letters, digits and hyphens", s.Keep)
	}
	var err error
	s.Subject, err = ParseSubject(text[:at])
	return s, err
}

// split finds the comparison: the first that stands between spaces and outside of brackets. The condition of events has one of its own.
func split(text string) (subject string, op Op, value string, ok bool) {
	begin := 0
	if where := strings.Index(text, " where "); where >= 0 && strings.HasPrefix(text, string(Events)+" ") {
		_, _, rest, found := split(text[where+len(" where "):])
		if !found {
			return "", "", "", false
		}
		begin = len(text) - len(rest) - 1
	}
	depth, quoted := 0, false
	for i := begin; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ' ' && depth == 0:
			if op, ok := opAt(text[i+1:]); ok {
				return strings.TrimSpace(text[:i]), op, strings.TrimSpace(text[i+1+len(op):]), true
			}
		}
	}
	return "", "", "", false
}

func opAt(text string) (Op, bool) {
	for _, op := range ops {
		if rest, ok := strings.CutPrefix(text, string(op)); ok && (rest == "" || rest[0] == ' ') {
			return op, true
		}
	}
	return "", false
}

// sensible finds what can never be judged.
func (s Statement) sensible() error {
	none := s.Op == IsPresent || s.Op == IsAbsent
	switch {
	case none && s.Value != "":
		return fmt.Errorf("%s stands alone, without %q", s.Op, s.Value)
	case !none && s.Value == "" && s.Op != Equal && s.Op != Unequal:
		return fmt.Errorf("%s compares with nothing", s.Op)
	}
	if slices.Contains([]Op{Less, AtMost, More, AtLeast}, s.Op) && !variable.MatchString(s.Value) {
		if _, err := strconv.ParseFloat(s.Value, 64); err != nil {
			return fmt.Errorf("%s compares numbers, and %q is none", s.Op, s.Value)
		}
	}
	if s.Op == Matches {
		if _, err := regexp.Compile(s.Value); err != nil {
			return fmt.Errorf("%s needs a regular expression: %w", s.Op, err)
		}
	}
	return nil
}

// ParseSubject reads what a statement speaks of.
func ParseSubject(text string) (Subject, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	s := Subject{Kind: SubjectKind(word)}
	switch s.Kind {
	case Status, Type, Body, Hex, Size, Wire, Warnings, Managers, Stream:
		if rest != "" {
			return s, fmt.Errorf("%s stands alone, without %q", word, rest)
		}
	case HeaderOf:
		if s.Name = rest; rest == "" || strings.Contains(rest, " ") {
			return s, fmt.Errorf("header: %q is no field's name", rest)
		}
	case JSON, Count, Owners:
		s.Path = rest
		return s, pathOK(rest)
	case Events:
		return parseEvents(s, rest)
	default:
		return s, fmt.Errorf("%q is nothing that can be said something about: it is status, header, type, json, count, body, hex, size, wire, warnings, owners, managers, events or stream", word)
	}
	return s, nil
}

func parseEvents(s Subject, text string) (Subject, error) {
	kind, where, narrowed := strings.Cut(text, " where ")
	s.Name = strings.TrimSpace(kind)
	if !slices.Contains([]string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", "any"}, s.Name) {
		return s, fmt.Errorf("events: %q is no type of event: ADDED, MODIFIED, DELETED, BOOKMARK, ERROR or any", s.Name)
	}
	if !narrowed {
		return s, nil
	}
	path, op, value, ok := split(where)
	switch {
	case ok && op == Equal:
		s.Where = &Where{Path: path, Value: value}
	case ok && op == IsPresent:
		s.Where = &Where{Path: path, Value: "*"}
	default:
		return s, fmt.Errorf("events … where %s: it has to be where PATH = VALUE or where PATH is present", where)
	}
	return s, pathOK(path)
}

// pathOK tells what is wrong with a path; variables in it are not known yet.
func pathOK(path string) error {
	if path == "" {
		return fmt.Errorf("a path is missing (. is the whole)")
	}
	_, err := ParsePath(variable.ReplaceAllString(path, "x"))
	return err
}

// String is the subject as it was written.
func (s Subject) String() string {
	text := string(s.Kind)
	switch s.Kind {
	case HeaderOf, Events:
		text += " " + s.Name
	case JSON, Count, Owners:
		text += " " + s.Path
	}
	switch {
	case s.Where == nil:
	case s.Where.Value == "*":
		text += " where " + s.Where.Path + " is present"
	default:
		text += " where " + s.Where.Path + " = " + s.Where.Value
	}
	return text
}

// String is the statement as it was written, without its reason.
func (s Statement) String() string {
	if s.Keep != "" {
		return "keep " + s.Subject.String() + " as " + s.Keep
	}
	return strings.TrimSpace(s.Subject.String() + " " + string(s.Op) + " " + s.Value)
}
