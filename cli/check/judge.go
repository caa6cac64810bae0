package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/kube/check"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// atOnce is how many documents are asked about at the same time.
const atOnce = 6

// input is what is to be judged, and what came of it.
type input struct {
	cluster   *ask.Cluster
	requests  *ask.Requests
	namespace string
	manager   string // empty: to be chosen for each document
	force     bool

	documents []check.Document
	contents  check.Contents

	mu       sync.Mutex
	findings []check.Finding
	choices  map[string]check.Choice // by document, where a manager was chosen
}

// read takes the documents of all files. What can't be read is told, and the rest is judged.
func (in *input) read(ctx context.Context, which *ask.Which, stdin io.Reader) error {
	var wrong []error
	err := which.Manifests(ctx, stdin, func(m ask.Manifest) error {
		if filepath.Base(m.File) == check.RulesFile {
			return nil
		}
		if err := m.Problem(); err != nil && len(m.Documents) == 0 {
			wrong = append(wrong, err)
			return nil
		}
		for i, d := range m.Documents {
			one := check.Document{File: m.File, Source: d, Namespace: in.namespace}
			for _, p := range m.Problems {
				if p.Document == i {
					one.Problems = append(one.Problems, p)
				}
			}
			in.documents = append(in.documents, one)
		}
		return nil
	})
	in.contents = check.ContentsOf(in.documents)
	return errors.Join(append(wrong, err)...)
}

// judge asks about all documents, several at the same time.
func (in *input) judge(ctx context.Context) error {
	in.choices = map[string]check.Choice{}
	found := make([][]check.Finding, len(in.documents))
	wrong := make([]error, len(in.documents))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, d := range in.documents {
		g.Go(func() error {
			asked, err := in.ask(ctx, d)
			if err != nil {
				wrong[i] = fmt.Errorf("%s, %s %s: %w", d.File, d.Object().Kind, d.Object().Name, err)
				return nil
			}
			found[i] = check.Judge(asked, in.contents)
			return nil
		})
	}
	_ = g.Wait() // each document's error is its own
	in.findings = slices.Concat(found...)
	return errors.Join(wrong...)
}

// ask asks the cluster what has to be known of one document.
func (in *input) ask(ctx context.Context, d check.Document) (check.Input, error) {
	asked := check.Input{Document: d, Manager: in.manager, Force: in.force}
	if d.Source.Broken {
		return asked, nil
	}
	kind := schema.FromAPIVersionAndKind(d.Source.APIVersion, d.Source.Kind)
	target, err := in.cluster.Target(kind)
	switch {
	case errors.Is(err, ask.ErrUnserved):
		asked.Unserved = true
		return asked, nil
	case err != nil:
		return asked, err
	}
	if !target.Namespaced {
		asked.Document.Namespace = ""
	}
	if s, found, err := in.cluster.Schema(kind); err == nil && found {
		asked.Schema = &s
	}
	if d.Source.Name == "" {
		return asked, nil // its name is made when it is created
	}
	return in.try(ctx, asked, target)
}

// try reads the live object and tries the apply, with force as well where it conflicts.
func (in *input) try(ctx context.Context, asked check.Input, target ask.Target) (check.Input, error) {
	d := asked.Document
	namespace := d.Object().Namespace
	live, err := in.requests.Get(ctx, target, namespace, d.Source.Name)
	if err != nil {
		return asked, err
	}
	asked.Live = check.Response(live)
	if asked.Manager == "" {
		asked.Manager = in.choose(d, live.Object, asked.Schema)
	}
	text, err := d.Source.JSON()
	if err != nil {
		return asked, err
	}
	plain, err := in.requests.DryRun(ctx, target, namespace, d.Source.Name, asked.Manager, in.force, text)
	if err != nil {
		return asked, err
	}
	asked.Plain = check.Response(plain)
	if plain.No != nil && plain.No.Is(status.Conflict) && !in.force {
		forced, err := in.requests.DryRun(ctx, target, namespace, d.Source.Name, asked.Manager, true, text)
		if err != nil {
			return asked, err
		}
		asked.Forced = new(check.Response(forced))
	}
	return asked, nil
}

// newcomer is the manager of objects in which nobody owns anything that the manifest has.
const newcomer = "kubectl"

func (in *input) choose(d check.Document, live map[string]any, known *fieldschema.Schema) string {
	chosen := check.Choose(live, d.Source.Fields(), known)
	if chosen.Manager == "" {
		return newcomer
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.choices[chosen.Manager] = chosen
	return chosen.Manager
}

// managers are those for whom the documents were judged.
func (in *input) managers() string {
	if in.manager != "" {
		return in.manager
	}
	var all []string
	for name := range in.choices {
		all = append(all, name)
	}
	if len(all) == 0 {
		return newcomer
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}
