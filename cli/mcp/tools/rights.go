package tools

import (
	"context"
	"strings"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/rbac"
)

// permitted is the arguments of who_can.
type permitted struct {
	target
	Verb   string `json:"verb"`
	Field  string `json:"field"`
	Cursor string `json:"cursor"`
}

// mostSubjects is how many subjects an answer has.
const mostSubjects = 30

// subject is somebody who may do what a call asks about.
type subject struct {
	Kind      string   `json:"kind"`
	Name      string   `json:"name"`
	Namespace string   `json:"namespace,omitempty"`
	Verbs     []string `json:"verbs"`
	Bindings  []string `json:"bindings"`
}

// fieldOwner is an owner of the field that a call asks about, with the subjects as which it may write.
type fieldOwner struct {
	owned
	CouldBe []likely `json:"could_be"`
}

// likely is a subject that a manager could be.
type likely struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	Why       string `json:"why"`
	Guess     bool   `json:"guess"`
}

func (d *desk) whoCan(ctx context.Context, in permitted) (a Answer, err error) {
	if in.Field != "" && in.Name == "" {
		return a, sorry("The owners of a field can be read of one object, so a call with field needs name, too.")
	}
	c, of, err := d.openType(ctx, in.Cluster, in.Resource)
	if err != nil {
		return a, err
	}
	q := rbac.Question{Verbs: []string{in.Verb}, Group: of.Group, Resource: of.Resource, Namespaced: of.Namespaced, Name: in.Name}
	switch in.Verb {
	case "change":
		q.Verbs = []string{"update", "patch"}
	case "apply":
		q.Verbs, q.Apply = []string{"patch", "create"}, true
	}
	if of.Namespaced {
		q.Namespace = in.Namespace
	}
	lists := q.Lists()
	parts := make([]*rbac.Policy, len(lists))
	var all rescue.Group
	for i, l := range lists {
		all.Go(func() {
			parts[i] = rbac.Read(l, func(target string) ([]byte, string) {
				body, err := get(ctx, c, target, "application/json")
				if err != nil {
					return nil, err.Error()
				}
				return body, ""
			})
		})
	}
	all.Wait()
	may := rbac.Join(parts...).Who(q)
	a, data, err := d.holders(may, in)
	if err == nil && in.Field != "" {
		err = d.fieldOwners(ctx, may, in, &a, data)
	}
	a.Data = data
	return a, err
}

// fieldOwners adds the owners of a field. Permissions are for whole objects, so the owners only say who of the subjects writes this field now.
func (d *desk) fieldOwners(ctx context.Context, may rbac.Answer, in permitted, a *Answer, data map[string]any) error {
	p, err := d.read(ctx, in.target)
	if err != nil {
		return err
	}
	b := blamed(p)
	all, found := []fieldOwner{}, b.Meant(in.Field)
	for _, n := range found {
		for _, o := range b.OwnersWithin(n) {
			one := fieldOwner{ownedBy(o), []likely{}}
			for _, l := range may.Candidates(o.Name) {
				if len(one.CouldBe) < mostLikely {
					one.CouldBe = append(one.CouldBe, likely{l.Subject.Kind, cut(l.Subject.Name, 253), l.Subject.Namespace, l.Why, l.Guess})
				}
			}
			if len(all) < mostSubjects {
				all = append(all, one)
			}
		}
	}
	a.Says += " Permissions are for whole objects. The field has " + count(len(all), "owner", "owners") + " now."
	if len(found) == 0 {
		a.Says += " The object has no such field."
	}
	data["field"], data["owners"] = cut(b.MeantPath(in.Field), 200), all
	return nil
}

// mostLikely is how many subjects an answer names for a manager.
const mostLikely = 5

// holders is the answer about who may do something.
func (d *desk) holders(of rbac.Answer, in permitted) (a Answer, data map[string]any, err error) {
	all := []subject{}
	for _, h := range of.Holders() {
		one := subject{Kind: h.Subject.Kind, Name: cut(h.Subject.Name, 253), Namespace: h.Subject.Namespace, Verbs: of.Question.Allowed(h.Grants...)}
		for _, g := range h.Grants[:min(len(h.Grants), 5)] {
			one.Bindings = append(one.Bindings, cut(g.Binding.String()+" to "+g.Role.String(), 300))
		}
		all = append(all, one)
	}
	a.Says = "By roles and bindings: " + count(len(all), "subject", "subjects") + "."
	if len(all) == 0 {
		a.Says = rbac.NoGrant
	}
	some, err := page(all, in.Cursor, mostSubjects, &a)
	unseen, unread := []string{}, []string{}
	for _, u := range of.Unseen {
		unseen = append(unseen, cut(strings.TrimSpace(u.Words), 200))
	}
	for _, u := range of.Unread {
		unread = append(unread, cut(d.Redact.Text(u.Why), 300))
	}
	return a, map[string]any{"subjects": some, "unseen": unseen, "unread": unread}, err
}
