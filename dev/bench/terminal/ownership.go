package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// blameTimes are the times to find the owners of each line of an object.
type blameTimes struct {
	Native, Browser blameFigures
}

// blameFigures is the output of dev/bench/blame, in milliseconds.
type blameFigures struct {
	Lines    int       `json:"lines"`
	Managers int       `json:"managers"`
	Bytes    int       `json:"bytes"`
	First    float64   `json:"first"` // the first time
	Blame    []float64 `json:"blame"` // later times: managedFields parsed, and owners found for the lines
	Whole    []float64 `json:"whole"` // the same, with reading the JSON and writing the YAML
}

const (
	ownedSpace    = "bench-owned"
	ownedObject   = "/apis/apps/v1/namespaces/" + ownedSpace + "/deployments/owned"
	ownedManagers = 20
)

// measureOwnership lets many managers apply an object to the real API server, and runs one program on the result twice:
// natively, and as WebAssembly in a real browser.
func measureOwnership(ctx context.Context, l *lab.Lab) (t blameTimes, err error) {
	object, err := owned(ctx, l)
	if err != nil {
		return t, err
	}
	native := exec.CommandContext(ctx, "go", "run", "./dev/bench/blame")
	native.Stdin, native.Stderr = bytes.NewReader(object), os.Stderr
	if t.Native, err = runBlame(native); err != nil {
		return t, err
	}
	program := filepath.Join(l.Folder, "blame.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", program, "./dev/bench/blame")
	build.Env, build.Stderr = append(os.Environ(), "GOOS=js", "GOARCH=wasm"), os.Stderr
	if err := build.Run(); err != nil {
		return t, fmt.Errorf("building for WebAssembly: %w", err)
	}
	script := browser.Script(ctx, "terminal/ownership", "static/dist/wasm_exec.js", program)
	script.Stdin = bytes.NewReader(object)
	t.Browser, err = runBlame(script)
	return t, err
}

// runBlame reads what a run of dev/bench/blame prints.
func runBlame(c *exec.Cmd) (f blameFigures, err error) {
	answer, err := c.Output()
	if err != nil {
		return f, fmt.Errorf("%s: %w", c.Args[0], err)
	}
	if err := json.Unmarshal(answer, &f); err != nil || len(f.Blame) == 0 {
		return f, fmt.Errorf("%s: the figures can't be read: %w", c.Args[0], err)
	}
	return f, nil
}

// owned is an object with many managers. It is made once.
func owned(ctx context.Context, l *lab.Lab) ([]byte, error) {
	if _, object, err := l.Bare.Do(ctx, http.MethodGet, ownedObject, nil); err == nil {
		return object, nil
	}
	return makeOwned(ctx, l)
}

// makeOwned lets each manager apply its own container and the container of the next manager.
func makeOwned(ctx context.Context, l *lab.Lab) ([]byte, error) {
	if err := l.MakeNamespace(ctx, ownedSpace); err != nil {
		return nil, err
	}
	for i := range ownedManagers {
		body := fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"owned"},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"owned"}},`+
			`"template":{"metadata":{"labels":{"app":"owned"}},"spec":{"containers":[%s,%s]}}}}`, ownedContainer(i), ownedContainer((i+1)%ownedManagers))
		path := fmt.Sprintf("%s?fieldManager=bench-%d&force=true", ownedObject, i)
		if err := l.Bare.Apply(ctx, path, body); err != nil {
			return nil, fmt.Errorf("applying: %w", err)
		}
	}
	_, object, err := l.Bare.Do(ctx, http.MethodGet, ownedObject, nil)
	return object, err
}

// ownedContainer is about fifty lines.
func ownedContainer(i int) string {
	var env []string
	for n := range 15 {
		env = append(env, fmt.Sprintf(`{"name":"SETTING_%d","value":"%d"}`, n, i))
	}
	return fmt.Sprintf(`{"name":"part-%d","image":"registry.example/part:%d","args":["--serve","--level=info"],"env":[%s],`+
		`"ports":[{"name":"port-%d","containerPort":%d,"protocol":"TCP"}],"resources":{"requests":{"cpu":"10m","memory":"16Mi"},"limits":{"memory":"32Mi"}}}`,
		i, i, strings.Join(env, ","), i, 8000+i)
}

func (t blameTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "A Deployment that %d managers have applied to the practice cluster: %d lines of YAML, %d kB of JSON. Milliseconds, medians of %d times\n"+
		"with the range beside them; one program, run as it is and as WebAssembly in Chromium.\n\n| | native | goal | WebAssembly | goal |\n|---|---|---|---|---|\n",
		t.Native.Managers, t.Native.Lines, t.Native.Bytes/1000, len(t.Native.Blame))
	fmt.Fprintf(b, "| managedFields read, and laid on every line | %s | ≤ 5 | %s | ≤ 40 |\n", figures.Fine(t.Native.Blame), figures.Fine(t.Browser.Blame))
	fmt.Fprintf(b, "| the same, the first time a program does it | **%.1f** | | **%.1f** | |\n", t.Native.First, t.Browser.First)
	fmt.Fprintf(b, "| the same, with the JSON read and the YAML written | %s | | %s | |\n", figures.Fine(t.Native.Whole), figures.Fine(t.Browser.Whole))
}
