package program

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is far more than anything here takes, and less than the test's own deadline.
const patience = time.Minute

// testToken is a launch token as one would choose it.
const testToken = "a-token-that-is-long-enough"

// ended is what a run left behind.
type ended struct {
	code           int
	stdout, stderr string
}

// runToEnd runs the program until it ends by itself.
func runToEnd(t *testing.T, env map[string]string, args ...string) ended {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr lockedBuffer
	code := runProgram(ctx, "v1", args, func(name string) string { return env[name] }, &stdout, &stderr)
	if ctx.Err() != nil {
		t.Fatalf("%v did not end by itself: %s%s", args, stdout.String(), stderr.String())
	}
	return ended{code, stdout.String(), stderr.String()}
}

// oneLine wants the run to have failed with the code and one line on stderr that holds the words.
func (e ended) oneLine(t *testing.T, code int, words ...string) {
	t.Helper()
	if e.code != code || e.stdout != "" {
		t.Errorf("exit code %d, want %d; stdout %q", e.code, code, e.stdout)
	}
	if strings.Count(e.stderr, "\n") != 1 || !strings.HasPrefix(e.stderr, "fieldmark: ") {
		t.Errorf("not one line of ours: %q", e.stderr)
	}
	for _, w := range words {
		if !strings.Contains(e.stderr, w) {
			t.Errorf("it does not say %q: %s", w, e.stderr)
		}
	}
}

// lockedBuffer may be read while the program still writes.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// fieldmark is the program while it runs.
type fieldmark struct {
	t      *testing.T
	base   string       // http://127.0.0.1:port
	token  string       // empty: a random one, which is printed nowhere
	code   string       // for one visit
	stop   func() ended // asks it to end and waits; once
	stderr *lockedBuffer
}

var readyLine = regexp.MustCompile(`^Fieldmark is ready at (http://[^/]+:[0-9]+)/\?code=(\S+)$`)

// start runs the program on a free port until it says that it is ready. Its launch token is testToken, unless env says otherwise.
func start(t *testing.T, env map[string]string, args ...string) *fieldmark {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	reader, stdout := io.Pipe()
	f := &fieldmark{t: t, stderr: &lockedBuffer{}, token: testToken}
	if token, ok := env["FIELDMARK_TOKEN"]; ok {
		f.token = token
	}
	known := func(name string) string {
		if name == "FIELDMARK_TOKEN" {
			return f.token
		}
		return env[name]
	}
	code := make(chan int, 1)
	go func() {
		code <- runProgram(ctx, "v1", append([]string{"--listen", "127.0.0.1:0"}, args...), known, stdout, f.stderr)
		_ = stdout.Close()
	}()
	said := bufio.NewReader(reader)
	f.stop = sync.OnceValue(func() ended {
		cancel()
		rest, _ := io.ReadAll(said)
		return ended{<-code, string(rest), f.stderr.String()}
	})
	t.Cleanup(func() { f.stop() })
	line, err := said.ReadString('\n')
	found := readyLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
	if err != nil || found == nil {
		t.Fatalf("it says %q (%v): %s", line, err, f.stderr)
	}
	f.base, f.code = found[1], found[2]
	return f
}

func (f *fieldmark) request(method, address string, header ...string) *http.Request {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.base+address, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// answer is what an address answered.
type answered struct {
	code   int
	header http.Header
	body   string
}

// ask sends a request without a session; bearer sends it with the launch token.
func (f *fieldmark) ask(method, address string, header ...string) answered {
	f.t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(f.request(method, address, header...))
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, string(body)}
}

func (f *fieldmark) bearer(method, address string) answered {
	f.t.Helper()
	return f.ask(method, address, "Authorization", "Bearer "+f.token)
}

// TestWhoServes: with the verb in both, without a verb only if it isn't the plugin, and never after a word that is no verb.
func TestWhoServes(t *testing.T) {
	for line, want := range map[string]bool{
		"fieldmark": true, "fieldmark --listen 127.0.0.1:0": true, "fieldmark serve": true, "fieldmark serve --read-only": true, "fieldmark blame pods/a": false,
		"/bin/kubectl-fieldmark": false, "kubectl-fieldmark.exe": false, "kubectl-fieldmark -n shop": false, "kubectl-fieldmark --listen 127.0.0.1:0": false,
		"kubectl-fieldmark serve --listen 127.0.0.1:0": true, "kubectl-fieldmark chekc": false, "kubectl_complete-fieldmark bla": false, "fieldmark help serve": false,
	} {
		if args, serves := forServer(strings.Fields(line)); serves != want || slices.Contains(args, "serve") && serves {
			t.Errorf("%s: serves %v, with %q", line, serves, args)
		}
	}
	for _, line := range []string{"blme", "--listen 127.0.0.1:0 chekc", "--read-only server", "serve chekc"} {
		args, _ := forServer(append([]string{"fieldmark"}, strings.Fields(line)...))
		var out, errs bytes.Buffer
		code := runProgram(t.Context(), "v1", args, func(string) string { return "" }, &out, &errs)
		if code != 2 || out.Len() > 0 || !strings.Contains(errs.String(), "is no verb of fieldmark. Did you mean ") || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("fieldmark %s: %d, %s%s", line, code, &out, &errs)
		}
	}
}
