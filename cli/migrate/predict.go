package migrate

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/kube/assist"
	checks "github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/request"
	kindschema "github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
)

// atOnce is how many objects are predicted at the same time.
const atOnce = 4

// predictAll predicts the first server-side apply of each object.
func (g *gathering) predictAll(ctx context.Context) []migrate.Object {
	rules, _ := checks.BuiltIn()
	all := make([]migrate.Object, len(g.candidates))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for at, c := range g.candidates {
		group.Go(func() error {
			defer g.watched.Step()
			all[at] = g.predict(ctx, c, rules)
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	return all
}

func (g *gathering) predict(ctx context.Context, c candidate, rules []checks.Rule) migrate.Object {
	about := object.Object{Fields: c.meta}
	one := migrate.Case{Meta: c.meta, Rules: rules, Now: time.Now(), File: c.file}
	c = g.stating(c, about)
	one.Object = migrate.Object{
		Type: typeName(c.t), APIVersion: c.t.GroupVersion(), Kind: c.t.Kind, Namespace: about.Meta("namespace"), Name: about.Meta("name"), Owner: c.owner, Manifest: c.source,
	}
	one.Options = g.options[c.owner.Tool][c.owner.Key()]
	switch {
	case c.stated != nil:
		one.APIVersion = c.stated.Source.APIVersion
		g.try(ctx, &one, c)
	case secret(c.t):
		one.Unread = "The values of Secrets aren’t read, so nothing could be predicted. Name the manifest with -f if you want that."
	}
	return one.Judge()
}

// stating finds the manifest of a candidate, unless the user named it.
func (g *gathering) stating(c candidate, about object.Object) candidate {
	which := id{c.t.Group, c.t.Kind, about.Meta("namespace"), about.Meta("name")}
	if s, has := g.stored[which]; has && (c.owner.Tool == migrate.Helm || c.owner.Tool == migrate.FluxHelm) {
		c.owner.Stored = s.method
		if c.stated == nil {
			c.source, c.stated = migrate.Stored, &s.document
		}
	}
	if secret(c.t) && c.source != migrate.Given {
		c.source, c.stated = migrate.Unknown, nil
		return c
	}
	if c.stated != nil || c.owner.Tool != migrate.Kubectl && c.owner.Tool != migrate.ArgoCD {
		return c
	}
	metadata, _ := c.meta["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, _ := annotations[assist.LastApplied].(string)
	if documents := source.Parse(text).Documents; len(documents) == 1 && !documents[0].Broken && documents[0].Kind == c.t.Kind && documents[0].Name == about.Meta("name") {
		c.source, c.stated = migrate.Annotation, &checks.Document{Source: documents[0], Namespace: about.Meta("namespace")}
	}
	return c
}

// secret tells whether objects of a type hold secrets, which are only read if the user names their manifests.
func secret(t discovery.Type) bool { return object.Holds(t.GroupVersion(), t.Kind) }

func typeName(t discovery.Type) string {
	if t.Group == "" {
		return t.Resource
	}
	return t.Resource + "." + t.Group
}

// heard are the responses about one object.
type heard struct{ live, plain, forced checks.Response }

// would is the object after the apply; nil if no dry run succeeded.
func (h heard) would() map[string]any {
	if h.plain.Object != nil {
		return h.plain.Object
	}
	return h.forced.Object
}

// try sends the dry runs of the apply, and of what is left after the fold.
func (g *gathering) try(ctx context.Context, one *migrate.Case, c candidate) {
	kind := schema.FromAPIVersionAndKind(c.stated.Source.APIVersion, c.stated.Source.Kind)
	t, err := g.cluster.Type(kind)
	if err != nil {
		one.Unread = "The type of the manifest could not be found: " + plain.Text(err.Error())
		return
	}
	plan := &checks.Plan{Manager: c.owner.Manager, Force: checks.HabitOf(c.owner.Manager, c.meta).Forces, Contents: g.contents, Body: source.Document.JSON}
	q := plan.Inquire(*c.stated, checks.Served{Type: t})
	var known *kindschema.Schema
	if s, found, err := g.cluster.Schema(kind); err == nil && found {
		known = &s
	}
	q.Schema = known
	h, err := g.send(ctx, q)
	if err != nil {
		one.Unread = "The apply could not be tried: " + plain.Text(err.Error())
		return
	}
	one.Findings = q.Judge()
	one.Refused = slices.ContainsFunc(one.Findings, func(f checks.Finding) bool { return f.Kind == checks.Conflict || f.Kind == checks.Invalid })
	switch {
	case h.live.Object == nil, h.would() == nil && !one.Refused:
		return
	case one.Refused:
		step := migrate.FoldOf(c.owner.Manager, h.live.Object, known)
		one.Step = &step
		return
	}
	step := migrate.StepOf(c.owner.Manager, h.live.Object, h.would(), known)
	one.Step = &step
	if path, has := q.Path(); has && step.Removes {
		body, err := json.Marshal(object.Object{Fields: step.Without})
		if err != nil {
			return
		}
		left, err := g.requests.Ask(ctx, checks.Ask{Method: http.MethodPut, Path: path, Query: url.Values{"dryRun": {"All"}}, ContentType: "application/json", Body: body})
		if err == nil {
			one.Left = left.Object
		}
		if why := problem(left, err); why != "" {
			one.Findings = append(one.Findings, checks.Finding{
				Kind: checks.Unknown, Object: checks.Object{APIVersion: one.APIVersion, Kind: one.Kind, Namespace: one.Namespace, Name: one.Name},
				Why: "The tool removes fields after its apply. That could not be tried as a dry run, so fields with defaults may be named here although they come back. " + why,
			})
		}
	}
}

func problem(r checks.Response, err error) string {
	switch {
	case err != nil:
		return plain.Text(err.Error())
	case r.No != nil:
		return plain.Text(r.No.String())
	}
	return ""
}

// send sends the requests of an inquiry.
func (g *gathering) send(ctx context.Context, q *checks.Inquiry) (h heard, err error) {
	for {
		a, asks := q.Next()
		if !asks {
			return h, q.Err
		}
		r, err := g.requests.Ask(ctx, a)
		if err != nil {
			return h, err
		}
		switch {
		case a.Method == request.Get:
			h.live = r
		case a.Trial:
		case h.plain.Object == nil && h.plain.No == nil:
			h.plain = r
		default:
			h.forced = r
		}
		q.Take(r)
	}
}
