// Package lsptest is an editor for tests: a client of the Language Server Protocol that knows the text of the specification, and nothing of the server's code.
package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Patience bounds every waiting.
const Patience = 60 * time.Second

// Message is a message of the server.
type Message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Position is a place in a document.
type Position struct{ Line, Character int }

// Range is a part of a document.
type Range struct{ Start, End Position }

// Diagnostic is one diagnostic.
type Diagnostic struct {
	Range              Range
	Severity           int
	Code               string
	Source             string
	Message            string
	RelatedInformation []struct{ Message string }
}

// Published are the diagnostics of one version of a document.
type Published struct {
	URI         string
	Version     int
	Diagnostics []Diagnostic
}

// Edit is a change of a document.
type Edit struct {
	Range   Range
	NewText string
}

// Action is a code action.
type Action struct {
	Title string
	Kind  string
	Edit  *struct {
		Changes         map[string][]Edit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []Edit
		}
	}
	Command *struct {
		Command   string
		Arguments []string
	}
}

// Editor speaks with a server.
type Editor struct {
	t  *testing.T
	in io.Writer

	mu        sync.Mutex
	news      *sync.Cond
	id        int
	responses map[string]Message
	published []Published
	said      []string // by window/showMessage
	asked     []string // by window/showMessageRequest
	answer    string   // the title of the choice that the person takes; empty: none
	wrong     error    // why no more messages are read
}

// New reads the server's messages until they end.
func New(t *testing.T, in io.Writer, out io.Reader) *Editor {
	t.Helper()
	e := &Editor{t: t, in: in, responses: map[string]Message{}}
	e.news = sync.NewCond(&e.mu)
	go e.listen(bufio.NewReaderSize(out, 1<<16))
	return e
}

func (e *Editor) listen(from *bufio.Reader) {
	for {
		m, err := read(from)
		e.mu.Lock()
		if err != nil {
			e.wrong = err
			e.news.Broadcast()
			e.mu.Unlock()
			return
		}
		e.take(m)
		e.news.Broadcast()
		e.mu.Unlock()
	}
}

// read reads a frame as the specification has it. Anything else on the stream is an error.
func read(from *bufio.Reader) (m Message, err error) {
	length := -1
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return m, err
		}
		if line == "\r\n" {
			break
		}
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\r\n"), ": ")
		if !found || name != "Content-Length" {
			return m, fmt.Errorf("the stream has a line that is no header: %.200q", line)
		}
		if length, err = strconv.Atoi(value); err != nil {
			return m, fmt.Errorf("a header: %w", err)
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(from, body); err != nil {
		return m, fmt.Errorf("a frame is cut: %w", err)
	}
	if err := json.Unmarshal(body, &m); err != nil || m.JSONRPC != "2.0" {
		return m, fmt.Errorf("no message of JSON-RPC 2.0: %.200q", body)
	}
	return m, nil
}

// take takes a message of the server, with the lock.
func (e *Editor) take(m Message) {
	var text struct{ Message string }
	switch m.Method {
	case "":
		e.responses[string(m.ID)] = m
	case "textDocument/publishDiagnostics":
		var p Published
		if err := json.Unmarshal(m.Params, &p); err != nil {
			e.wrong = err
		}
		e.published = append(e.published, p)
	case "window/showMessage":
		_ = json.Unmarshal(m.Params, &text)
		e.said = append(e.said, text.Message)
	case "window/showMessageRequest":
		_ = json.Unmarshal(m.Params, &text)
		e.asked = append(e.asked, text.Message)
		result := "null"
		if e.answer != "" {
			result = `{"title":` + strconv.Quote(e.answer) + `}`
		}
		if e.answer == "refuse" {
			e.Frame(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":{"code":-32601,"message":"no such method"}}`)
			return
		}
		e.Frame(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`)
	}
}

// Raw sends bytes.
func (e *Editor) Raw(text string) error {
	_, err := io.WriteString(e.in, text)
	return err
}

// Frame sends a frame.
func (e *Editor) Frame(body string) {
	if err := e.Raw("Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body); err != nil {
		e.t.Errorf("writing to the server: %v", err)
	}
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.Frame(`{"jsonrpc":"2.0","method":"` + method + `","params":` + encoded(e.t, params) + `}`)
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Send sends a request, and returns its id.
func (e *Editor) Send(method string, params any) string {
	e.mu.Lock()
	e.id++
	id := strconv.Itoa(e.id)
	e.mu.Unlock()
	e.Frame(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + encoded(e.t, params) + `}`)
	return id
}

// Wait waits for the response with an id.
func (e *Editor) Wait(id string) (m Message) {
	e.t.Helper()
	e.until("the response to "+id, func() bool {
		var there bool
		m, there = e.responses[id]
		return there
	})
	return m
}

// Ask sends a request, and waits for its response.
func (e *Editor) Ask(method string, params any) Message {
	e.t.Helper()
	return e.Wait(e.Send(method, params))
}

// until waits for a condition. It is asked with the lock.
func (e *Editor) until(what string, is func() bool) {
	e.t.Helper()
	late := time.AfterFunc(Patience, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.wrong == nil {
			e.wrong = fmt.Errorf("no %s within %s", what, Patience)
		}
		e.news.Broadcast()
	})
	defer late.Stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for !is() {
		if e.wrong != nil {
			e.t.Fatalf("waiting for %s: %v; messages to the person: %q", what, e.wrong, e.said)
		}
		e.news.Wait()
	}
}

// Capable is what this editor says that it can do.
func Capable(encodings ...string) map[string]any {
	return map[string]any{"capabilities": map[string]any{
		"general":   map[string]any{"positionEncodings": encodings},
		"window":    map[string]any{"showMessage": map[string]any{}},
		"workspace": map[string]any{"workspaceEdit": map[string]any{"documentChanges": true}},
		"textDocument": map[string]any{
			"hover":              map[string]any{"contentFormat": []string{"markdown", "plaintext"}},
			"codeAction":         map[string]any{"codeActionLiteralSupport": map[string]any{}},
			"publishDiagnostics": map[string]any{"relatedInformation": true, "versionSupport": true},
		},
	}}
}

// Begin is the handshake.
func (e *Editor) Begin(params any) Message {
	e.t.Helper()
	m := e.Ask("initialize", params)
	if m.Error != nil {
		e.t.Fatalf("initialize: %+v", *m.Error)
	}
	e.Notify("initialized", map[string]any{})
	return m
}

// Open opens a document.
func (e *Editor) Open(uri, text string) {
	e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
}

// Change replaces a part of a document.
func (e *Editor) Change(uri string, version int, of Range, with string) {
	place := func(p Position) map[string]int { return map[string]int{"line": p.Line, "character": p.Character} }
	e.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": version},
		"contentChanges": []any{map[string]any{"range": map[string]any{"start": place(of.Start), "end": place(of.End)}, "text": with}},
	})
}

// Replace replaces a whole document.
func (e *Editor) Replace(uri string, version int, with string) {
	e.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []any{map[string]any{"text": with}}})
}

// Diagnostics waits for diagnostics of a version that suit.
func (e *Editor) Diagnostics(uri string, version int, suit func([]Diagnostic) bool) (found []Diagnostic) {
	e.t.Helper()
	from := 0
	e.until(fmt.Sprintf("diagnostics of version %d of %s", version, uri), func() bool {
		for ; from < len(e.published); from++ {
			if p := e.published[from]; p.URI == uri && p.Version == version && (suit == nil || suit(p.Diagnostics)) {
				found = p.Diagnostics
				return true
			}
		}
		return false
	})
	return found
}

// Published are all diagnostics so far.
func (e *Editor) Published() []Published {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.published)
}

// Asked are the questions to the person, and Said the messages.
func (e *Editor) Asked() (asked, said []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.asked), slices.Clone(e.said)
}

// Answers makes the person choose this from now on. The word refuse stands for an editor that can't ask.
func (e *Editor) Answers(title string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = title
}

// Hover is the text of a hover; empty: there is none.
func (e *Editor) Hover(uri string, line, character int) string {
	e.t.Helper()
	m := e.Ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]int{"line": line, "character": character}})
	var h *struct{ Contents struct{ Kind, Value string } }
	if err := json.Unmarshal(m.Result, &h); m.Error != nil || err != nil {
		e.t.Fatalf("hover: %v %+v", err, m.Error)
	}
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

// Actions are the code actions of a line.
func (e *Editor) Actions(uri string, line int) (all []Action) {
	e.t.Helper()
	place := map[string]int{"line": line, "character": 0}
	m := e.Ask("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": map[string]any{"start": place, "end": place}, "context": map[string]any{"diagnostics": []any{}}})
	if err := json.Unmarshal(m.Result, &all); m.Error != nil || err != nil {
		e.t.Fatalf("code actions: %v %+v", err, m.Error)
	}
	return all
}

// Execute executes a command.
func (e *Editor) Execute(command string, arguments ...string) Message {
	e.t.Helper()
	return e.Ask("workspace/executeCommand", map[string]any{"command": command, "arguments": arguments})
}

// End shuts the server down.
func (e *Editor) End() {
	e.t.Helper()
	if m := e.Ask("shutdown", nil); m.Error != nil {
		e.t.Errorf("shutdown: %+v", *m.Error)
	}
	e.Notify("exit", nil)
}
