package upgrade

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

// wholes are the whole objects of a response; a definition can have 1 MB.
const wholes = 50

// gathering reads one cluster.
type gathering struct {
	cluster  *ask.Cluster
	requests *ask.Requests
	watched  *terminal.Progress
	facts    upgrade.Facts
}

// begin reads what the cluster serves. It returns silent, which says that the cluster doesn't respond, unless that is nil.
func begin(cluster *ask.Cluster, silent error, target release.Version, watched *terminal.Progress) (*gathering, error) {
	if silent != nil {
		return nil, silent
	}
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	if err := cluster.Forget(); err != nil {
		return nil, err
	}
	catalog, err := cluster.Catalog()
	if err != nil {
		return nil, err
	}
	table, err := removal.Of()
	if err != nil {
		return nil, err
	}
	return &gathering{cluster: cluster, requests: requests, watched: watched, facts: upgrade.Facts{Target: target, Table: table, Catalog: catalog}}, nil
}

// server is the version of the API server; empty if it doesn't say.
func (g *gathering) server(ctx context.Context) string {
	path, err := apipath.Parse("/version")
	if err != nil {
		return ""
	}
	body, no := g.requests.Send(ctx, inquiry.Ask{Path: path, Accept: "application/json"})
	var info release.Info
	if no != nil || json.Unmarshal(body, &info) != nil {
		return ""
	}
	return info.GitVersion
}

// miss notes what couldn't be read.
func (g *gathering) miss(what, why string) {
	g.facts.Missing = append(g.facts.Missing, upgrade.Missing{What: what, Why: "The API server didn’t send " + what + ": " + plain.Text(why)})
}

// wholeOf lists whole objects of a type, and notes if it can't.
func (g *gathering) wholeOf(ctx context.Context, group, resource, what string, take func(raw []byte) error) {
	t, served := g.facts.Catalog.Type(group, "", resource)
	if !served {
		return
	}
	var wrong error
	no := g.requests.List(ctx, t, wholes, func(raw []byte) {
		if err := take(raw); err != nil {
			wrong = err
		}
	})
	switch {
	case no != nil:
		g.miss(what, no.String())
	case wrong != nil:
		g.miss(what, wrong.Error())
	}
}

// definitions reads the definitions of types.
func (g *gathering) definitions(ctx context.Context) {
	g.wholeOf(ctx, "apiextensions.k8s.io", "customresourcedefinitions", "the definitions of types", func(raw []byte) error {
		d, err := upgrade.ParseDefinition(raw)
		g.facts.Definitions = append(g.facts.Definitions, d)
		return err
	})
}

// parts reads what else an upgrade needs: API services, webhooks and metrics.
func (g *gathering) parts(ctx context.Context) {
	g.wholeOf(ctx, "apiregistration.k8s.io", "apiservices", "the API services", func(raw []byte) error {
		s, err := upgrade.ParseAPIService(raw)
		g.facts.Services = append(g.facts.Services, s)
		return err
	})
	for resource, kind := range map[string]string{"mutatingwebhookconfigurations": "MutatingWebhookConfiguration", "validatingwebhookconfigurations": "ValidatingWebhookConfiguration"} {
		g.wholeOf(ctx, "admissionregistration.k8s.io", resource, "the "+resource, func(raw []byte) error {
			hooks, err := upgrade.ParseHooks(kind, raw)
			g.facts.Hooks = append(g.facts.Hooks, hooks...)
			return err
		})
	}
	err := g.requests.Lines(ctx, "/metrics", func(line string) {
		if r, ok := upgrade.ParseMetric(line); ok {
			g.facts.Requested = append(g.facts.Requested, r)
		}
	})
	if err != nil {
		g.miss("its metrics, which say who requested deprecated versions", err.Error())
	}
}

// recorded tells whether objects of a type can have managedFields: somebody can write them.
func recorded(t discovery.Type) bool {
	return t.Listable() && (t.Can("patch") || t.Can("update")) && (t.Group != "events.k8s.io" || t.Resource != "events") // the same objects as the core group's
}

// read lists the metadata of all objects of types, and calls take with each. An object may come twice; see reading.Plan.
func (g *gathering) read(ctx context.Context, types []discovery.Type, take func(t discovery.Type, raw []byte)) {
	p := reading.Plan{Types: types, Served: g.facts.Catalog.Serves, Take: take}
	if namespace, only, err := g.cluster.Namespace(); err == nil && only {
		p.Namespaces = []string{namespace}
	}
	r := reading.New(p, g.requests.Reading(g.watched.Step))
	r.Run(ctx)
	g.facts.Census = r.Report()
}

// objects are how many objects were read, of how many types.
func objects(r report.Report) (objects, types int) {
	for _, t := range r.Types {
		objects += t.Objects
		if t.State == report.Read {
			types++
		}
	}
	return objects, types
}

// custom are the types of definitions.
func custom(types []discovery.Type, definitions []upgrade.Definition) []discovery.Type {
	return slices.DeleteFunc(types, func(t discovery.Type) bool {
		return !slices.ContainsFunc(definitions, func(d upgrade.Definition) bool { return d.Group == t.Group && d.Resource == t.Resource })
	})
}
