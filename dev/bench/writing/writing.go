// Package writing measures the language server: how soon a finding follows a pause in typing, and what a key costs.
package writing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// Writing is the part.
var Writing = lab.Of(measure)

const (
	rounds    = 30
	keys      = 2000     // in the large file
	large     = 10 << 20 // bytes
	space     = "bench-writing"
	pause     = 300 * time.Millisecond // as the verb has it
	published = "textDocument/publishDiagnostics"
)

// times are milliseconds, and megabytes of memory.
type times struct {
	first                      float64 // from opening a file to its findings, with nothing remembered
	finding, afterPause, hover []float64
	key                        []float64 // in a large file, in microseconds
	idle, opened               float64
}

// manifest is a Deployment. The image differs from the stored one, so there is a conflict.
func manifest(image string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: " + space + "\nspec:\n  replicas: 0\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" +
		"    spec:\n      containers:\n      - name: app\n        image: registry.example/" + image + "\n"
}

// imageLine is the line of manifest with the image, from 0.
const imageLine = 13

// editor is a client of the server.
type editor struct {
	conn      jsonrpc2.Conn
	process   *exec.Cmd
	published chan diagnostics
}

// diagnostics are those of a version of a document.
type diagnostics struct {
	URI         string                           `json:"uri"`
	Version     int                              `json:"version"`
	Diagnostics []struct{ Code, Message string } `json:"diagnostics"`
}

// pipes are the standard output and the standard input of the server.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// document names a version of a document.
func document(uri string, version int) map[string]any {
	return map[string]any{"uri": uri, "version": version}
}

func place(line, character int) map[string]any {
	return map[string]any{"line": line, "character": character}
}

// startEditor starts the server.
func startEditor(ctx context.Context, l *lab.Lab, root string) (*editor, error) {
	e := &editor{published: make(chan diagnostics, 1000)}
	e.process = exec.CommandContext(ctx, filepath.Join(l.Plan.Bin, "fieldmark"), "lsp", "--kubeconfig", l.Renamed(), "--context", lab.ContextName, "--dry-runs", root, "--manager", "somebody")
	in, err := e.process.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	out, err := e.process.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	if err := e.process.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(pipes{out, in}))
	e.conn.Go(ctx, func(_ context.Context, r *jsonrpc2.Request) (any, error) {
		var p diagnostics
		if r.Method() == published && json.Unmarshal(r.Params(), &p) == nil {
			e.published <- p
		}
		return nil, nil
	})
	if _, err := e.conn.Call(ctx, "initialize", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return e, e.notify(ctx, "initialized", struct{}{})
}

func (e *editor) notify(ctx context.Context, method string, params any) error {
	if err := e.conn.Notify(ctx, method, params); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func (e *editor) open(ctx context.Context, uri, text string) error {
	return e.notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "languageId": "yaml", "text": text}})
}

// key puts a letter into a line.
func (e *editor) key(ctx context.Context, uri string, version, line, character int) error {
	at := place(line, character)
	change := map[string]any{"range": map[string]any{"start": at, "end": at}, "text": "x"}
	return e.notify(ctx, "textDocument/didChange", map[string]any{"textDocument": document(uri, version), "contentChanges": []any{change}})
}

// found waits for diagnostics of a version.
func (e *editor) found(ctx context.Context, uri string, version int, code string) error {
	for {
		select {
		case p := <-e.published:
			if p.URI == uri && p.Version == version && len(p.Diagnostics) > 0 {
				if p.Diagnostics[0].Code != code {
					return fmt.Errorf("the first finding is %q and not %q: %s", p.Diagnostics[0].Code, code, p.Diagnostics[0].Message)
				}
				return nil
			}
		case <-e.conn.Done():
			return errors.New("the server has ended")
		case <-ctx.Done():
			return fmt.Errorf("waiting for findings: %w", ctx.Err())
		}
	}
}

func measure(ctx context.Context, l *lab.Lab) (t times, err error) {
	ctx, cancel := context.WithTimeout(ctx, lab.Patience)
	defer cancel()
	root := filepath.Join(l.Folder, "writing")
	if err := stored(ctx, l, root); err != nil {
		return t, err
	}
	e, err := startEditor(ctx, l, root)
	if err != nil {
		return t, err
	}
	defer func() { _ = e.process.Process.Kill(); _ = e.process.Wait() }() // it has nothing to tidy up
	if err := t.findings(ctx, e, "file://"+filepath.Join(root, "web.yaml")); err != nil {
		return t, err
	}
	t.idle = float64(lab.Resident(e.process.Process.Pid)) / (1 << 20)
	if err := t.keys(ctx, e, "file://"+filepath.Join(root, "large.yaml")); err != nil {
		return t, err
	}
	t.opened = float64(lab.Resident(e.process.Process.Pid)) / (1 << 20)
	return t, nil
}

// stored makes the folder, and the object that the manifest is about.
func stored(ctx context.Context, l *lab.Lab, root string) error {
	if err := l.MakeNamespace(ctx, space); err != nil {
		return err
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	for name, text := range map[string]string{"fieldmark.yaml": "", "stored.yaml": manifest("app:1")} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			return fmt.Errorf("writing a manifest: %w", err)
		}
	}
	apply := exec.CommandContext(ctx, filepath.Join(l.Plan.Bin, "kubectl"), "apply", "--server-side", "--kubeconfig", l.Renamed(), "-f", filepath.Join(root, "stored.yaml"))
	if said, err := apply.CombinedOutput(); err != nil {
		return fmt.Errorf("applying: %w: %s", err, said)
	}
	return nil
}

// findings measures from the last of five keys to the finding, and hovers.
func (t *times) findings(ctx context.Context, e *editor, uri string) error {
	began := time.Now()
	if err := e.open(ctx, uri, manifest("app:2")); err != nil {
		return err
	}
	if err := e.found(ctx, uri, 1, "conflict"); err != nil {
		return err
	}
	t.first = figures.MS(time.Since(began))
	version := 1
	for range rounds {
		for range 5 {
			version++
			if err := e.key(ctx, uri, version, imageLine, 30); err != nil {
				return err
			}
		}
		last := time.Now()
		if err := e.found(ctx, uri, version, "conflict"); err != nil {
			return err
		}
		took := time.Since(last)
		t.finding, t.afterPause = append(t.finding, figures.MS(took)), append(t.afterPause, figures.MS(took-pause))
		asked := time.Now()
		var h *struct{}
		if _, err := e.conn.Call(ctx, "textDocument/hover", map[string]any{"textDocument": document(uri, version), "position": place(imageLine, 20)}, &h); err != nil || h == nil {
			return fmt.Errorf("the hover has no text: %w", err)
		}
		t.hover = append(t.hover, figures.MS(time.Since(asked)))
	}
	return nil
}

// keys measures keys in a large file, by a request after them: the server handles messages in their order.
func (t *times) keys(ctx context.Context, e *editor, uri string) error {
	const line = "# a line of a comment in a large file\n"
	if err := e.open(ctx, uri, strings.Repeat(line, large/len(line))); err != nil {
		return err
	}
	if err := e.found(ctx, uri, 1, "too-long"); err != nil {
		return err
	}
	version := 1
	for range rounds {
		began := time.Now()
		for range keys / rounds {
			version++
			if err := e.key(ctx, uri, version, version*7, 3); err != nil {
				return err
			}
		}
		if _, err := e.conn.Call(ctx, "fieldmark/none", nil, nil); err == nil {
			return errors.New("the server knows a method that there isn't")
		}
		t.key = append(t.key, 1000*figures.MS(time.Since(began))/float64(keys/rounds))
	}
	return nil
}

// WriteSection implements lab.Findings.
func (t times) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "`fieldmark lsp` with a client that sends five keys and waits, %d times. The manifest has a conflict with the object on the cluster. Medians with the range\n"+
		"beside them.\n\n| | | goal |\n|---|---|---|\n", rounds)
	fmt.Fprintf(b, "| from the last key to the finding, with the pause of %d ms, in milliseconds | %s | |\n", pause.Milliseconds(), figures.Fine(t.finding))
	fmt.Fprintf(b, "| from the end of the pause to the finding, in milliseconds | %s | ≤ 500 |\n", figures.Fine(t.afterPause))
	fmt.Fprintf(b, "| the first finding of a new server, without a pause, in milliseconds | %.1f | |\n", t.first)
	fmt.Fprintf(b, "| a hover, in milliseconds | %s | |\n", figures.Fine(t.hover))
	fmt.Fprintf(b, "| a key in a file of 10 MB until the server has handled it, in microseconds | %s | no key slower |\n", figures.Fine(t.key))
	fmt.Fprintf(b, "| memory with one manifest, and with the file of 10 MB, in megabytes (2²⁰) | %.0f, %.0f | |\n", t.idle, t.opened)
}
