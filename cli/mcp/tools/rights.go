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

func (d *desk) whoCan(ctx context.Context, in permitted) (a Answer, err error) {
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
	return d.holders(rbac.Join(parts...).Who(q), in)
}

// holders is the answer about who may do something.
func (d *desk) holders(of rbac.Answer, in permitted) (a Answer, err error) {
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
	a.Data = map[string]any{"subjects": some, "unseen": unseen, "unread": unread}
	return a, err
}
