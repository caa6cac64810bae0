package promises

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// step is one thing to do with kubectl.
type step struct {
	args   string // in {ns}, the namespace; {nl} is a line break; words are separated by spaces
	in     string // standard input, the same
	env    string // one further variable
	viewer bool   // by the user who may do little
	code   int    // that kubectl must end with: two equal failures are no parity
	says   string // what it must say: neither are two equal wrong answers
	differ []rule // what may differ between the two sides
}

func (s step) title() string { return strings.TrimSpace(s.env + " kubectl " + s.args) }

type answer struct {
	stdout, stderr string
	code           int
}

// command is a kubectl in an environment of its own: nothing of this machine's or user's settings takes part.
func (p *parity) command(ctx context.Context, w side, namespace string, s step) *exec.Cmd {
	user := "admin"
	if s.viewer {
		user = "viewer"
	}
	args := []string{"--kubeconfig", w.kubeconfig, "--cache-dir", w.cache, "--context", user}
	if namespace != "" {
		args = append(args, "--namespace", namespace)
	}
	for _, word := range strings.Fields(s.args) {
		args = append(args, strings.NewReplacer("{ns}", namespace, "{nl}", "\n").Replace(word))
	}
	c := exec.CommandContext(ctx, p.kubectl, args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C"}
	if s.env != "" {
		c.Env = append(c.Env, s.env)
	}
	return c
}

// call runs kubectl to its end.
func (p *parity) call(ctx context.Context, w side, namespace string, s step) answer {
	var stdout, stderr bytes.Buffer
	c := p.command(ctx, w, namespace, s)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(strings.ReplaceAll(s.in, "{ns}", namespace)), &stdout, &stderr
	return answered(c.Run(), &stdout, &stderr)
}

func answered(err error, stdout, stderr interface{ String() string }) answer {
	a := answer{stdout: stdout.String(), stderr: stderr.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		a.code = exit.ExitCode()
	} else if err != nil {
		a.code, a.stderr = -2, a.stderr+err.Error()
	}
	return a
}

// must runs what only prepares; it returns its output.
func (p *parity) must(t *testing.T, w side, namespace string, s step) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	a := p.call(ctx, w, namespace, s)
	if a.code != 0 {
		t.Fatalf("%s (%s): exit code %d: %s%s", s.title(), w.name, a.code, a.stdout, a.stderr)
	}
	return a.stdout
}

// minor is the minor version of the API server, whose words differ from release to release.
func (p *parity) minor(t *testing.T) int {
	t.Helper()
	var version struct{ Minor string }
	if err := json.Unmarshal([]byte(p.must(t, p.direct, "", step{args: "get --raw /version"})), &version); err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(version.Minor)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// until asks directly, again and again, until the answer holds the text.
func (pl place) until(t *testing.T, args, text string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		out := pl.must(t, pl.parity.direct, pl.direct, step{args: args})
		if strings.Contains(out, text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("kubectl %s never said %q: %s", args, text, out)
		}
	}
}

// each does one thing for each side, at the same time.
func each(first, second func()) {
	var both sync.WaitGroup
	both.Go(first)
	both.Go(second)
	both.Wait()
}

// same runs steps on both sides, one after the other, and compares.
func (pl place) same(t *testing.T, steps []step) {
	t.Helper()
	for _, s := range steps {
		t.Run(s.title(), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			d, th := pl.ask(ctx, t, s)
			pl.compare(t, s, d, th)
		})
	}
}

// ask does it on both sides, at the same time. Answers that differ from one namespace may be of different moments:
// then the sides are asked in turn, directly before and after, until the direct answers agree. What the cluster changes
// by itself, or another test in it, is no difference between the sides.
func (pl place) ask(ctx context.Context, t *testing.T, s step) (d, th answer) {
	t.Helper()
	directly := func() { d = pl.call(ctx, pl.parity.direct, pl.direct, s) }
	through := func() { th = pl.call(ctx, pl.parity.through, pl.through, s) }
	each(directly, through)
	if pl.direct != pl.through || pl.plain(s, pl.parity.direct, d) == pl.plain(s, pl.parity.through, th) {
		return d, th
	}
	for range 20 {
		before := pl.plain(s, pl.parity.direct, d)
		through()
		directly()
		if pl.plain(s, pl.parity.direct, d) == before {
			return d, th
		}
	}
	t.Fatal("the cluster's answer never stood still")
	return d, th
}
