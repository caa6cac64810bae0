package check

import (
	"cmp"
	_ "embed" // the built-in rules
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// RulesFile is the name of a file of rules. The file is beside the manifests.
const RulesFile = "fieldmark.yaml"

// ruleKind is the kind in a file of rules.
const ruleKind = "Expected"

// Rule says which findings are expected. A finding must match all its patterns. In a pattern, * stands for any text and ? for one
// character. After a backslash, a character has no special meaning. An empty pattern matches everything.
type Rule struct {
	File                  string
	Line                  int
	Kind, Namespace, Name string // of the object
	Path                  string // as people type it, or as findings have it
	Owner                 string // each owner of the field must match it
	Findings              []Kind // empty: all
	Reason                string
	Until                 string // the last day on which the rule holds, as 2006-01-02; empty: it holds without end
}

//go:embed expected.yaml
var builtInText string

// BuiltIn returns the built-in rules, which apply to all manifests, and their text.
func BuiltIn() (rules []Rule, text string) {
	rules, err := ParseRules("", builtInText)
	if err != nil {
		return nil, builtInText // a test proves that it has no errors
	}
	return rules, builtInText
}

// RuleError is an error in a file of rules, with its place.
type RuleError struct {
	File  string
	Line  int
	Words string
}

func (e *RuleError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Words) }

// ParseRules reads a file of rules. If the file has errors, it returns all of them, each a RuleError, and no rules.
func ParseRules(file, text string) ([]Rule, error) {
	r := ruleReader{file: file}
	parsed := source.Parse(text)
	for _, p := range parsed.Problems {
		if p.Severity != source.Info && !aboutObjects(parsed, p) {
			r.wrong(p.Start.Line, p.Message)
		}
	}
	for _, d := range parsed.Documents {
		r.document = d
		if d.Root != nil {
			r.readRules()
		}
	}
	if len(r.wrongs) > 0 {
		return nil, errors.Join(r.wrongs...)
	}
	return r.rules, nil
}

// aboutObjects tells whether a document's problem is that it names no object. A file of rules doesn't need to.
func aboutObjects(t source.Text, p source.Problem) bool {
	return p.Document >= 0 && t.Documents[p.Document].Root != nil && p.Nameless()
}

type ruleReader struct {
	file     string
	document source.Document
	rules    []Rule
	wrongs   []error
}

func (r *ruleReader) wrong(line int, words string) {
	r.wrongs = append(r.wrongs, &RuleError{File: r.file, Line: line, Words: words})
}

func (r *ruleReader) line(n *manifest.Node) int { return r.document.Head(n).Start.Line }

func (r *ruleReader) readRules() {
	start := r.document.Start.Line
	if r.document.APIVersion != APIVersion || r.document.Kind != ruleKind {
		r.wrong(start, fmt.Sprintf("This is not a file of rules. A file of rules begins with apiVersion: %s and kind: %s.", APIVersion, ruleKind))
		return
	}
	list := r.document.Root.Field("rules")
	if list == nil {
		r.wrong(start, "The file has no rules. Add a list with the name rules.")
		return
	}
	r.names(r.document.Root, "apiVersion", "kind", "metadata", "rules")
	if _, is := list.Value.([]any); !is {
		r.wrong(r.line(list), "rules must be a list.")
		return
	}
	for _, item := range list.Children {
		r.rule(item)
	}
}

// names reports fields with unknown names.
func (r *ruleReader) names(n *manifest.Node, known ...string) {
	for _, child := range n.Children {
		if !slices.Contains(known, child.Key) {
			r.wrong(r.line(child), fmt.Sprintf("There is no field %q here.%s The fields are: %s.", child.Key, typed.DidYouMean(child.Key, known), strings.Join(known, ", ")))
		}
	}
}

func (r *ruleReader) rule(n *manifest.Node) {
	if _, is := n.Value.(map[string]any); !is {
		r.wrong(r.line(n), "A rule must have fields: match, path, owner, finding, reason, until.")
		return
	}
	r.names(n, "match", "path", "owner", "finding", "reason", "until")
	rule := Rule{File: r.file, Line: r.line(n)}
	if match := n.Field("match"); match != nil {
		if _, is := match.Value.(map[string]any); !is {
			r.wrong(r.line(match), "match must have fields: kind, namespace, name.")
		}
		r.names(match, "kind", "namespace", "name")
		r.texts(match, map[string]*string{"kind": &rule.Kind, "namespace": &rule.Namespace, "name": &rule.Name})
	}
	r.texts(n, map[string]*string{"path": &rule.Path, "owner": &rule.Owner, "reason": &rule.Reason, "until": &rule.Until})
	r.findings(n.Field("finding"), &rule)
	r.judge(n, rule)
	r.rules = append(r.rules, rule)
}

// texts reads fields whose values are text.
func (r *ruleReader) texts(n *manifest.Node, fields map[string]*string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field := n.Field(name)
		if field == nil {
			continue
		}
		text, is := field.Value.(string)
		if !is {
			r.wrong(r.line(field), name+" must be text. Put it in quotes.")
		}
		*fields[name] = text
	}
}

// findings reads one kind of findings, or a list of them.
func (r *ruleReader) findings(n *manifest.Node, rule *Rule) {
	if n == nil {
		return
	}
	each := []*manifest.Node{n}
	if _, list := n.Value.([]any); list {
		each = n.Children
	}
	for _, n := range each {
		kind, is := n.Value.(string)
		if !is || !slices.Contains(Kinds(), Kind(kind)) {
			r.wrong(r.line(n), fmt.Sprintf("%v is not a kind of finding.%s The kinds are: %s.", n.Value, typed.DidYouMean(kind, Names(Kinds())), strings.Join(Names(Kinds()), ", ")))
			continue
		}
		rule.Findings = append(rule.Findings, Kind(kind))
	}
}

// judge reports errors of a rule as a whole.
func (r *ruleReader) judge(n *manifest.Node, rule Rule) {
	if strings.TrimSpace(rule.Reason) == "" && isText(n, "reason") {
		r.wrong(rule.Line, "The rule has no reason. Say why you expect the finding.")
	}
	if strings.Trim(rule.Kind+rule.Namespace+rule.Name+rule.Path+rule.Owner, "*") == "" && len(rule.Findings) == 0 {
		r.wrong(rule.Line, "The rule would match every finding. Add at least one of match, path, owner and finding.")
	}
	if _, err := time.Parse(time.DateOnly, rule.Until); err != nil && rule.Until != "" {
		r.wrong(r.line(n.Field("until")), fmt.Sprintf("until must be a date such as 2027-01-31, but is %q.", rule.Until))
	}
}

// isText tells whether a field can be read as text, or is missing.
func isText(n *manifest.Node, name string) bool {
	field := n.Field(name)
	if field == nil {
		return true
	}
	_, is := field.Value.(string)
	return is
}

// beside tells whether a file is in the folder of a rule or in its subfolders. A rule has no effect on other folders.
func (r Rule) beside(file string) bool {
	folder := path.Dir(slashes(r.File))
	file = path.Clean(slashes(file))
	return r.File == "" || folder == file || folder == "." && !path.IsAbs(file) || strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// slashes is a file's path with slashes, also if it has the backslashes of Windows.
func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// matches tells whether a rule is about a finding.
func (r Rule) matches(f Finding) bool {
	if !r.beside(cmp.Or(f.Folder, f.File)) {
		return false
	}
	for _, like := range [][2]string{{r.Kind, f.Object.Kind}, {r.Namespace, f.Object.Namespace}, {r.Name, f.Object.Name}} {
		if like[0] != "" && !glob(like[0], like[1]) {
			return false
		}
	}
	if r.Path != "" && !glob(r.Path, f.Path) && !glob(typed.Path(r.Path), f.Path) {
		return false
	}
	if r.Owner != "" && len(f.Owners) == 0 {
		return false
	}
	for _, o := range f.Owners {
		if r.Owner != "" && !glob(r.Owner, o.Name) {
			return false
		}
	}
	return len(r.Findings) == 0 || slices.Contains(r.Findings, f.Kind)
}

// over tells whether the last day of a rule has passed.
func (r Rule) over(today string) bool { return r.Until != "" && today > r.Until }

// Idle is a rule without an effect, with the reason.
type Idle struct {
	Rule Rule
	Why  string
}

// Expect sets Expected of each finding, from the first rule that matches the finding. It returns the rules that have no effect. Until is a day in the
// time zone of now.
func Expect(findings []Finding, rules []Rule, now time.Time) []Idle {
	today := now.Format(time.DateOnly)
	matched := make([]int, len(rules))
	for at := range findings {
		f := &findings[at]
		for i, r := range rules {
			if !r.matches(*f) {
				continue
			}
			matched[i]++
			if f.Expected == nil && !r.over(today) {
				f.Expected = &Excuse{Reason: r.Reason, Until: r.Until}
			}
		}
	}
	var idle []Idle
	for i, r := range rules {
		switch {
		case matched[i] == 0:
			idle = append(idle, Idle{r, "The rule matches no finding. Delete or correct the rule."})
		case r.over(today):
			idle = append(idle, Idle{r, fmt.Sprintf("The last day of the rule was %s. Findings that it would match: %d.", r.Until, matched[i])})
		}
	}
	return idle
}

// glob tells whether a text matches a pattern. The work is at most the product of their lengths.
func glob(pattern, text string) bool {
	p, t, star, again := 0, 0, -1, 0
	for t < len(text) {
		c, size, wild := step(pattern, p)
		switch {
		case c == '*' && wild:
			star, again = p+size, t
			p += size
		case size > 0 && (wild || c == text[t]):
			p, t = p+size, t+1
		case star >= 0:
			again++
			p, t = star, again
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// step is the next character of a pattern, its size in bytes with a backslash, and whether it is a wildcard. At the end, size is 0.
func step(pattern string, at int) (c byte, size int, wild bool) {
	switch {
	case at >= len(pattern):
		return 0, 0, false
	case pattern[at] == '\\' && at+1 < len(pattern):
		return pattern[at+1], 2, false
	}
	c = pattern[at]
	return c, 1, c == '*' || c == '?'
}
