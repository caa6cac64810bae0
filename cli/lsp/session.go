package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/cli/lsp/wire"
	"github.com/fieldmark/fieldmark/cli/rescue"
)

// session is the conversation with one editor.
type session struct {
	ctx     context.Context // ends with the verb
	options options
	aim     *aim
	conn    jsonrpc2.Conn

	mu        sync.Mutex // guards what is below, and the order in which diagnostics are published
	phase     phase
	encoding  text.Encoding
	can       wire.Capabilities
	documents map[string]*document
	kept      int  // bytes of all texts
	failed    bool // the person was told that Fieldmark failed
	running   map[jsonrpc2.ID]context.CancelFunc

	checks chan struct{} // one for each check that asks the cluster
	slots  chan struct{} // one for each request of the editor that isn't answered at once
	asking chan struct{} // one for the question to the person
}

// phase is how far the conversation is.
type phase int

const (
	begun phase = iota
	initialized
	over
)

// Bounds of what is done at the same time.
const (
	mostChecks   = 2
	mostRequests = 16
)

func newSession(ctx context.Context, cluster *ask.Cluster, o options, kubeconfig string) *session {
	return &session{
		ctx: ctx, options: o, encoding: text.UTF16, documents: map[string]*document{}, running: map[jsonrpc2.ID]context.CancelFunc{},
		aim:    &aim{ctx: ctx, root: cluster, now: time.Now, kubeconfig: kubeconfig, always: o.dryRuns, named: o.context, agreed: map[string]ask.Identity{}},
		checks: make(chan struct{}, mostChecks), slots: make(chan struct{}, mostRequests), asking: make(chan struct{}, 1),
	}
}

// errExit says that the editor ended the conversation without a word before.
var errExit = errors.New("the editor ended the server without a request to shut down")

// serve serves the editor until its standard input ends, or until it says exit.
func (s *session) serve(in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.ctx, s.aim.ctx = ctx, ctx
	s.conn = jsonrpc2.NewConn(wire.NewStream(in, out), jsonrpc2.WithCodec(wire.Codec{}))
	exit := make(chan struct{})
	s.conn.Go(ctx, func(ctx context.Context, r *jsonrpc2.Request) (any, error) {
		switch {
		case r.IsCall():
			return s.handle(ctx, r)
		case r.Method() == "$/cancelRequest":
			s.cancel(r.Params())
		case r.Method() == "exit":
			select {
			case <-exit:
			default:
				close(exit)
			}
		default:
			_, _ = s.handle(ctx, r) // a notification has no answer
		}
		return nil, nil
	})
	select {
	case <-exit:
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.conn.Err(); err != nil {
		return fmt.Errorf("the conversation with the editor ended: %w", err)
	}
	select {
	case <-exit:
		if s.phase != over {
			return errExit
		}
	default:
	}
	return nil
}

// cancel ends a request of the editor.
func (s *session) cancel(params []byte) {
	var p wire.CancelParams
	if json.Unmarshal(params, &p) != nil {
		return
	}
	var number int64
	var word string
	id := jsonrpc2.ID{}
	switch {
	case json.Unmarshal(p.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(p.ID, &word) == nil:
		id = jsonrpc2.NewStringID(word)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.running[id]; end != nil {
		end()
	}
}

// null is the result of a request that has none.
var null = jsonrpc2.RawMessage("null")

// handle handles a message. A panic ends the message, and not the program.
func (s *session) handle(ctx context.Context, r *jsonrpc2.Request) (result any, err error) {
	method := r.Method() // the request is valid only until its handler returns
	defer func() {
		if caught := recover(); caught != nil {
			s.broke(caught)
			result, err = nil, wire.Refuse(wire.InternalError, "Fieldmark failed on "+method)
		}
	}()
	s.mu.Lock()
	now := s.phase
	s.mu.Unlock()
	switch {
	case now == begun && method != "initialize":
		return nil, wire.Refuse(wire.NotInitialized, "the first request must be initialize")
	case now == over:
		return nil, wire.Refuse(wire.InvalidRequest, "the editor has shut the server down")
	}
	if answer := s.atOnce()[method]; answer != nil {
		return answer(r.Params())
	}
	answer := s.later()[method]
	if answer == nil {
		return nil, wire.Refuse(wire.MethodNotFound, "there is no method "+method)
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		return nil, wire.Refuse(wire.ServerCancelled, "too many requests at the same time")
	}
	jsonrpc2.Async(ctx)
	id, params := r.ID(), r.Params()
	of, end := context.WithCancel(s.ctx) // the context of the connection is used again for another request
	defer end()
	s.mu.Lock()
	s.running[id] = end
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, id)
	}()
	return answered(of, func() (any, error) { return answer(of, params) })
}

// answered is the answer to a request, if the editor doesn't cancel the request before.
func answered(ctx context.Context, answer func() (any, error)) (result any, err error) {
	var g rescue.Group
	done := make(chan struct{})
	g.Go(func() {
		defer close(done)
		result, err = answer()
	})
	select {
	case <-done:
		g.Wait()
		return result, err
	case <-ctx.Done():
		return nil, wire.Refuse(wire.RequestCancelled, "the request was cancelled")
	}
}

// atOnce are the methods that wait for nothing. They are handled in the order of the messages.
func (s *session) atOnce() map[string]func([]byte) (any, error) {
	return map[string]func([]byte) (any, error){
		"initialize":             s.initialize,
		"initialized":            ignore,
		"shutdown":               s.shutdown,
		"textDocument/didOpen":   reading(s.opened),
		"textDocument/didChange": reading(s.changed),
		"textDocument/didSave":   reading(s.saved),
		"textDocument/didClose":  reading(s.closed),
		// Settings can come from the folder of a project, so they change nothing.
		"workspace/didChangeConfiguration": ignore,
	}
}

// later are the methods that can send requests.
func (s *session) later() map[string]func(context.Context, []byte) (any, error) {
	return map[string]func(context.Context, []byte) (any, error){
		"textDocument/hover":       s.hover,
		"textDocument/codeAction":  s.codeActions,
		"workspace/executeCommand": s.execute,
	}
}

func ignore([]byte) (any, error) { return null, nil }

// reading reads the parameters of a notification.
func reading[T any](handle func(T)) func([]byte) (any, error) {
	return func(params []byte) (any, error) {
		var p T
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, wire.Refuse(wire.InvalidParams, "the parameters can't be read")
		}
		handle(p)
		return null, nil
	}
}

func (s *session) initialize(params []byte) (any, error) {
	var p wire.InitializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wire.Refuse(wire.InvalidParams, "the parameters can't be read")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != begun {
		return nil, wire.Refuse(wire.InvalidRequest, "initialize was there before")
	}
	s.phase, s.can = initialized, p.Capabilities
	known := p.Capabilities.General.PositionEncodings
	result := wire.InitializeResult{ServerInfo: wire.ServerInfo{Name: "fieldmark", Version: s.options.version}}
	if len(known) == 0 && len(p.Capabilities.OffsetEncoding) > 0 {
		known = p.Capabilities.OffsetEncoding
		result.OffsetEncoding = string(text.Choose(known))
	}
	s.encoding = text.Choose(known)
	result.Capabilities = wire.ServerCapabilities{
		PositionEncoding: string(s.encoding),
		TextDocumentSync: wire.Sync{OpenClose: true, Change: wire.Incremental},
		HoverProvider:    true,
		CodeAction:       wire.Actions{Kinds: []string{wire.QuickFix}},
		ExecuteCommand:   wire.Commands{Commands: []string{checkCommand, stopCommand, copyCommand}},
	}
	return result, nil
}

func (s *session) shutdown([]byte) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = over
	for _, d := range s.documents {
		d.stop()
	}
	return null, nil
}

// broke tells the person once that Fieldmark failed. The stack stays here: it could have parts of a Secret.
func (s *session) broke(any) {
	s.mu.Lock()
	told := s.failed
	s.failed = true
	s.mu.Unlock()
	if !told {
		s.tell(wire.MessageWarning, "Fieldmark failed on a request of this editor, and goes on without its answer. Please report what you did.")
	}
}

// tell shows the person a message.
func (s *session) tell(kind int, message string) {
	_ = s.conn.Notify(s.ctx, "window/showMessage", wire.MessageParams{Type: kind, Message: message}) // without a connection, nobody is there
}
