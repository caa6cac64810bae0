package lsp

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fieldmark/fieldmark/cli/lsp/folder"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/cli/lsp/wire"
	"github.com/fieldmark/fieldmark/kube/check"
)

// Bounds of texts, in bytes. A text beyond one of them isn't kept. Then the person is told that the file isn't checked.
const (
	maxDocument  = 32 << 20
	maxDocuments = 256 << 20
	mostOpen     = 2000
)

// document is a file that is open in the editor.
type document struct {
	uri, path string // the path is empty if the URI names no file
	version   int
	text      *text.Text // nil: it was too long to be kept

	timer  *time.Timer
	cancel context.CancelFunc // ends the check that runs
	shown  bool               // the editor has diagnostics
	found  *found             // what they are about; nil: no check of this version has ended
}

// found is the result of a check of one version.
type found struct {
	folder      string
	diagnostics []wire.Diagnostic
	findings    [][]check.Finding // of each diagnostic; nil if they aren't from a cluster
	asked       bool              // the cluster was asked
}

// stop ends the check of a document.
func (d *document) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
	if d.cancel != nil {
		d.cancel()
	}
	d.timer, d.cancel, d.found = nil, nil, nil
}

// keep keeps a text, if there is room.
func (s *session) keep(d *document, whole *text.Text) {
	if d.text != nil {
		s.kept -= d.text.Len()
	}
	if d.text = whole; whole == nil {
		return
	}
	if whole.Len() > maxDocument || s.kept+whole.Len() > maxDocuments {
		d.text = nil
		return
	}
	s.kept += whole.Len()
}

func (s *session) opened(p wire.OpenParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.documents[p.Document.URI]; old != nil {
		s.drop(old)
	}
	if len(s.documents) >= mostOpen {
		return
	}
	d := &document{uri: p.Document.URI, version: p.Document.Version}
	if path, ok := folder.Path(d.uri); ok && (folder.IsManifest(path) || filepath.Base(path) == check.RulesFile) {
		d.path = path
		s.keep(d, text.New(p.Document.Text))
	}
	s.documents[d.uri] = d
	s.schedule(d, 0)
}

// changed applies changes. It sends nothing but the withdrawal of old diagnostics, so it takes microseconds.
func (s *session) changed(p wire.ChangeParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[p.Document.URI]
	if d == nil {
		return
	}
	d.stop()
	d.version = p.Document.Version
	for _, c := range p.Changes {
		switch {
		case d.path == "":
		case c.Range == nil:
			s.keep(d, text.New(c.Text))
		case d.text != nil:
			s.kept -= d.text.Len()
			d.text.Replace(text.Position(c.Range.Start), text.Position(c.Range.End), c.Text, s.encoding)
			s.kept += d.text.Len()
		}
	}
	if d.text != nil && (d.text.Len() > maxDocument || s.kept > maxDocuments) {
		s.keep(d, nil)
	}
	if d.shown {
		s.show(d, nil) // what was found is about the old text
	}
	s.schedule(d, s.options.pause)
}

func (s *session) saved(p wire.DocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[p.Document.URI]
	switch {
	case d == nil:
	case filepath.Base(d.path) == check.RulesFile: // other rules, or another folder
		for _, other := range s.documents {
			s.schedule(other, 0)
		}
	default:
		s.schedule(d, 0)
	}
}

func (s *session) closed(p wire.DocumentParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[p.Document.URI]; d != nil {
		s.drop(d)
	}
}

// drop forgets a document.
func (s *session) drop(d *document) {
	d.stop()
	s.keep(d, nil)
	delete(s.documents, d.uri)
	if d.shown {
		s.show(d, nil)
	}
}

// schedule checks a document after a pause. It ends the check that runs.
func (s *session) schedule(d *document, after time.Duration) {
	d.stop()
	if d.path == "" || s.phase != initialized {
		return
	}
	version := d.version
	ctx, cancel := context.WithCancel(s.ctx)
	d.cancel = cancel
	d.timer = time.AfterFunc(after, func() {
		defer cancel()
		defer func() {
			if caught := recover(); caught != nil {
				s.broke(caught)
			}
		}()
		s.run(ctx, d, version)
	})
}

// run checks a version of a document, and publishes the result if it is still the newest.
func (s *session) run(ctx context.Context, d *document, version int) {
	s.mu.Lock()
	j := job{uri: d.uri, path: d.path, encoding: s.encoding, related: s.can.TextDocument.Diagnostics.Related}
	if ctx.Err() == nil && d.text != nil {
		if j.size = d.text.Len(); j.size <= maxChecked {
			j.text = text.New(d.text.String())
		}
	}
	s.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	f := s.check(ctx, j)
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || d.version != version || s.documents[d.uri] != d {
		return // the text has changed, or the file is closed
	}
	s.show(d, f)
}

// show publishes diagnostics about the version that a document has now.
func (s *session) show(d *document, f *found) {
	d.found, d.shown = f, f != nil && len(f.diagnostics) > 0
	p := wire.PublishParams{URI: d.uri, Version: &d.version, Diagnostics: []wire.Diagnostic{}}
	if f != nil {
		p.Diagnostics = append(p.Diagnostics, f.diagnostics...)
	}
	_ = s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", p) // without a connection, nobody is there
}
