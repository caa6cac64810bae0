// Package start measures how long people wait until Fieldmark is there.
package start

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// firstMinutes are how long `make run` takes on a machine on which nothing was built.
type firstMinutes struct {
	stages    []stage
	page      time.Duration // until the first page is there
	left      fraction      // of the packages, when the first run was interrupted
	again     fraction      // at which the next run continued
	againPage time.Duration
	cluster   time.Duration // from the start of the next run until the practice cluster responds
}

// stage is what make does for a time.
type stage struct {
	name string
	took time.Duration
}

type fraction struct{ done, total int }

// interruptAt is when the first run is interrupted, in percent of the packages.
const interruptAt = 30

// measureFirstPage runs `make run` in a fresh clone with empty caches of Go and npm, interrupts it while the practice cluster is being
// compiled, and runs it again.
func measureFirstPage(ctx context.Context, _ *lab.Lab) (f firstMinutes, err error) {
	folder, err := os.MkdirTemp("", "fieldmark-first-")
	if err != nil {
		return f, fmt.Errorf("a folder for the clone: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	clone := filepath.Join(folder, "fieldmark")
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", ".", clone).CombinedOutput(); err != nil {
		return f, fmt.Errorf("git clone: %w: %s", err, out)
	}
	first, err := makeRun(ctx, folder, clone)
	if err != nil {
		return f, err
	}
	f.page = first.page
	f.stages = first.stages()
	f.left, err = first.until(ctx, func(c fraction) bool { return 100*c.done >= interruptAt*c.total })
	if err := errors.Join(err, first.stop()); err != nil {
		return f, err
	}
	second, err := makeRun(ctx, folder, clone)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, second.stop()) }()
	f.againPage = second.page
	if f.again, err = second.until(ctx, func(fraction) bool { return true }); err != nil {
		return f, err
	}
	f.cluster, err = second.ready(ctx)
	return f, err
}

// firstRun is one `make run`.
type firstRun struct {
	cmd    *exec.Cmd
	began  time.Time
	page   time.Duration
	origin string
	ended  chan struct{}

	mu     sync.Mutex
	traced []stage // with the time of their beginning
	far    fraction
}

var (
	readyLine    = regexp.MustCompile(`^Fieldmark is ready at ((http://[^/]+)/\S+)$`)
	traceLine    = regexp.MustCompile(`^Makefile:\d+: (?:update )?target '([^']+)'`)
	compiledLine = regexp.MustCompile(`step=compile done=(\d+) total=(\d+)`)
)

// makeRun starts `make run`, and returns when the first page is there.
func makeRun(ctx context.Context, folder, clone string) (*firstRun, error) {
	r := &firstRun{began: time.Now(), ended: make(chan struct{})}
	r.cmd = exec.CommandContext(ctx, "make", "--trace", "run", "ARGS=--listen 127.0.0.1:0")
	r.cmd.Dir = clone
	r.cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(folder, "go"), "GOMODCACHE="+filepath.Join(folder, "modules"), "GOFLAGS=-modcacherw",
		"npm_config_cache="+filepath.Join(folder, "npm"), "MAKEFLAGS=", "MAKELEVEL=0")
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	links := make(chan string, 1)
	said, told := io.Pipe()
	r.cmd.Stdout, r.cmd.Stderr = told, told
	go r.followOutput(said, links)
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting make: %w", err)
	}
	go func() {
		_ = r.cmd.Wait()
		_ = told.Close()
		close(r.ended)
	}()
	select {
	case link := <-links:
		jar, _ := cookiejar.New(nil)
		browser := http.Client{Jar: jar}
		response, err := browser.Get(link) //nolint:noctx // it is there, or not
		if err != nil {
			return nil, errors.Join(err, r.stop())
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return nil, errors.Join(fmt.Errorf("the first page: %s", response.Status), r.stop())
		}
		r.page = time.Since(r.began)
		lab.Say(fmt.Sprintf("the first page is there after %.0f s", r.page.Seconds()))
		return r, nil
	case <-r.ended:
		return nil, errors.New("make run ended before Fieldmark was ready")
	}
}

// followOutput follows what make and Fieldmark print.
func (r *firstRun) followOutput(said io.Reader, links chan<- string) {
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		r.mu.Lock()
		line := lines.Text()
		if m := traceLine.FindStringSubmatch(line); m != nil {
			r.traced = append(r.traced, stage{m[1], time.Since(r.began)})
		}
		if m := compiledLine.FindStringSubmatch(line); m != nil {
			r.far.done, _ = strconv.Atoi(m[1])
			r.far.total, _ = strconv.Atoi(m[2])
		}
		if m := readyLine.FindStringSubmatch(line); m != nil {
			r.origin = m[2]
			links <- m[1]
		}
		r.mu.Unlock()
	}
	_, _ = io.Copy(io.Discard, said)
}

// until waits until the compilation is far enough.
func (r *firstRun) until(ctx context.Context, enough func(fraction) bool) (fraction, error) {
	for {
		r.mu.Lock()
		far := r.far
		r.mu.Unlock()
		if far.total > 0 && enough(far) {
			return far, nil
		}
		if err := r.pause(ctx); err != nil {
			return far, err
		}
	}
}

// ready waits until the practice cluster responds.
func (r *firstRun) ready(ctx context.Context) (time.Duration, error) {
	for {
		if response, err := http.Get(r.origin + "/readyz"); err == nil { //nolint:noctx // it is there, or not
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return time.Since(r.began), nil
			}
		}
		if err := r.pause(ctx); err != nil {
			return 0, err
		}
	}
}

func (r *firstRun) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ended:
		return errors.New("make run ended by itself")
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// stop interrupts it as Ctrl-C does.
func (r *firstRun) stop() error {
	if err := syscall.Kill(-r.cmd.Process.Pid, syscall.SIGINT); err != nil {
		return fmt.Errorf("interrupting make run: %w", err)
	}
	<-r.ended
	return nil
}

// stages are what make did until the first page, the short ones together.
func (r *firstRun) stages() []stage {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []stage
	short := stage{name: "everything else"}
	for i, s := range r.traced {
		end := r.page
		if i+1 < len(r.traced) {
			end = r.traced[i+1].took
		}
		if s.took = end - s.took; s.took >= time.Second {
			all = append(all, s)
		} else {
			short.took += s.took
		}
	}
	return append(all, short)
}

func (f firstMinutes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "`make run` in a fresh clone, with empty caches of Go and npm. From its start until the first page is there: **%.0f s** (goal ≤ 180 s).\n"+
		"Downloads are part of it. Stages of a second or more:\n\n| make's target | seconds |\n|---|---|\n", f.page.Seconds())
	for _, s := range f.stages {
		fmt.Fprintf(b, "| %s | %.0f |\n", s.name, s.took.Seconds())
	}
	fmt.Fprintf(b, "\nInterrupted when %d of %d packages of the practice cluster were compiled, and run again: the first page is there after %.1f s, the\n"+
		"compilation continues at %d of %d, and the practice cluster responds %.0f s after this second start.\n",
		f.left.done, f.left.total, f.againPage.Seconds(), f.again.done, f.again.total, f.cluster.Seconds())
}
