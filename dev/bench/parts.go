package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// part is one measurement, with its section of the report.
type part struct {
	name    string // as in `make bench PART=…`
	title   string // of the section
	needs   needs
	measure func(*lab, context.Context) (findings, error)
}

// needs says what must run before a part can be measured.
type needs int

const (
	nothing needs = iota
	programs
	pods // … with the large collection
)

// findings are the results of a part. They write the text of its section.
type findings interface {
	writeSection(b *strings.Builder, p plan)
}

// of converts a method with its own type of findings for the list of parts.
func of[F findings](measure func(*lab, context.Context) (F, error)) func(*lab, context.Context) (findings, error) {
	return func(l *lab, ctx context.Context) (findings, error) { return measure(l, ctx) }
}

// parts are all parts, in the order of the report.
var parts = []part{
	{"proxy", "Through the proxy", pods, of((*lab).measureScenes)},
	{"recording", "What recording costs", pods, of((*lab).measureRecording)},
	{"page", "The collection page", pods, of((*lab).measurePage)},
	{"relay", "Following what happens", programs, of((*lab).measureRelay)},
	{"sockets", "What open pages cost", programs, of((*lab).measureSockets)},
	{"people", "What a person weighs", programs, of((*lab).measurePeople)},
	{"flood", "One person's flood, and the others", programs, of((*lab).measureFlood)},
	{"scan", "A scan for contention", programs, of((*lab).measureScan)},
	{"ownership", "Who owns which line", programs, of((*lab).measureOwnership)},
	{"check", "Checking manifests in the terminal", programs, of((*lab).measureCheck)},
	{"blame", "Blaming one object in the terminal", programs, of((*lab).measureBlame)},
	{"browser", "In a browser", pods, of((*lab).measureBrowser)},
	{"interaction", "Every key and click", pods, of((*lab).measureInteraction)},
	{"navigate", "From page to page", pods, of((*lab).measureNavigate)},
	{"editor", "Typing in the editor", programs, of((*lab).measureEditor)},
	{"shell", "A key in a shell", programs, of((*lab).measureShell)},
	{"preview", "Previewing an apply", programs, of((*lab).measurePreview)},
	{"timeline", "The timeline of an object that changes all the time", programs, of((*lab).measureTimeline)},
	{"wirelog", "A long wire log", programs, of((*lab).measureRequests)},
	{"console", "A large answer in the console", pods, of((*lab).measureConsole)},
	{"logs", "Logs that are followed", programs, of((*lab).measureLogs)},
	{"large", "A very large collection", programs, of((*lab).measureLarge)},
	{"costs", "What things cost in the shared mode", programs, of((*lab).measureCosts)},
	{"load", "Many people at two replicas", programs, of((*lab).measureLoad)},
	{"replicas", "Two replicas and one", programs, of((*lab).measureSpread)},
	{"start", "Start", programs, of((*lab).measureStarts)},
	{"functions", "Single functions", nothing, of((*lab).measureFunctions)},
	{"continuity", "No event is lost", nothing, of((*lab).measureContinuity)},
	{firstPage, "The first minutes on a bare machine", nothing, of((*lab).measureFirstPage)},
}

// bencher runs parts. It starts the programs before the first part that needs them.
type bencher struct {
	plan    plan
	version string // of Fieldmark
	lab     *lab
	filled  bool
}

// built is the version of the program that is measured.
func (b *bencher) built(ctx context.Context) (string, error) {
	answer, err := exec.CommandContext(ctx, filepath.Join(b.plan.bin, "fieldmark"), "--version").Output()
	if err != nil {
		return "", fmt.Errorf("which Fieldmark is measured: %w; `make build` builds it", err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(answer), "fieldmark ")), nil
}

// runPart measures a part, and writes its section of the report again.
func (b *bencher) runPart(ctx context.Context, p part) error {
	if err := b.prepare(ctx, p.needs); err != nil {
		return err
	}
	found, err := p.measure(b.lab, ctx)
	if err != nil {
		return err
	}
	var text strings.Builder
	found.writeSection(&text, b.plan)
	old, err := os.ReadFile(b.plan.report)
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("reading the report: %w", err)
	}
	fresh := section{title: p.title, origin: b.origin(ctx, p, time.Now()), text: text.String()}
	if err := os.WriteFile(b.plan.report, []byte(renew(string(old), fresh)), 0o644); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (b *bencher) prepare(ctx context.Context, n needs) (err error) {
	if n >= programs && b.lab == nil {
		if b.lab, err = openLab(ctx, b.plan); err != nil {
			return err
		}
		b.lab.build = b.version
	}
	if n < pods || b.filled {
		return nil
	}
	b.filled = true
	return b.lab.fill(ctx)
}

func (b *bencher) close() {
	if b.lab != nil {
		b.lab.close()
	}
}
