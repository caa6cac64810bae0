package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	checking "github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/lsp/folder"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/cli/lsp/wire"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/source"
)

// Bounds of what is checked while somebody types. fieldmark check has none of them.
const (
	maxChecked = 1 << 20 // bytes
	mostAsked  = 100     // documents of a file
	mostShown  = 500     // diagnostics of a file
	patience   = 20 * time.Second
)

// job is a text to check.
type job struct {
	uri, path string
	size      int
	text      *text.Text // nil: it is too long
	encoding  text.Encoding
	related   bool // the editor shows more than one sentence about a diagnostic
}

// The codes of diagnostics that aren't findings of check.
const (
	codeSyntax   = "syntax"
	codeTemplate = "template"
	codeTooLong  = "too-long"
	codeUnasked  = "not-asked"
	codeRules    = "rules"
)

// check is what there is to say about a text.
func (s *session) check(ctx context.Context, j job) *found {
	f := &found{}
	var named bool
	if f.folder, named = folder.Of(j.path); !named {
		return f
	}
	if j.text == nil {
		f.diagnostics = j.one(0, wire.SeverityInformation, codeTooLong, fmt.Sprintf("This file is longer than %d MB, so it isn’t checked while you type. Use fieldmark check -f.", maxChecked>>20))
		return f
	}
	whole := j.text.String()
	if filepath.Base(j.path) == check.RulesFile {
		f.diagnostics = j.rules(whole)
		return f
	}
	documents, local := j.read(ctx, whole)
	if f.diagnostics = local; len(documents) == 0 || ctx.Err() != nil {
		return f
	}
	if given, _ := s.aim.consent(f.folder); given {
		s.ask(ctx, j, whole, f)
	}
	return f
}

// one is a list with one diagnostic about a line.
func (j job) one(line, severity int, code, message string) []wire.Diagnostic {
	return []wire.Diagnostic{j.diagnostic(line, severity, code, message)}
}

// diagnostic is a diagnostic about a line, from its first character that isn't a space. Lines count from 0.
func (j job) diagnostic(line, severity int, code, message string) wire.Diagnostic {
	d := wire.Diagnostic{Severity: severity, Code: code, Source: "fieldmark", Message: message}
	d.Range.Start.Line, d.Range.End.Line = line, line
	if j.text == nil {
		return d
	}
	line = max(0, min(line, j.text.Lines()-1))
	content := j.text.Line(line)
	indent := len(content) - len(strings.TrimLeft(content, " \t"))
	d.Range.Start = wire.Position{Line: line, Character: j.text.Character(line, indent, j.encoding)}
	d.Range.End = wire.Position{Line: line, Character: j.text.Character(line, len(content), j.encoding)}
	return d
}

// rules are the errors of a file of rules.
func (j job) rules(whole string) (all []wire.Diagnostic) {
	_, err := check.ParseRules(j.path, whole)
	for _, one := range flat(err) {
		if wrong, is := errors.AsType[*check.RuleError](one); is && len(all) < mostShown {
			all = append(all, j.diagnostic(wrong.Line-1, wire.SeverityError, codeRules, plain.Text(wrong.Words)))
		}
	}
	return all
}

// flat are the errors that one error joins.
func flat(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return []error{err}
}

// read reads the documents of a text. Documents are returned only if all of them can be sent. Otherwise, the diagnostics say why not.
func (j job) read(ctx context.Context, whole string) (documents []source.Document, local []wire.Diagnostic) {
	if folder.IsTemplate(j.path) {
		return nil, j.template(max(0, j.line(isTemplate)))
	}
	if j.line(isManifest) < 0 {
		return nil, nil // another program's file
	}
	var problems []source.Problem
	template := j.line(isTemplate)
	for _, p := range source.Pieces(0, whole) {
		if ctx.Err() != nil {
			return nil, nil
		}
		parsed := p.Parse()
		for _, d := range parsed.Documents {
			if d.Broken && template >= 0 {
				return nil, j.template(template)
			}
		}
		for _, p := range parsed.Problems {
			if p.Document < 0 || parsed.Documents[p.Document].Root == nil {
				return nil, []wire.Diagnostic{j.problem(p)}
			}
		}
		documents, problems = append(documents, parsed.Documents...), append(problems, parsed.Problems...)
	}
	if len(documents) > mostAsked {
		return nil, j.one(0, wire.SeverityInformation, codeTooLong, fmt.Sprintf("This file has more than %d documents, so it isn’t checked while you type. Use fieldmark check -f.", mostAsked))
	}
	for _, p := range problems[:min(len(problems), mostShown)] {
		if p.Severity != source.Info {
			local = append(local, j.problem(p))
		}
	}
	return documents, local
}

// line is the first line that is such a one; -1: there is none.
func (j job) line(is func(string) bool) int {
	for i := range j.text.Lines() {
		if is(j.text.Line(i)) {
			return i
		}
	}
	return -1
}

// isManifest tells whether a line is one that each manifest has, also while the rest of the text can't be read.
func isManifest(line string) bool {
	name, _, found := strings.Cut(line, ":")
	name = strings.Trim(name, " \t\"'{-")
	return found && (name == "apiVersion" || name == "kind") || strings.Contains(line, `"apiVersion"`) || strings.Contains(line, `"kind"`)
}

// isTemplate tells whether a line has an action of a template as a value, as a key, or alone. In a text, such as that of an alert, it is nothing special.
func isTemplate(line string) bool {
	before, _, found := strings.Cut(line, "{{")
	before = strings.TrimRight(before, " \t")
	return found && (before == "" || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "-"))
}

func (j job) template(line int) []wire.Diagnostic {
	return j.one(line, wire.SeverityInformation, codeTemplate, "This is a template, so it isn’t checked. Check what it renders: helm template NAME CHART | fieldmark check -f -")
}

// problem is a problem of a text, at its place.
func (j job) problem(p source.Problem) wire.Diagnostic {
	severity := wire.SeverityError
	if p.Severity == source.Warning {
		severity = wire.SeverityWarning
	}
	d := j.diagnostic(p.Start.Line-1, severity, codeSyntax, plain.Text(p.Message))
	if p.End.Line != p.Start.Line || p.End.Column <= p.Start.Column {
		return d
	}
	for place, column := range map[*wire.Position]int{&d.Range.Start: p.Start.Column, &d.Range.End: p.End.Column} { // columns are in UTF-16
		at := j.text.Offset(text.Position{Line: place.Line, Character: column - 1}, text.UTF16)
		place.Character = j.text.Character(place.Line, at, j.encoding)
	}
	return d
}

// ask asks the cluster about a text. What check finds takes the place of what was found without a cluster.
func (s *session) ask(ctx context.Context, j job, whole string, f *found) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, rules, err := folder.Rules(f.folder)
	if err != nil {
		f.diagnostics = append(f.diagnostics, j.diagnostic(0, wire.SeverityWarning, codeRules, "The rules for expected findings can’t be read: "+plain.Text(err.Error())))
	}
	of := checking.Text{File: j.path, Text: whole, Manager: s.options.manager, Rules: rules}
	judged, err := within(ctx, s.checks, func() (checking.Judged, error) {
		cluster, err := s.aim.cluster(f.folder)
		if err != nil {
			return checking.Judged{}, err
		}
		return of.Judge(ctx, cluster)
	})
	if err != nil && len(judged.Findings) == 0 {
		s.aim.forget()
		f.diagnostics = append(f.diagnostics, j.diagnostic(0, wire.SeverityWarning, codeUnasked, unasked(ctx, err)))
		return
	}
	f.asked, f.diagnostics = true, nil
	if err != nil {
		f.diagnostics = j.one(0, wire.SeverityWarning, codeUnasked, unasked(ctx, err))
		f.findings = [][]check.Finding{nil}
	}
	for _, g := range grouped(judged.Findings) {
		if len(f.diagnostics) < mostShown {
			f.diagnostics = append(f.diagnostics, j.group(g))
			f.findings = append(f.findings, g)
		}
	}
}

// grouped are the findings that nobody expects. Those that say the same about one line come together.
func grouped(findings []check.Finding) (all [][]check.Finding) {
	for _, g := range check.Groups(findings) {
		var lines []int
		at := map[int][]check.Finding{}
		for _, f := range g {
			if f.Expected != nil {
				continue
			}
			if at[f.Line] == nil {
				lines = append(lines, f.Line)
			}
			at[f.Line] = append(at[f.Line], f)
		}
		for _, line := range lines {
			all = append(all, at[line])
		}
	}
	return all
}

// unasked says why the cluster could not be asked.
func unasked(ctx context.Context, err error) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Sprintf("The cluster did not respond within %s, so this file isn’t checked. Save it to try again.", patience)
	}
	return "Fieldmark can’t ask the cluster about this file: " + plain.Text(err.Error()) + ". Save it to try again."
}

// within runs a function that may ignore its context, such as one that waits for a credentials plugin. It waits for a turn, and not longer than the context
// lives. A function that still runs then keeps its turn, so there are never more of them than turns.
func within[T any](ctx context.Context, turns chan struct{}, do func() (T, error)) (result T, err error) {
	type said struct {
		result T
		err    error
		caught any
	}
	select {
	case turns <- struct{}{}:
	case <-ctx.Done():
		return result, fmt.Errorf("waiting for the cluster: %w", ctx.Err())
	}
	answer := make(chan said, 1)
	go func() {
		var one said
		defer func() {
			one.caught = recover()
			<-turns
			answer <- one
		}()
		one.result, one.err = do()
	}()
	select {
	case one := <-answer:
		if one.caught != nil {
			panic(one.caught) // in the goroutine that handles it
		}
		return one.result, one.err
	case <-ctx.Done():
		return result, fmt.Errorf("waiting for the cluster: %w", ctx.Err())
	}
}

// severities are those of findings in an editor.
var severities = map[check.Severity]int{
	check.Grave: wire.SeverityError, check.Serious: wire.SeverityWarning, check.Moderate: wire.SeverityInformation, check.Minor: wire.SeverityHint, check.Fine: wire.SeverityHint,
}

// Bounds of what one diagnostic names.
const (
	mostRelated = 10 // owners
	mostNamed   = 10 // fields
)

// group is a diagnostic about findings that say the same. Their texts come from a cluster, and are plain.
func (j job) group(g []check.Finding) wire.Diagnostic {
	about := g[0].Kind.About()
	message := plain.Text(g[0].Why)
	if message == "" {
		message = about.Title
	}
	if len(g) == 1 && g[0].Path != "" && !strings.Contains(message, plain.Text(g[0].Path)) {
		message = plain.Text(g[0].Path) + ": " + message
	}
	for i, f := range g {
		if i == mostNamed {
			message += fmt.Sprintf("\n… and %d more", len(g)-i)
			break
		}
		message += valuesOf(f, len(g) > 1)
	}
	d := j.diagnostic(g[0].Line-1, severities[about.Severity], string(g[0].Kind), message)
	owners := slices.Clone(g[0].Owners)
	slices.SortStableFunc(owners, func(a, b owner) int { return strings.Compare(b.Time, a.Time) })
	for _, o := range owners[:min(len(owners), mostRelated)] {
		if j.related {
			d.Related = append(d.Related, wire.Related{Location: wire.Location{URI: j.uri, Range: d.Range}, Message: ownerWords(o)})
		}
	}
	return d
}

// valuesOf is a line with the values of a finding, and the field if it must be named; empty if there is nothing to say.
func valuesOf(f check.Finding, named bool) string {
	path := ""
	if named {
		path = plain.Text(f.Path)
	}
	if len(f.Live) == 0 && len(f.Stated) == 0 {
		if path != "" {
			return "\n" + path
		}
		return ""
	}
	live, stated := plain.Values(f.Live, f.Stated)
	if path != "" {
		return "\n" + path + ": live " + live + ", manifest " + stated
	}
	return "\nLive " + live + ", manifest " + stated
}
