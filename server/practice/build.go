package practice

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/words"
)

// The steps of a build, as practice/build.sh names them. Before the first, it finds out what there is to do.
const (
	Download = "download"
	Compile  = "compile"
	Link     = "link"
)

const (
	maxPackages = 1_000_000
	// muchWork is how many packages take longer to compile than readers wait for gladly.
	muchWork = 50
	// A guess of the time that is left needs some packages, and some time.
	guessPackages = 20
	guessTime     = 10 * time.Second
	logLines      = 20
)

// Build is how far the compilation of the practice cluster's program is. A nil Build is one that wasn't needed.
type Build struct {
	// Step is download, compile or link; empty before the first.
	Step string `json:"step,omitempty"`
	// Done are the modules that were downloaded, or the packages that are compiled or being compiled. Packages that were in Go's
	// build cache before count as well.
	Done int `json:"done"`
	// Total are all packages of the program; 0 while that isn't known.
	Total int `json:"total,omitempty"`
	// Left is a guess: the packages that are left take as long as those of this build so far. 0: nobody knows yet.
	Left time.Duration `json:"left,omitempty"`
	// Over is true when the build has ended. If it failed, Log is the end of what it wrote.
	Over   bool     `json:"over,omitempty"`
	Failed bool     `json:"failed,omitempty"`
	Log    []string `json:"log,omitempty"`

	began  time.Time // when the first package was told
	before int       // what was done then
}

func (b *Build) failed() bool { return b != nil && b.Failed }

func (b *Build) underWay() bool { return b != nil && !b.Over }

// with is the build after one line of news.
func (b Build) with(n Build, now time.Time) *Build {
	if b.Step != n.Step {
		b.began, b.before = now, n.Done
	}
	b.Step, b.Done, b.Total, b.Left = n.Step, n.Done, max(n.Total, b.Total), 0
	if took, made := now.Sub(b.began), b.Done-b.before; b.Step == Compile && made >= guessPackages && took >= guessTime {
		b.Left = time.Duration(float64(took) / float64(made) * float64(b.Total-b.Done))
	}
	return &b
}

// much tells whether the build takes more than seconds.
func (b *Build) much() bool {
	return b.Step == Download || b.Step == Compile && b.Total-b.Done >= muchWork
}

// progressText is the build in one sentence.
func (b *Build) progressText() string {
	switch b.Step {
	case Download:
		return "the source code of the practice cluster is being downloaded: " + words.Count(int64(b.Done), "module", "modules") + " so far"
	case Compile:
		text := fmt.Sprintf("the practice cluster is being compiled: %s of %s", words.Thousands(int64(b.Done)), words.Count(int64(b.Total), "package", "packages"))
		if b.Left > 0 {
			text += ", " + left(b.Left)
		}
		return text
	case Link:
		return "the practice cluster is being compiled: all packages are done, and the linker makes one program of them"
	}
	return "Fieldmark is finding out which parts of the practice cluster must be compiled"
}

// left is a guess in words. It is no better than a minute.
func left(d time.Duration) string {
	minutes := int64(d.Round(time.Minute) / time.Minute)
	if minutes == 0 {
		return "less than a minute left"
	}
	return "about " + words.Count(minutes, "minute", "minutes") + " left"
}

// build starts the build; the program follows.
func (p *Practice) build() error {
	log := &tail{log: p.options.Log}
	p.progress.Build = &Build{}
	c, err := startChild(p.options.Build, []string{filepath.Dir(p.binary), "--beside"}, &newsLines{take: p.buildNews}, log)
	if err != nil {
		return cannotStart(p.options.Build, err)
	}
	p.child = c
	go func() { p.built(c.wait(), log) }()
	return nil
}

// buildNews takes one line of the build in. Lines that are no news go to the log.
func (p *Practice) buildNews(line []byte) {
	var n Build
	err := json.Unmarshal(line, &n)
	known := n.Step == Download || n.Step == Compile || n.Step == Link
	if err != nil || !known || n.Done < 0 || n.Total < 0 || n.Total > maxPackages || n.Step == Compile && n.Done > n.Total {
		p.options.Log.Debug("build of the practice cluster", "line", status.Excerpt(line, maxWords))
		return
	}
	p.change(func(g Progress) Progress {
		g.Build = g.Build.with(n, p.options.Now())
		return g
	})
	if p.Progress().Build.much() {
		p.compiling()
	}
}

// built goes on with the program, unless the build failed or nobody wants it any more.
func (p *Practice) built(err error, log *tail) {
	if err == nil && p.runAfterBuild() {
		return
	}
	if err != nil && !p.asked() {
		p.change(func(g Progress) Progress {
			g.Build = &Build{Step: g.Build.Step, Over: true, Failed: true, Log: log.lines(logLines)}
			g.Failed = "the build ended unexpectedly (" + err.Error() + ")"
			return g
		})
	}
	p.compiling()
	p.ended(err)
}

// runAfterBuild starts the program after the build. It tells whether the program runs.
func (p *Practice) runAfterBuild() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping {
		return false
	}
	p.progress.Build = &Build{Over: true}
	err := p.startProgram()
	if err != nil {
		p.progress.Failed = "can't start its program " + strings.TrimPrefix(err.Error(), notStarted)
	}
	return err == nil
}
