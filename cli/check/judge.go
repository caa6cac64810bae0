package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/words"
)

// atOnce is how many documents are judged at the same time.
const atOnce = 6

// input is the documents to judge, and the findings about them.
type input struct {
	cluster   *ask.Cluster
	requests  *ask.Requests
	namespace string
	only      bool   // the user named the namespace with an option
	manager   string // empty: the survey chooses it
	force     bool
	watched   io.Writer // the terminal that shows the progress; nil: no progress is shown

	manifests []ask.Manifest // unread
	files     []string       // the files with the manifests
	documents int
	contents  check.Contents

	mu       sync.Mutex
	votes    check.Votes
	kept     map[int]looked // results of the survey, by the document's number
	findings []check.Finding
	unjudged int
	choice   check.Choice // of the manager, if the user names none
}

// looked is a document with its type, schema and live object, or the error of looking them up.
type looked struct {
	check.Input
	target ask.Target
	asked  bool // the live object was requested, and the server responded
	err    error
}

// mostKept is how many documents keep their live objects after the survey. Others are looked up twice, so that memory stays bounded.
const mostKept = 250

// maxText is how long all manifests together may be, in bytes. Most clusters store less in all.
const maxText = 64 << 20

// errTooLong says that nothing is judged, because the part that wasn't read can change the findings.
var errTooLong = errors.New("the manifests are longer than 64 MB together; check them in parts")

// read takes the documents of all files. The error says what can't be read; the other documents can still be judged.
func (in *input) read(ctx context.Context, which *ask.Which, stdin io.Reader) error {
	var wrong []error
	size := 0
	in.contents = check.ContentsOf(nil)
	err := which.Manifests(ctx, stdin, func(m ask.Manifest) error {
		if filepath.Base(m.File) == check.RulesFile {
			return nil
		}
		if err := m.Beyond(); err != nil {
			wrong = append(wrong, err)
		}
		in.documents += len(m.Documents)
		in.manifests = append(in.manifests, m.Unread())
		in.contents.Add(in.documentsOf(m))
		if !slices.Contains(in.files, m.File) {
			in.files = append(in.files, m.File)
		}
		if size += m.Len(); size > maxText {
			return errTooLong
		}
		return nil
	})
	if errors.Is(err, errTooLong) {
		return err
	}
	return errors.Join(append(wrong, err)...)
}

// documentsOf are the documents of a manifest, each with its problems.
func (in *input) documentsOf(m ask.Manifest) []check.Document {
	all := make([]check.Document, 0, len(m.Documents))
	for i, d := range m.Documents {
		one := check.Document{File: m.File, Built: m.Built, Source: d, Namespace: in.namespace, Only: in.only}
		for _, p := range m.Problems {
			if p.Document == i {
				one.Problems = append(one.Problems, p)
			}
		}
		all = append(all, one)
	}
	return all
}

// failure says why a document could not be judged.
type failure struct {
	where string
	err   error
}

// each calls visit for all documents, atOnce at the same time. Only those are parsed.
func (in *input) each(ctx context.Context, word string, visit func(at int, d check.Document)) {
	p := &progress{out: in.watched, word: word, of: in.documents}
	defer p.end()
	var g errgroup.Group
	g.SetLimit(atOnce)
	at := -1
	for _, m := range in.manifests {
		if ctx.Err() != nil {
			break
		}
		for _, d := range in.documentsOf(m.Read()) {
			at++
			i := at
			g.Go(func() error {
				defer p.step()
				visit(i, d)
				return nil
			})
		}
	}
	_ = g.Wait() // no function returns an error: visit keeps it
}

// survey looks all documents up, and chooses the manager that owns most of their fields.
func (in *input) survey(ctx context.Context) {
	in.kept = map[int]looked{}
	in.each(ctx, "Read", func(at int, d check.Document) {
		l := in.look(ctx, d)
		in.mu.Lock()
		defer in.mu.Unlock()
		if l.asked && l.Live.Object != nil {
			in.votes.Count(l.Live.Object, d.Source.Fields(), l.Schema)
		}
		if len(in.kept) < mostKept {
			l.Document.Source = l.Document.Source.Unread() // each reads the manifest again
			in.kept[at] = l
		}
	})
	in.choice = in.votes.Choice()
	in.manager = in.choice.Manager
}

// judge finds the findings of all documents. The error says which documents could not be judged.
func (in *input) judge(ctx context.Context) error {
	if in.manager == "" {
		in.survey(ctx)
	}
	found := make([][]check.Finding, in.documents)
	wrong := make([]failure, in.documents)
	in.each(ctx, "Checked", func(at int, d check.Document) {
		asked, err := in.ask(ctx, at, d)
		if err != nil {
			wrong[at] = failure{fmt.Sprintf("%s:%d, %s %s", d.File, d.Source.Start.Line, d.Object().Kind, d.Object().Name), err}
			return
		}
		found[at] = check.Judge(asked, in.contents)
	})
	lacking := check.Lacking{}
	for at, findings := range found {
		found[at] = lacking.Fold(findings)
	}
	in.findings = slices.Concat(found...)
	return in.folded(wrong)
}

// folded reports each reason once, also if several documents failed for the same reason.
func (in *input) folded(wrong []failure) error {
	var reasons []string
	at := map[string][]string{}
	for _, w := range wrong {
		if w.err == nil {
			continue
		}
		if at[w.err.Error()] == nil {
			reasons = append(reasons, w.err.Error())
		}
		in.unjudged++
		at[w.err.Error()] = append(at[w.err.Error()], w.where)
	}
	var all []error
	for _, w := range reasons {
		where := at[w][0]
		if more := len(at[w]) - 1; more > 0 {
			where += ", and " + words.Count(int64(more), "document", "documents") + " more"
		}
		all = append(all, fmt.Errorf("not judged: %s: %s", where, w))
	}
	return errors.Join(all...)
}

// ask gets everything from the cluster that judging one document needs.
func (in *input) ask(ctx context.Context, at int, d check.Document) (check.Input, error) {
	in.mu.Lock()
	l, kept := in.kept[at]
	delete(in.kept, at)
	in.mu.Unlock()
	if l.Document.Source = d.Source; !kept {
		l = in.look(ctx, d)
	}
	l.Manager, l.Force = in.manager, in.force
	if l.err != nil || !l.asked {
		return l.Input, l.err
	}
	return in.try(ctx, l.Input, l.target)
}

// look looks up a document's type, schema and live object.
func (in *input) look(ctx context.Context, d check.Document) looked {
	l := looked{Input: check.Input{Document: d}}
	if !d.Askable() {
		return l
	}
	kind := schema.FromAPIVersionAndKind(d.Source.APIVersion, d.Source.Kind)
	l.target, l.err = in.cluster.Target(kind)
	if errors.Is(l.err, ask.ErrUnserved) {
		l.Unserved, l.err = true, nil
		return l
	}
	if l.err != nil {
		return l
	}
	if l.Verbs = l.target.Verbs; l.Unpatched() {
		return l
	}
	if !l.target.Namespaced {
		l.Document.Namespace, l.Document.Clustered = "", true
	}
	if s, found, err := in.cluster.Schema(kind); err == nil && found {
		l.Schema = &s
	}
	if d.Source.Name == "" {
		return l // the server chooses the name when it creates the object
	}
	l.Live, l.err = in.requests.Get(ctx, l.target, l.Document.Object().Namespace, d.Source.Name)
	l.asked = l.err == nil
	return l
}

// try dry-runs the apply. After a conflict, it dry-runs the apply with force, too.
func (in *input) try(ctx context.Context, asked check.Input, target ask.Target) (check.Input, error) {
	d := asked.Document
	namespace := d.Object().Namespace
	text, err := d.Source.JSON()
	if err != nil {
		return asked, err
	}
	plain, err := in.requests.DryRun(ctx, target, namespace, d.Source.Name, asked.Manager, in.force, text)
	if err != nil {
		return asked, err
	}
	asked.Plain = plain
	if plain.No != nil && plain.No.Is(status.Conflict) && !in.force {
		forced, err := in.requests.DryRun(ctx, target, namespace, d.Source.Name, asked.Manager, true, text)
		if err != nil {
			return asked, err
		}
		asked.Forced = &forced
	}
	if plain.No == nil {
		return asked, nil
	}
	asked.Tried = map[string]check.Response{}
	for _, trial := range check.Trials(check.Judge(asked, in.contents)) {
		heard, err := in.requests.Try(ctx, target, namespace, d.Source.Name, trial)
		if err == nil { // otherwise the way is shown as not tried
			asked.Tried[check.Key(trial)] = heard
		}
	}
	return asked, nil
}
