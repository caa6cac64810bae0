package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/census"
	"github.com/fieldmark/fieldmark/dev/bench/fleet"
	"github.com/fieldmark/fieldmark/dev/bench/gotest"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/pages"
	"github.com/fieldmark/fieldmark/dev/bench/people"
	"github.com/fieldmark/fieldmark/dev/bench/proxy"
	"github.com/fieldmark/fieldmark/dev/bench/start"
	"github.com/fieldmark/fieldmark/dev/bench/terminal"
	"github.com/fieldmark/fieldmark/dev/bench/watch"
	"github.com/fieldmark/fieldmark/dev/bench/writing"
)

// part is one measurement, with its section of the report.
type part struct {
	name    string // as in `make bench PART=…`
	title   string // of the section
	needs   needs
	measure lab.Measurement
}

// needs says what must run before a part can be measured.
type needs int

const (
	nothing needs = iota
	programs
	pods // … with the large collection
)

// parts are all parts, in the order of the report.
var parts = []part{
	{"proxy", "Through the proxy", pods, proxy.Scenes},
	{"recording", "What recording costs", pods, proxy.Recording},
	{"page", "The collection page", pods, proxy.Page},
	{"relay", "Following what happens", programs, watch.Relay},
	{"sockets", "What open pages cost", programs, watch.Sockets},
	{"people", "What a person weighs", programs, people.People},
	{"flood", "One person's flood, and the others", programs, people.Flood},
	{"scan", "A scan for contention", programs, watch.Scan},
	{"census", "A census of a whole cluster", programs, census.Census},
	{"ownership", "Who owns which line", programs, terminal.Ownership},
	{"check", "Checking manifests in the terminal", programs, terminal.Check},
	{"blame", "Blaming one object in the terminal", programs, terminal.Blame},
	{"writing", "Writing manifests in an editor", programs, writing.Writing},
	{"browser", "In a browser", pods, pages.Browser},
	{"interaction", "Every key and click", pods, pages.Interaction},
	{"navigate", "From page to page", pods, pages.Navigate},
	{"editor", "Typing in the editor", programs, pages.Editor},
	{"shell", "A key in a shell", programs, pages.Shell},
	{"preview", "Previewing an apply", programs, pages.Preview},
	{"checkpage", "Checking many documents on the page", programs, pages.CheckPage},
	{"timeline", "The timeline of an object that changes all the time", programs, pages.Timeline},
	{"wirelog", "A long wire log", programs, pages.Requests},
	{"console", "A large answer in the console", pods, pages.Console},
	{"logs", "Logs that are followed", programs, pages.Logs},
	{"large", "A very large collection", programs, pages.Large},
	{"contexts", "Many contexts", programs, pages.Contexts},
	{"costs", "What things cost in the shared mode", programs, fleet.Costs},
	{"load", "Many people at two replicas", programs, fleet.Load},
	{"replicas", "Two replicas and one", programs, fleet.Spread},
	{"start", "Start", programs, start.Starts},
	{"functions", "Single functions", nothing, gotest.Functions},
	{"continuity", "No event is lost", nothing, gotest.Continuity},
	{firstPage, "The first minutes on a bare machine", nothing, start.FirstPage},
}

// bencher runs parts. It starts the programs before the first part that needs them.
type bencher struct {
	plan    lab.Plan
	version string // of Fieldmark
	lab     *lab.Lab
	filled  bool
}

// built is the version of the program that is measured.
func (b *bencher) built(ctx context.Context) (string, error) {
	answer, err := exec.CommandContext(ctx, filepath.Join(b.plan.Bin, "fieldmark"), "--version").Output()
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
	begun := time.Now()
	found, err := p.measure(ctx, b.lab)
	if err != nil {
		return err
	}
	took := time.Since(begun)
	var text strings.Builder
	found.WriteSection(&text, b.plan)
	old, err := os.ReadFile(b.plan.Report)
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("reading the report: %w", err)
	}
	fresh := section{title: p.title, origin: b.origin(ctx, p, time.Now(), took), text: text.String()}
	if err := os.WriteFile(b.plan.Report, []byte(renew(string(old), fresh)), 0o644); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (b *bencher) prepare(ctx context.Context, n needs) (err error) {
	if n >= programs && b.lab == nil {
		if b.lab, err = lab.Open(ctx, b.plan); err != nil {
			return err
		}
		b.lab.Build = b.version
	}
	if n < pods || b.filled {
		return nil
	}
	b.filled = true
	return b.lab.Fill(ctx)
}

// close ends the programs. The next part that needs some starts others.
func (b *bencher) close() {
	if b.lab != nil {
		b.lab.Close()
	}
	b.lab, b.filled = nil, false
}
