package explain

import (
	"context"
	"strconv"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples, refusals) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame, notice := s.Shell(apipath.Path{}), s.Notice()
	frame.Tool = web.Explain
	notice.Refused = true
	of := check.Object{APIVersion: s.String(), Kind: s.String(), Namespace: s.String(), Name: s.String()}
	owner := ownership.Owner{Manager: ownership.Manager{Name: s.String(), Operation: s.String(), Subresource: s.String(), APIVersion: s.String()}, Time: "2026-11-22T10:00:00Z"}
	full := explain.Answer{NotUnderstood: []string{s.String()}, Notes: []string{s.String()}, Explanations: []explain.Explanation{
		{
			Reason: s.String(), Code: 409, Tool: s.String(), Manager: s.String(), Assumed: true, What: s.String(), Why: s.String(), Message: s.String(), Notes: []string{s.String()}, Times: 2,
			Objects: []explain.Object{{Object: of, Resource: s.String(), Sure: true}},
			Fields:  []explain.Field{{Path: s.String(), Owners: []ownership.Owner{owner, {}}, Live: []byte(strconv.Quote(s.String())), Stated: []byte("1"), Why: s.String()}},
			Ways:    []check.Way{{Way: check.WayGiveUp, Text: s.String()}, {Way: s.String(), Text: s.String()}},
		},
		{What: s.String(), Objects: []explain.Object{{Object: check.Object{Name: s.String()}}, {Object: of}}},
	}}
	explained := func(m Model) page.Page {
		m.Kind, m.Shell, m.Text, m.Manifest, m.Manager, m.Namespace = Kind, frame, "the reader’s own", "as well", s.String(), s.String()
		return m
	}
	return map[string]page.Page{
		"in an explanation, none": Model{Frame: page.Frame{Kind: Kind, Shell: frame}}, "in an explanation": explained(Model{Answer: &full, Frame: page.Frame{Kind: Kind, Problem: &notice}}),
		"in an explanation, in vain": explained(Model{Answer: &explain.Answer{NotUnderstood: []string{s.String()}}}),
	}
}

// refused are texts with several refusals, as tools print them, without a cluster that was asked.
const refused = `error: Apply failed with 2 conflicts: conflicts with "helm" using apps/v1 at 2026-11-21T11:00:00Z:
- .spec.replicas
- .spec.template.spec.containers[name="web"].image
Please review the fields above--they currently have other managers.
The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable
Error from server (Forbidden): error when creating "role.yaml": roles.rbac.authorization.k8s.io is forbidden: User "jane" cannot create resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "shop"
Error from server (AlreadyExists): configmaps "settings" already exists
error: resource mapping not found for name: "main" namespace: "" from "crd.yaml": no matches for kind "Gateway" in version "gateway.networking.k8s.io/v1"
ensure CRDs are installed first
`

// refusals is the page that explains several refusals.
func refusals(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Explain
	answer := inquiry.New(refusal.Read(context.Background(), refused), inquiry.Options{Namespace: "shop"}).Answer()
	return map[string]page.Page{"in an explanation, several": Model{Frame: page.Frame{Kind: Kind, Shell: frame}, Text: refused, Namespace: "shop", Answer: &answer, Now: pagetest.Now}}
}
