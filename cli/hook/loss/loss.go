// Package loss predicts which fields and objects a command of kubectl would take from other field managers.
//
//	command ──▶ targets: manifests, or objects that it names ──▶ for each: live object, the command's own request as a dry run
//	                                                                └──▶ kube/change: owners before and after ──▶ losses
//
// Each dry run is the request that kubectl would send, so what it takes is what the API server says, and no rule of ours.
package loss

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/hook/kubectl"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Loss is a field that others own and that the command would change, or an object that it would delete.
type Loss struct {
	Object check.Object
	// Path is the field, in structured-merge-diff's notation; empty: the whole object is deleted.
	Path string
	// Removed tells that the field would be gone. Otherwise it has another value, and another owner.
	Removed bool
	From    []ownership.Owner
}

// Write is a command that writes.
type Write struct {
	kubectl.Command
	Folder string    // in which it runs; empty: unknown
	Input  io.Reader // its standard input; nil: unknown
}

// most is how many objects of a command are predicted.
const most = 50

// atOnce is how many objects are predicted at the same time.
const atOnce = 6

// Unpredicted says why a command isn't predicted, in a sentence for people.
type Unpredicted string

func (u Unpredicted) Error() string { return string(u) }

// Predict finds the losses of a command. The error says why they can't be known. Nothing is stored.
func Predict(ctx context.Context, cluster *ask.Cluster, w Write) ([]Loss, error) {
	if why := w.unusual(); why != "" {
		return nil, Unpredicted(why)
	}
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	p := &predictor{cluster: cluster, requests: requests, write: w}
	targets, err := p.targets(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(targets) > most:
		return nil, Unpredicted(fmt.Sprintf("The command writes more than %d objects.", most))
	}
	found := make([][]Loss, len(targets))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, t := range targets {
		g.Go(func() (err error) {
			found[i], err = p.losses(ctx, t)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// unusual says which flag of a command changes more than Fieldmark predicts; empty: none does.
func (w Write) unusual() string {
	rare := map[string][]string{
		"apply":    {"prune", "prune-allowlist", "all", "selector", "subresource"},
		"delete":   {"raw", "field-selector", "interactive"},
		"replace":  {"raw", "subresource", "save-config"},
		"label":    {"field-selector", "resource-version"},
		"annotate": {"field-selector", "resource-version"},
		"scale":    {"current-replicas", "resource-version"},
	}
	for _, name := range rare[w.Verb] {
		if w.Flags.Set(name) {
			return "Fieldmark can’t predict what kubectl " + w.Verb + " --" + name + " does."
		}
	}
	switch {
	case w.Verb == "apply" && !w.Flags.Has("server-side") && (w.Flags.Has("force") || w.Flags.Get("overwrite") == "false" || w.Flags.Has("force-conflicts")):
		return "Fieldmark can’t predict this kind of kubectl apply without --server-side."
	case w.Verb == "patch" && w.Flags.Set("subresource") && w.Flags.Get("subresource") != "status":
		return "Fieldmark can’t predict a patch of this subresource."
	}
	return ""
}

type predictor struct {
	cluster  *ask.Cluster
	requests *ask.Requests
	write    Write
}

// tries is how often a write is predicted while others change the object.
const tries = 3

// losses predicts the write to one object. If the object changes between the two requests, the prediction is made again.
func (p *predictor) losses(ctx context.Context, t target) (all []Loss, err error) {
	for range tries {
		all, err = p.once(ctx, t)
		if !errors.Is(err, errChanged) {
			return all, err
		}
		manifest := t.manifest
		if t, err = p.target(ctx, t.object, nil); err != nil {
			return nil, err
		}
		t.manifest = manifest
	}
	return nil, Unpredicted(nameOf(t.object) + " changes again and again, so Fieldmark can’t tell what the command takes.")
}

// errChanged tells that an object is another one than the request was made for.
var errChanged = errors.New("the object has changed")

func (p *predictor) once(ctx context.Context, t target) ([]Loss, error) {
	if t.live == nil {
		return nil, nil // the object would be new, or the command is refused
	}
	if p.write.deletes() {
		return []Loss{{Object: t.object, From: owners(t.live)}}, nil
	}
	r, err := p.request(ctx, t)
	if err != nil || r == nil {
		return nil, err
	}
	response, err := p.requests.Ask(ctx, check.DryRun(t.path, r.Request))
	if err != nil {
		return nil, err
	}
	if response.No != nil {
		return nil, p.refused(t, *response.No)
	}
	preview, err := change.Compare(change.Input{Live: t.live, Predicted: response.Object, Sent: response.Object, Manager: r.by, Schema: t.schema})
	if err != nil {
		return nil, err
	}
	keeps := func(o ownership.Owner, path string) bool {
		return r.same(o.Manager) || !p.write.Flags.Set("subresource") && reported(o, path)
	}
	all := lost(t.object, preview, keeps)
	if len(all) == 0 && p.write.Verb == "rollout undo" {
		return nil, Unpredicted("Fieldmark finds nothing that a rollback of " + nameOf(t.object) + " takes. A controller may be about to store another revision.")
	}
	return all, nil
}

// request is a request of the command, and the manager that it writes as.
type request struct {
	patch.Request
	by ownership.Manager
}

// same tells whether a manager is the writer. kubectl scale writes the subresource, and its prediction the object.
func (r request) same(m ownership.Manager) bool {
	return m.Same(r.by) || r.by.Operation == ownership.Update && m.Operation == ownership.Update && m.Name == r.by.Name && m.Subresource == "scale"
}

// refused says nothing if the command is refused for sure, and so loses nothing. A conflict about the version is none of these: kubectl reads the object
// again. A rollback tests what it has read, so there it is the same if the API server finds the request invalid.
func (p *predictor) refused(t target, no status.Status) error {
	switch {
	case no.ManagerConflict():
		return nil
	case no.Is(status.Conflict), no.Is(status.Invalid) && p.write.Verb == "rollout undo":
		return errChanged
	case no.Is(status.Invalid):
		return nil
	}
	return Unpredicted("The API server refuses a dry run of " + nameOf(t.object) + ": " + no.Message)
}

// deletes tells whether the command deletes objects.
func (w Write) deletes() bool {
	return w.Verb == "delete" || w.Verb == "replace" && w.Flags.Has("force")
}

// owners are the managers of an object, each once.
func owners(live map[string]any) (all []ownership.Owner) {
	for _, e := range ownership.Parse(live).Entries {
		all = append(all, e.Owner)
	}
	return all
}

// lost are the fields that a write takes from others. keeps tells whether an owner loses nothing with a field.
func lost(o check.Object, p change.Preview, keeps func(o ownership.Owner, path string) bool) (all []Loss) {
	for _, r := range p.Rows {
		from := r.Lost
		if r.What == ownership.Removed {
			from = r.Before
		}
		from = slices.DeleteFunc(slices.Clone(from), func(o ownership.Owner) bool { return keeps(o, r.Path) })
		if len(from) > 0 {
			all = append(all, Loss{Object: o, Path: r.Path, Removed: r.What == ownership.Removed, From: from})
		}
	}
	return all
}

// reported tells whether a field is of a status that its owner writes through the subresource. A write of the object doesn't change such a status, so what is
// different there came between the two requests. A write of the subresource does.
func reported(o ownership.Owner, path string) bool {
	return o.Subresource == "status" && (path == ".status" || strings.HasPrefix(path, ".status."))
}

func nameOf(o check.Object) string {
	return strings.TrimSpace(o.Kind + " " + strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"))
}
