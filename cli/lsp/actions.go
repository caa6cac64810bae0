package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/lsp/edit"
	"github.com/fieldmark/fieldmark/cli/lsp/folder"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/cli/lsp/wire"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// The commands that the server executes.
const (
	checkCommand = "fieldmark.check" // with the URI of a file: check the files of its folder, after a question
	stopCommand  = "fieldmark.stop"  // with the URI of a file: send nothing of its folder any more
	copyCommand  = "fieldmark.copy"  // with a text: the editor may copy it; the server only shows it
)

// mostActions is how many code actions an editor gets at once.
const mostActions = 60

// codeActions are the ways out of the findings in a range, and the choice to check a folder.
func (s *session) codeActions(_ context.Context, params []byte) (any, error) {
	var p wire.ActionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wire.Refuse(wire.InvalidParams, "the parameters can't be read")
	}
	s.mu.Lock()
	d := s.documents[p.Document.URI]
	if d == nil || d.path == "" || s.can.TextDocument.CodeAction.Literals == nil {
		s.mu.Unlock()
		return []wire.CodeAction{}, nil
	}
	a := actor{session: s, uri: d.uri, version: d.version, path: d.path}
	f := d.found
	if d.text != nil && d.text.Len() <= maxChecked {
		a.text = text.New(d.text.String())
	}
	s.mu.Unlock()
	all := []wire.CodeAction{}
	if f != nil && f.asked && a.text != nil {
		for i, group := range f.findings {
			if at := f.diagnostics[i].Range; at.Start.Line > p.Range.End.Line || at.End.Line < p.Range.Start.Line {
				continue
			}
			for _, finding := range group {
				all = append(all, a.ways(f, finding, f.diagnostics[i])...)
			}
		}
	}
	all = all[:min(len(all), mostActions)]
	return append(all, a.consent()...), nil
}

// actor makes code actions about one version of a document.
type actor struct {
	session   *session
	uri, path string
	version   int
	text      *text.Text
}

// ways are the ways out of a finding: edits where the way changes a file, and commands to copy otherwise.
func (a actor) ways(f *found, of check.Finding, d wire.Diagnostic) (all []wire.CodeAction) {
	for _, w := range of.Ways {
		action := wire.CodeAction{Kind: wire.QuickFix, Diagnostics: []wire.Diagnostic{d}}
		title := check.WayTitle(w)
		if title == "" {
			title = "Correct the manifest"
		}
		title = "Fieldmark: " + title + " (" + plain.Text(string(of.Kind)) + " of " + plain.Text(of.Path) + ")"
		if w.NotTried {
			title += ", not tried"
		}
		action.Title = title
		if edits, ok := edit.Patch(a.text, w.Text); ok {
			action.Edit = a.change(a.uri, &a.version, a.ranges(a.text, edits))
		} else if changed, is := a.rule(f.folder, w); is {
			if action.Edit = changed; changed == nil {
				continue
			}
			action.Title = "Fieldmark: Expect this finding in " + check.RulesFile + " (" + plain.Text(string(of.Kind)) + " of " + plain.Text(of.Path) + ")"
		} else {
			action.Title += ": copy " + summary(w.Text)
			action.Command = &wire.Command{Title: action.Title, Command: copyCommand, Arguments: []string{plain.Lines(w.Text)}}
		}
		all = append(all, action)
	}
	return all
}

// summary is the first line of a text to paste, cut: a command, or a comment that says what the text is about.
func summary(of string) string {
	line, _, _ := strings.Cut(of, "\n")
	line, comment := strings.CutPrefix(line, "# ")
	const longest = 60
	runes := []rune(plain.Text(strings.TrimSpace(line)))
	short := string(runes[:min(len(runes), longest)])
	if len(runes) > longest {
		short += "…"
	}
	if comment {
		return "the text (" + short + ")"
	}
	return short
}

// ranges are edits as the editor counts.
func (a actor) ranges(of *text.Text, edits []edit.Edit) (all []wire.TextEdit) {
	place := func(line int) wire.Position {
		if line < of.Lines() {
			return wire.Position{Line: line}
		}
		last := of.Lines() - 1
		return wire.Position{Line: last, Character: of.Character(last, len(of.Line(last)), a.session.encoding)}
	}
	for _, e := range edits {
		all = append(all, wire.TextEdit{Range: wire.Range{Start: place(e.From), End: place(e.To)}, NewText: e.With})
	}
	return all
}

// change is edits of a document. If the editor can, it applies them only to this version.
func (a actor) change(uri string, version *int, edits []wire.TextEdit) *wire.WorkspaceEdit {
	if a.session.can.Workspace.WorkspaceEdit.DocumentChanges {
		return &wire.WorkspaceEdit{DocumentChanges: []wire.DocumentEdit{{Document: wire.VersionedDocument{URI: uri, Version: version}, Edits: edits}}}
	}
	return &wire.WorkspaceEdit{Changes: map[string][]wire.TextEdit{uri: edits}}
}

// rule is the change that adds a rule for expected findings to the fieldmark.yaml of the folder, as the editor has it. is tells that the way is such a rule;
// without a change, the file can't be changed.
func (a actor) rule(of string, w check.Way) (change *wire.WorkspaceEdit, is bool) {
	if w.Way != check.WayRule || !strings.HasPrefix(w.Text, "# "+check.RulesFile+"\n") {
		return nil, false
	}
	file := filepath.Join(of, check.RulesFile)
	uri, version, current, ok := a.session.opensRules(file)
	if !ok {
		read, _, err := folder.Rules(of)
		if err != nil {
			return nil, true
		}
		uri, current = folder.URI(file), text.New(read)
	}
	before := current.String()
	after, ok := edit.Rule(before, w.Text)
	if !ok {
		return nil, true
	}
	added := strings.TrimPrefix(after, before)
	return a.change(uri, version, a.ranges(current, []edit.Edit{{From: current.Lines(), To: current.Lines(), With: added}})), true
}

// opensRules is a file of rules that is open in the editor.
func (s *session) opensRules(file string) (uri string, version *int, of *text.Text, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.documents {
		if filepath.Base(d.path) != check.RulesFile || d.text == nil {
			continue
		}
		if at, found := folder.Of(d.path); found && filepath.Join(at, check.RulesFile) == file {
			v := d.version
			return d.uri, &v, text.New(d.text.String()), true
		}
	}
	return "", nil, nil, false
}

// consent is the choice to check a folder, or to end that.
func (a actor) consent() []wire.CodeAction {
	of, named := folder.Of(a.path)
	if !named || !folder.IsManifest(a.path) {
		return nil
	}
	given, asked := a.session.aim.consent(of)
	var title string
	command := checkCommand
	switch id, err := a.session.aim.offer(); {
	case given && !asked:
		return nil // the command line says so
	case given:
		title, command = "Fieldmark: send no manifest of this folder any more", stopCommand
	case err != nil:
		title = "Fieldmark: check this folder against a cluster"
	default:
		title = "Fieldmark: check this folder against " + where(id)
	}
	return []wire.CodeAction{{Title: title, Kind: wire.QuickFix, Command: &wire.Command{Title: title, Command: command, Arguments: []string{a.uri}}}}
}

// where names a cluster, and as whom it is asked.
func where(id ask.Identity) string {
	return plain.Text(fmt.Sprintf("%s (%s) as %s", id.Context, id.Server, id.User))
}

// execute executes a command that the person chose.
func (s *session) execute(ctx context.Context, params []byte) (any, error) {
	var p wire.CommandParams
	var argument string
	if err := json.Unmarshal(params, &p); err != nil || len(p.Arguments) == 0 || json.Unmarshal(p.Arguments[0], &argument) != nil {
		return nil, wire.Refuse(wire.InvalidParams, "the command needs one text")
	}
	if p.Command == copyCommand {
		s.tell(wire.MessageInfo, plain.Lines(argument))
		return null, nil
	}
	path, isFile := folder.Path(argument)
	of, named := folder.Of(path)
	if !isFile || !named {
		return nil, wire.Refuse(wire.RequestFailed, "no folder of this file has a fieldmark.yaml")
	}
	switch p.Command {
	case checkCommand:
		return s.consents(ctx, of)
	case stopCommand:
		s.aim.withdraw(of)
		s.again()
		return null, nil
	}
	return nil, wire.Refuse(wire.InvalidParams, "there is no command "+p.Command)
}

// again checks all documents.
func (s *session) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.documents {
		s.schedule(d, 0)
	}
}

// yes is the answer with which the person consents.
const yes = "Send dry runs until the editor closes"

// consents asks the person whether the manifests of a folder may be sent. An editor that can't ask gets the words for its configuration.
func (s *session) consents(ctx context.Context, of string) (any, error) {
	if given, _ := s.aim.consent(of); given {
		s.again()
		return null, nil
	}
	id, err := s.aim.offer()
	if err != nil {
		return nil, wire.Refuse(wire.RequestFailed, "Fieldmark can’t tell which cluster it would ask: "+plain.Text(err.Error()))
	}
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	default:
		return nil, wire.Refuse(wire.RequestFailed, "Fieldmark asks you already")
	}
	question := wire.MessageParams{
		Type:    wire.MessageWarning,
		Message: "Fieldmark would send reads, and dry runs of the manifests in " + plain.Text(of) + ", to the cluster of the context " + where(id) + ". Nothing is stored there, but the API server and its webhooks see the manifests.",
		Actions: []wire.Item{{Title: yes}, {Title: "Send nothing"}},
	}
	var answer *wire.Item
	if _, err := s.conn.Call(ctx, "window/showMessageRequest", question, &answer); err != nil {
		return nil, wire.Refuse(wire.RequestFailed, "This editor can’t ask you, so nothing was sent. Start the server with --context "+plain.Text(id.Context)+" --dry-runs "+plain.Text(of))
	}
	if answer == nil || answer.Title != yes {
		return null, nil
	}
	s.aim.agree(of, id)
	s.again()
	return null, nil
}
