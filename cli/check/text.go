package check

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/kube/check"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
)

// Text is manifests that needn't be saved in a file, such as the text of an editor.
type Text struct {
	File    string // the name of the file that the text will have
	Text    string
	Manager string       // the field manager to apply as; empty: the manager that owns most of the fields
	Rules   []check.Rule // for expected findings, besides the built-in ones
}

// Judged is what a check of a text found.
type Judged struct {
	Findings []check.Finding
	Manager  string       // for which the text was judged
	Choice   check.Choice // of this manager, if the text named none
}

// Judge predicts what an apply of the text would do. The error says what could not be judged; there can be findings about the rest.
func (t Text) Judge(ctx context.Context, cluster *ask.Cluster) (Judged, error) {
	in, err := t.input(cluster)
	if err != nil {
		return Judged{}, err
	}
	in.plan.Contents = check.ContentsOf(nil)
	if err := ask.ManifestsIn(ctx, t.File, t.Text, func(m ask.Manifest) error {
		in.add(m)
		return m.Beyond()
	}); err != nil {
		return Judged{}, err
	}
	wrong := in.judge(ctx)
	if err := ctx.Err(); err != nil {
		return Judged{}, fmt.Errorf("the check was ended: %w", err)
	}
	check.Sort(in.findings)
	rules, _ := check.BuiltIn()
	check.Expect(in.findings, append(rules, t.Rules...), time.Now())
	return Judged{in.findings, in.plan.Manager, in.choice}, wrong
}

func (t Text) input(cluster *ask.Cluster) (*input, error) {
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	namespace, only, err := cluster.Namespace()
	if err != nil {
		return nil, err
	}
	return &input{cluster: cluster, requests: requests, namespace: namespace, only: only, plan: &check.Plan{Manager: t.Manager, Body: source.Document.JSON}}, nil
}

// Live is the object that a document names.
type Live struct {
	Object check.Response      // its response has no object if there is none
	Schema *fieldschema.Schema // of its kind; nil: it isn't known
	Named  check.Object
}

// Read reads the object that a document of the text names, and nothing else. Nothing is tried out. found is false if no request can be about the document.
func (t Text) Read(ctx context.Context, cluster *ask.Cluster, d source.Document) (of Live, found bool, err error) {
	in, err := t.input(cluster)
	if err != nil {
		return of, false, err
	}
	l := in.startInquiry(check.Document{File: t.File, Source: d, Namespace: in.namespace, Only: in.only})
	if l.err != nil {
		return of, false, l.err
	}
	of.Schema, of.Named = l.Schema, l.Document.Object()
	a, asks := l.Next()
	if !asks || a.Method != http.MethodGet {
		return of, false, nil
	}
	of.Object, err = in.requests.Ask(ctx, a)
	return of, err == nil, err
}
