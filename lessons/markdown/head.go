package markdown

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// head is what stands between the two lines of hyphens.
type head struct {
	Title    string   `yaml:"title"`
	Summary  string   `yaml:"summary"`
	Concepts []int    `yaml:"concepts"`
	Minutes  int      `yaml:"minutes"`
	Paths    []string `yaml:"paths"`
	After    []string `yaml:"after"`
	Rights   []string `yaml:"rights"`
	Scenario any      `yaml:"scenario"`
	Alone    bool     `yaml:"alone"`
	// Since is a node, because 1.30 is a number in YAML.
	Since yaml.Node `yaml:"since"`
	// Takeaways are short texts with markup.
	Takeaways []string `yaml:"takeaways"`
	FoundBy   []string `yaml:"found-by"`
	Own       []own    `yaml:"own"`
}

// Paths are the ways through the guide that a lesson may be on.
var Paths = []string{"beginners", "operators", "controller-authors"}

// LastConcept is the highest number of a concept; they begin at 1.
const LastConcept = 41

var (
	yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)
	unknown  = regexp.MustCompile(`^field (\S+) not found in type \S+$`)
	right    = regexp.MustCompile(`^([a-z][a-z-]*|\*) [a-z*][a-z0-9.*-]*(/[a-z]+)?$`)
)

// cutHead parts a file into its head and its body. The lines of both are counted from the file's first.
func cutHead(source []byte) (head, body []byte, ok bool) {
	rest, ok := bytes.CutPrefix(source, []byte("---\n"))
	if !ok {
		return nil, nil, false
	}
	if body, ok = bytes.CutPrefix(rest, []byte("---\n")); ok {
		return nil, body, true
	}
	return bytes.Cut(rest, []byte("\n---\n"))
}

// readHead takes the head into the lesson.
func (r *reader) readHead(text []byte) {
	var h head
	d := yaml.NewDecoder(bytes.NewReader(append([]byte("\n"), text...))) // the line of hyphens counts
	d.KnownFields(true)
	if err := d.Decode(&h); err != nil && !errors.Is(err, io.EOF) {
		r.yamlProblems(err, "title, summary, concepts, minutes, paths, after, rights, takeaways, found-by, own, scenario, alone and since")
	}
	at := func(field string) int { return fieldLine(text, field) }
	l := &r.lesson
	l.Title, l.Summary, l.Concepts, l.Minutes, l.Paths, l.After, l.Rights, l.Alone = h.Title, h.Summary, h.Concepts, h.Minutes, h.Paths, h.After, h.Rights, h.Alone
	if l.Title == "" {
		r.wrong(at("title"), "the title is missing: give the head a line title: …")
	}
	if l.Summary == "" {
		r.wrong(at("summary"), "the summary is missing: say in one sentence what the reader will be able to do")
	}
	if l.Minutes < 5 || l.Minutes > 12 {
		r.wrong(at("minutes"), "minutes is %d: a lesson takes 5 to 12", l.Minutes)
	}
	r.concepts(at("concepts"))
	for _, path := range l.Paths {
		if !slices.Contains(Paths, path) {
			r.wrong(at("paths"), "%q is no path: those are %s", path, strings.Join(Paths, ", "))
		}
	}
	for _, id := range l.After {
		r.mentions = append(r.mentions, Mention{Lesson: id, Line: at("after")})
	}
	for _, words := range l.Rights {
		if !right.MatchString(words) {
			r.wrong(at("rights"), "%q is no right: it is a verb of the API and a resource, as in \"patch deployments.apps/scale\"", words)
		}
	}
	for _, text := range h.FoundBy {
		if n := len(text); n < 3 || n > 80 {
			r.wrong(at("found-by"), "%q is no text to find the lesson by: it has 3 to 80 characters", text)
		}
	}
	l.FoundBy = h.FoundBy
	r.owned(h.Own, at("own"))
	r.scenario(h.Scenario, at("scenario"))
	for _, text := range h.Takeaways {
		text, holds := r.only(line{at("takeaways"), text})
		l.Takeaways = append(l.Takeaways, lesson.Takeaway{HTML: r.inline([]line{text}), Range: holds})
	}
	if !h.Since.IsZero() {
		r.lessonRange = r.begins(at("since"), "since="+h.Since.Value)
	}
}

func (r *reader) concepts(line int) {
	if len(r.lesson.Concepts) == 0 {
		r.wrong(line, "concepts is missing: say the numbers of those that it teaches, as in concepts: [25]")
	}
	for _, n := range r.lesson.Concepts {
		if n < 1 || n > LastConcept {
			r.wrong(line, "%d is no concept: their numbers go from 1 to %d", n, LastConcept)
		}
	}
}

// scenario takes the spec in as JSON.
func (r *reader) scenario(spec any, line int) {
	if spec == nil {
		return
	}
	if _, isMap := spec.(map[string]any); !isMap {
		r.wrong(line, "scenario is no map: it is the spec of a Scenario (practice/scenario/crd.yaml)")
		return
	}
	text, err := json.Marshal(spec)
	if err != nil {
		r.wrong(line, "scenario can't be written as JSON: %v", err)
		return
	}
	r.lesson.Scenario = string(text)
	for _, name := range lesson.Used(r.lesson.Scenario) {
		if !slices.Contains(lesson.Given, name) {
			r.wrong(line, "scenario: {{%s}} has no value before the first step; what has one is {{%s}}", name, strings.Join(lesson.Given, "}}, {{"))
		}
	}
}

// yamlProblems says what the YAML reader found, at its lines. The head has these fields.
func (r *reader) yamlProblems(err error, fields string) {
	texts := []string{err.Error()}
	var several *yaml.TypeError
	if errors.As(err, &several) {
		texts = several.Errors
	}
	for _, text := range texts {
		line := 1
		if found := yamlLine.FindStringSubmatch(text); found != nil {
			line, _ = strconv.Atoi(found[1])
			text = found[2]
		}
		if found := unknown.FindStringSubmatch(text); found != nil {
			text = fmt.Sprintf("the head has no field %s: they are %s", found[1], fields)
		}
		r.wrong(line, "%s", text)
	}
}

// fieldLine is where a field of the head is written; 1 where it isn't.
func fieldLine(head []byte, field string) int {
	for i, text := range strings.Split(string(head), "\n") {
		if strings.HasPrefix(text, field+":") {
			return i + 2
		}
	}
	return 1
}
