package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/cli/terminal"
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
	only      bool // the user named the namespace with an option
	plan      *check.Plan
	changes   *changes  // which documents are judged; nil: all
	watched   io.Writer // the terminal that shows the progress; nil: no progress is shown

	manifests []pending
	files     []string // the files with the manifests
	documents int

	mu       sync.Mutex
	kept     []looked // results of the survey, by the document's number
	findings []check.Finding
	unjudged int
	choice   check.Choice // of the manager, if the user names none
}

// pending is a manifest that is not read yet, and which of its documents are judged.
type pending struct {
	ask.Manifest
	judged []bool
}

// looked is an inquiry about a document, or the error that ended it.
type looked struct {
	*check.Inquiry
	err error
}

// maxText is how long all manifests together may be, in bytes. Most clusters store less in all.
const maxText = 64 << 20

// errTooLong says that nothing is judged, because the part that wasn't read can change the findings.
var errTooLong = errors.New("the manifests are longer than 64 MB together; check them in parts")

// readManifests takes the documents of all files. The error says what can't be read; the other documents can still be judged.
func (in *input) readManifests(ctx context.Context, which *ask.Which, stdin io.Reader) error {
	var wrong []error
	size := 0
	in.plan.Contents = check.ContentsOf(nil)
	err := which.Manifests(ctx, stdin, func(m ask.Manifest) error {
		if filepath.Base(m.File) == check.RulesFile {
			return nil
		}
		if err := m.Beyond(); err != nil {
			wrong = append(wrong, err)
		}
		in.add(m)
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

// add takes the documents of a manifest that are to be judged. All of them count as there.
func (in *input) add(m ask.Manifest) {
	judged := in.changes.judged(m)
	if n := len(slices.DeleteFunc(slices.Clone(judged), func(is bool) bool { return !is })); n > 0 {
		in.documents += n
		in.manifests = append(in.manifests, pending{m.Unread(), judged})
	}
	in.plan.Contents.Add(in.documentsOf(m))
	if !slices.Contains(in.files, m.File) {
		in.files = append(in.files, m.File)
	}
}

// documentsOf are the documents of a manifest, each with its problems.
func (in *input) documentsOf(m ask.Manifest) []check.Document {
	all := make([]check.Document, 0, len(m.Documents))
	for i, d := range m.Documents {
		one := check.Document{File: m.File, Built: m.Built, From: m.From, Source: d, Namespace: in.namespace, Only: in.only}
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
	p := &terminal.Progress{Out: in.watched, Word: word, Of: in.documents}
	defer p.ClearLine()
	var g rescue.Group
	turns := make(chan struct{}, atOnce)
	at := -1
	for _, m := range in.manifests {
		if ctx.Err() != nil {
			break
		}
		for index, d := range in.documentsOf(m.Read()) {
			if !m.judged[index] {
				continue
			}
			at++
			i := at
			turns <- struct{}{}
			g.Go(func() {
				defer func() { <-turns }()
				defer p.Step()
				visit(i, d)
			})
		}
	}
	g.Wait()
}

// survey reads the live objects of all documents, and chooses the manager that owns most of their fields.
func (in *input) survey(ctx context.Context) {
	in.kept = make([]looked, in.documents)
	in.each(ctx, "Read", func(at int, d check.Document) {
		l := in.sendRequests(ctx, looked{}, d)
		in.mu.Lock()
		defer in.mu.Unlock()
		if l.err == nil {
			in.plan.Count(l.Inquiry)
		}
		l.Document.Source = d.Source.Unread() // each reads the manifest again
		in.kept[at] = l
	})
	in.choice = in.plan.Choose()
}

// judge finds the findings of all documents. The error says which documents could not be judged.
func (in *input) judge(ctx context.Context) error {
	if in.plan.Surveys() {
		in.survey(ctx)
	}
	found := make([][]check.Finding, in.documents)
	wrong := make([]failure, in.documents)
	in.each(ctx, "Checked", func(at int, d check.Document) {
		var l looked
		if in.kept != nil {
			l, in.kept[at] = in.kept[at], l
		}
		if l = in.sendRequests(ctx, l, d); l.err != nil {
			wrong[at] = failure{fmt.Sprintf("%s, %s %s", d.At(), d.Object().Kind, d.Object().Name), l.err}
			return
		}
		found[at] = l.Judge()
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

// sendRequests sends the requests about a document, as far as the plan has any. It begins the inquiry if there is none.
func (in *input) sendRequests(ctx context.Context, l looked, d check.Document) looked {
	if l.Inquiry == nil {
		l = in.startInquiry(d)
	}
	for l.Document.Source = d.Source; l.err == nil; {
		a, asks := l.Next()
		if !asks {
			l.err = l.Err
			break
		}
		r, err := in.requests.Ask(ctx, a)
		if err != nil && a.Trial {
			r.No, err = &status.Status{Message: err.Error()}, nil // the way is shown as not tried
		}
		if l.err = err; err == nil {
			l.Take(r)
		}
	}
	return l
}

// startInquiry looks up a document's type and schema.
func (in *input) startInquiry(d check.Document) looked {
	kind := schema.FromAPIVersionAndKind(d.Source.APIVersion, d.Source.Kind)
	var of check.Served
	var err error
	if d.Askable() {
		if of.Type, err = in.cluster.Type(kind); errors.Is(err, ask.ErrUnserved) {
			of.Kinds, err = in.cluster.Kinds(kind.GroupVersion()), nil
		}
	}
	l := looked{in.plan.Inquire(d, of), err}
	if _, asks := l.Next(); asks {
		if s, found, err := in.cluster.Schema(kind); err == nil && found {
			l.Schema = &s
		}
	}
	return l
}
