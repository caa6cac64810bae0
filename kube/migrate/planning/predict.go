package planning

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
)

// Predict predicts the first server-side apply of a candidate by dry runs. Nothing is stored. Rules say which findings are expected.
func (p *Planning) Predict(ctx context.Context, c Candidate, rules []check.Rule, now time.Time) migrate.Object {
	about := object.Object{Fields: c.Meta}
	one := migrate.Case{Meta: c.Meta, Rules: rules, Now: now, File: c.file}
	c = p.stating(c, about)
	one.Object = migrate.Object{
		Type: c.Type.FullName(), APIVersion: c.Type.GroupVersion(), Kind: c.Type.Kind, Namespace: about.Meta("namespace"), Name: about.Meta("name"), Owner: c.Owner, Manifest: c.source,
	}
	one.Options = p.options[c.Owner.Tool][c.Owner.Key()]
	switch {
	case c.stated != nil:
		one.APIVersion = c.stated.Source.APIVersion
		p.try(ctx, &one, c)
	case secret(c.Type):
		one.Unread = "The values of Secrets aren’t read, so nothing could be predicted. fieldmark migrate -f takes its manifest from a file."
	}
	return one.Judge()
}

// stating finds the manifest of a candidate, unless the user named it.
func (p *Planning) stating(c Candidate, about object.Object) Candidate {
	which := id{c.Type.Group, c.Type.Kind, about.Meta("namespace"), about.Meta("name")}
	if s, has := p.stored[which]; has && (c.Owner.Tool == migrate.Helm || c.Owner.Tool == migrate.FluxHelm) {
		c.Owner.Stored = s.method
		if c.stated == nil {
			c.source, c.stated = migrate.Stored, &s.document
		}
	}
	if secret(c.Type) && c.source != migrate.Given {
		c.source, c.stated = migrate.Unknown, nil
		return c
	}
	if c.stated != nil || c.Owner.Tool != migrate.Kubectl && c.Owner.Tool != migrate.ArgoCD {
		return c
	}
	metadata, _ := c.Meta["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, _ := annotations[assist.LastApplied].(string)
	if documents := source.Parse(text).Documents; len(documents) == 1 && !documents[0].Broken && documents[0].Kind == c.Type.Kind && documents[0].Name == about.Meta("name") {
		c.source, c.stated = migrate.Annotation, &check.Document{Source: documents[0], Namespace: about.Meta("namespace")}
	}
	return c
}

// secret tells whether objects of a type hold secrets, which are only read if the user names their manifests.
func secret(t discovery.Type) bool { return object.Holds(t.GroupVersion(), t.Kind) }

// heard are the responses about one object.
type heard struct {
	live, plain, forced check.Response
	apply               *check.Ask // the dry run of the apply
}

// would is the object after the apply; nil if no dry run succeeded.
func (h heard) would() map[string]any {
	if h.plain.Object != nil {
		return h.plain.Object
	}
	return h.forced.Object
}

// try sends the dry runs of the apply, and of what is left after the fold.
func (p *Planning) try(ctx context.Context, one *migrate.Case, c Candidate) {
	group, version := discovery.SplitGroupVersion(c.stated.Source.APIVersion)
	kind := schema.Kind{Group: group, Version: version, Kind: c.stated.Source.Kind}
	t, err := p.send.Type(kind)
	if err != nil {
		one.Unread = "The type of the manifest could not be found: " + plain.Text(err.Error())
		return
	}
	plan := &check.Plan{Manager: c.Owner.Manager, Force: check.HabitOf(c.Owner.Manager, c.Meta).Forces, Contents: p.contents, Body: source.Document.JSON}
	q := plan.Inquire(*c.stated, check.Served{Type: t})
	known := p.send.Schema(ctx, kind)
	q.Schema = known
	h, err := p.hear(ctx, q)
	if err != nil {
		one.Unread = "The apply could not be tried: " + plain.Text(err.Error())
		return
	}
	if one.Findings = q.Judge(); c.source != migrate.Stored {
		one.Preview = h.apply
	}
	one.Refused = slices.ContainsFunc(one.Findings, func(f check.Finding) bool { return f.Kind == check.Conflict || f.Kind == check.Invalid })
	switch {
	case h.live.Object == nil, h.would() == nil && !one.Refused:
		return
	case one.Refused:
		step := migrate.FoldOf(c.Owner.Manager, h.live.Object, known)
		one.Step = &step
		return
	}
	step := migrate.StepOf(c.Owner.Manager, h.live.Object, h.would(), known)
	one.Step = &step
	if path, has := q.Path(); has && step.Removes {
		body, err := json.Marshal(object.Object{Fields: step.Without})
		if err != nil {
			return
		}
		left, err := p.send.Ask(ctx, check.Ask{Method: request.Put, Path: path, Query: url.Values{"dryRun": {"All"}}, ContentType: "application/json", Body: body})
		if err == nil {
			one.Left = left.Object
		}
		if why := problem(left, err); why != "" {
			one.Findings = append(one.Findings, check.Finding{
				Kind: check.Unknown, Object: check.Object{APIVersion: one.APIVersion, Kind: one.Kind, Namespace: one.Namespace, Name: one.Name},
				Why: "The tool removes fields after its apply. That could not be tried as a dry run, so fields with defaults may be named here although they come back. " + why,
			})
		}
	}
}

func problem(r check.Response, err error) string {
	switch {
	case err != nil:
		return plain.Text(err.Error())
	case r.No != nil:
		return plain.Text(r.No.String())
	}
	return ""
}

// hear sends the requests of an inquiry.
func (p *Planning) hear(ctx context.Context, q *check.Inquiry) (h heard, err error) {
	for {
		a, asks := q.Next()
		if !asks {
			return h, q.Err
		}
		r, err := p.send.Ask(ctx, a)
		if err != nil {
			return h, err
		}
		switch {
		case a.Method == request.Get:
			h.live = r
		case a.Trial:
		case h.plain.Object == nil && h.plain.No == nil:
			h.plain, h.apply = r, &a
		default:
			h.forced = r
		}
		q.Take(r)
	}
}
