package promises

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is generous: tests wait for conditions, not for the clock.
const patience = 90 * time.Second

// event is one line of progress.
type event struct {
	Step      string `json:"step"`
	State     string `json:"state"`
	Message   string `json:"message"`
	ElapsedMS int64  `json:"elapsedMs"`
}

// program is a running `fieldmark-practice up`.
type program struct {
	dir   string
	cmd   *exec.Cmd
	stdin io.WriteCloser
	errs  bytes.Buffer
	ended chan struct{} // closed when the program has ended
	err   error         // how it ended; read after ended

	mu     sync.Mutex
	events []event
	news   chan struct{} // closed and replaced when an event arrives
	bad    []string      // lines that were no events
}

// launch starts the program on a folder.
func launch(dir string, args ...string) (*program, error) {
	bins, err := theBinaries()
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, ended: make(chan struct{}), news: make(chan struct{})}
	args = append([]string{"up", "--dir", dir, "--progress", "json"}, args...)
	p.cmd = exec.CommandContext(context.Background(), bins.practice, args...)
	p.cmd.Stderr = &p.errs
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.follow(out)
	return p, nil
}

// start launches the program for one test and stops it afterwards.
func start(t *testing.T, dir string, args ...string) *program {
	t.Helper()
	p, err := launch(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.stop()
		eventually(t, "all its processes are gone", func() error {
			if left := processesOf(dir); len(left) > 0 {
				return fmt.Errorf("still there: %v", left)
			}
			return nil
		})
	})
	return p
}

func (p *program) follow(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.take(lines.Bytes())
	}
	p.err = p.cmd.Wait()
	close(p.ended)
}

func (p *program) take(line []byte) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	var e event
	err := decoder.Decode(&e)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.bad = append(p.bad, string(line))
	}
	p.events = append(p.events, e)
	close(p.news)
	p.news = make(chan struct{})
}

func (p *program) soFar() ([]event, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]event(nil), p.events...), p.news
}

// await waits until a step is done.
func (p *program) await(step string) error {
	limit := time.After(patience)
	for {
		events, news := p.soFar()
		for _, e := range events {
			if e.Step == step && e.State == "done" {
				return nil
			}
		}
		select {
		case <-news:
		case <-p.ended:
			return fmt.Errorf("it ended before %s was done: %w\n%s", step, p.err, p.errs.String())
		case <-limit:
			return fmt.Errorf("%s was not done within %s; so far: %+v", step, patience, events)
		}
	}
}

func (p *program) mustReach(t *testing.T, step string) {
	t.Helper()
	if err := p.await(step); err != nil {
		t.Fatal(err)
	}
}

// stop asks the program to end and waits; it is killed if it doesn't.
func (p *program) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(patience): // the limit
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// wait waits until the program has ended by itself and returns its exit code.
func (p *program) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatalf("it did not end within %s", patience)
	}
	var exit *exec.ExitError
	if p.err == nil {
		return 0
	}
	if !errors.As(p.err, &exit) {
		t.Fatal(p.err)
	}
	return exit.ExitCode()
}

func (p *program) kubeconfig() string { return filepath.Join(p.dir, "kubeconfig") }

// oneLine returns what the program said on its standard error, which must be one line.
func (p *program) oneLine(t *testing.T) string {
	t.Helper()
	said := strings.TrimSuffix(p.errs.String(), "\n")
	if said == "" || strings.Contains(said, "\n") {
		t.Errorf("want one line, got %q", said)
	}
	return said
}

// processesOf returns the processes whose command line names the folder, by id.
func processesOf(dir string) map[int]string {
	found := map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte(dir)) || !bytes.HasPrefix(line, []byte("fieldmark-practice\x00")) {
			continue
		}
		if id, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			found[id] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

// componentOf returns the process of one component.
func componentOf(t *testing.T, dir, component string) int {
	t.Helper()
	for id, line := range processesOf(dir) {
		if strings.HasPrefix(line, "fieldmark-practice "+component+" ") {
			return id
		}
	}
	t.Fatalf("%s does not run", component)
	return 0
}

// eventually waits until check has nothing to complain about.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatalf("%s: not within %s: %v", what, patience, err)
}

// kubectl runs kubectl and returns its output.
func (p *program) kubectl(t *testing.T, input string, args ...string) (string, error) {
	t.Helper()
	bins, err := theBinaries()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bins.kubectl, args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+p.kubeconfig(), "HOME="+t.TempDir())
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (p *program) mustKubectl(t *testing.T, input string, args ...string) string {
	t.Helper()
	out, err := p.kubectl(t, input, args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}
