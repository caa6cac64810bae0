package migrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	checks "github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// Bounds of what is read.
const (
	mostPredicted = 500 // objects of a plan; all others are counted
	mostReleases  = 200
	mostNamed     = 8 // types that could not be listed
)

// id identifies an object in all versions of its type.
type id struct{ group, kind, namespace, name string }

// candidate is an object to predict.
type candidate struct {
	t      discovery.Type
	meta   map[string]any
	owner  migrate.Owner
	source migrate.Source
	file   string
	stated *checks.Document // nil: no manifest is known
}

// gathering reads one cluster.
type gathering struct {
	cluster  *ask.Cluster
	requests *ask.Requests
	catalog  discovery.Catalog
	watched  *terminal.Progress

	given      map[id]checks.Document // nil: the plan is about all objects
	lacking    map[id]bool            // those of given that weren't seen
	contents   checks.Contents
	candidates []candidate
	secrets    []string // API paths of the Secrets with the releases of today
	stored     map[id]stored
	options    map[migrate.Tool]map[string]migrate.Options
	done, more int
	missing    []string
	read       string
}

// stored is a document of a release.
type stored struct {
	document checks.Document
	method   string
}

// begin reads what the cluster serves. It returns silent, which says that the cluster doesn't respond, unless that is nil.
func begin(cluster *ask.Cluster, silent error, watched *terminal.Progress) (*gathering, error) {
	if silent != nil {
		return nil, silent
	}
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	catalog, err := cluster.Catalog()
	if err != nil {
		return nil, err
	}
	return &gathering{
		cluster: cluster, requests: requests, catalog: catalog, watched: watched, contents: checks.ContentsOf(nil), stored: map[id]stored{},
		options: map[migrate.Tool]map[string]migrate.Options{migrate.ArgoCD: {}, migrate.FluxHelm: {}},
	}, nil
}

// take takes the documents of the user's files.
func (g *gathering) take(given []checks.Document) {
	if given == nil {
		return
	}
	g.given, g.lacking = map[id]checks.Document{}, map[id]bool{}
	g.contents.Add(given)
	for _, d := range given {
		which := g.idOf(d)
		g.given[which], g.lacking[which] = d, true
	}
}

// idOf is the object of a document.
func (g *gathering) idOf(d checks.Document) id {
	o := d.Object()
	group, version := discovery.SplitGroupVersion(o.APIVersion)
	if t, served := g.catalog.Kind(group, version, o.Kind); served && !t.Namespaced {
		o.Namespace = ""
	}
	return id{group, o.Kind, o.Namespace, o.Name}
}

// survey lists the metadata of all objects, and keeps those that have something to move. The error says that nothing could be listed.
func (g *gathering) survey(ctx context.Context) error {
	namespaces := []string(nil)
	if namespace, only, err := g.cluster.Namespace(); err == nil && only {
		namespaces = []string{namespace}
	}
	seen := map[id]bool{}
	types := slices.DeleteFunc(reading.TypesOf(g.catalog, namespaces), func(t discovery.Type) bool { return !t.Can("patch") || !g.wanted(t) })
	r := reading.New(reading.Plan{Types: types, Namespaces: namespaces, Served: g.catalog.Serves, Take: func(t discovery.Type, raw []byte) {
		o, err := object.Parse(raw)
		if err != nil {
			return
		}
		which := id{t.Group, t.Kind, o.Meta("namespace"), o.Meta("name")}
		if !seen[which] {
			seen[which] = true
			g.see(t, which, o)
		}
	}}, g.requests.Reading(g.watched.Step))
	r.Run(ctx)
	return g.sum(r.Report())
}

// unseen says which objects of the user's files weren't found.
func (g *gathering) unseen() {
	var all []string
	for which := range g.lacking {
		all = append(all, plain.Object(which.kind, which.namespace, which.name))
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	shown, more := all[:min(len(all), mostNamed)], max(0, len(all)-mostNamed)
	g.missing = append(g.missing, "These objects of the files weren’t found, so they aren’t in the plan: "+manager.Listed(shown, more)+".")
}

// wanted tells whether objects of a type can be in the plan.
func (g *gathering) wanted(t discovery.Type) bool {
	if g.given == nil {
		return t.Resource != "events"
	}
	for which := range g.given {
		if which.group == t.Group && which.kind == t.Kind {
			return true
		}
	}
	return false
}

// see looks at the metadata of one object.
func (g *gathering) see(t discovery.Type, which id, o object.Object) {
	if t.Group == "" && t.Resource == "secrets" && release(o) {
		g.secrets = append(g.secrets, apipath.Object(t.Group, t.Version, which.namespace, t.Resource, which.name).String())
		return
	}
	c := candidate{t: t, meta: o.Fields}
	d, named := g.given[which]
	owner, owned := migrate.OwnerOf(o.Fields)
	switch {
	case g.given != nil && !named, g.given == nil && !owned:
		return
	case len(o.OwnerReferences()) > 0 && !named && !owner.Wrote():
		return // a controller copied the marks
	case !owned:
		owner = migrate.ByHand(o.Fields)
	}
	if c.owner = owner; owner.Done() && !named {
		g.done++
		return
	}
	if named {
		delete(g.lacking, which)
		c.source, c.stated = migrate.Given, &d
		if !d.Built {
			c.file = d.File
		}
	}
	if len(g.candidates) == mostPredicted {
		g.more++
		return
	}
	g.candidates = append(g.candidates, c)
}

// release tells whether a Secret has the release of today.
func release(o object.Object) bool {
	labels := o.Labels()
	return strings.HasPrefix(o.Meta("name"), migrate.ReleasePrefix) && slices.Contains(labels, "owner=helm") && slices.Contains(labels, "status=deployed")
}

// sum says what was read, and which types could not be. The error says that none could.
func (g *gathering) sum(r report.Report) error {
	n := 0
	var refused []string
	why := ""
	for _, t := range r.Types {
		if n += t.Objects; t.State != report.Read {
			refused, why = append(refused, t.Name()), cmp.Or(why, t.Why)
		}
	}
	g.read = words.Count(int64(n), "object", "objects") + " of " + words.Count(int64(len(r.Types)-len(refused)), "type", "types") + " read"
	switch {
	case len(refused) == 0:
		return nil
	case len(refused) == len(r.Types):
		return fmt.Errorf("no type can be listed (%s: %s)", refused[0], why)
	}
	shown, more := refused[:min(len(refused), mostNamed)], max(0, len(refused)-mostNamed)
	g.missing = append(g.missing, "These types could not be listed completely: "+manager.Listed(shown, more)+". The first reason is: "+plain.Text(why))
	return nil
}

// readOptions reads what Applications and HelmReleases say about server-side apply, if the plan has objects of them.
func (g *gathering) readOptions(ctx context.Context) {
	for tool, of := range map[migrate.Tool][2]string{migrate.ArgoCD: {"argoproj.io", "applications"}, migrate.FluxHelm: {"helm.toolkit.fluxcd.io", "helmreleases"}} {
		t, served := g.catalog.Type(of[0], "", of[1])
		if !served || !slices.ContainsFunc(g.candidates, func(c candidate) bool { return c.owner.Tool == tool }) {
			continue
		}
		no := reading.Wholes(ctx, g.requests.Get, t, func(raw []byte) {
			if of, key, options := migrate.OptionsOf(raw); of == tool {
				g.options[tool][key] = options
			}
		})
		if no != nil {
			g.missing = append(g.missing, "The options in "+t.Resource+"."+t.Group+" could not be read: "+plain.Text(no.String()))
		}
	}
}

// readReleases reads the stored releases one after the other, and keeps their manifests until the plan is made.
func (g *gathering) readReleases(ctx context.Context, asked bool) {
	helm := slices.ContainsFunc(g.candidates, func(c candidate) bool { return c.owner.Tool == migrate.Helm || c.owner.Tool == migrate.FluxHelm })
	if !asked {
		if helm && g.given == nil {
			g.missing = append(g.missing, "The manifests of Helm are stored in Secrets, and weren’t read. Read them with --helm-releases.")
		}
		return
	}
	for i, path := range g.secrets {
		if i == mostReleases {
			g.missing = append(g.missing, fmt.Sprintf("There are %d releases. The first %d were read. Choose a namespace with -n.", len(g.secrets), mostReleases))
			return
		}
		r, err := g.release(ctx, path)
		if err != nil {
			g.missing = append(g.missing, "The release in "+plain.Text(path)+" could not be read: "+plain.Text(err.Error()))
			continue
		}
		for _, d := range r.Documents() {
			one := checks.Document{Source: d, Namespace: r.Namespace}
			g.stored[g.idOf(one)] = stored{one, r.Method()}
		}
	}
}

func (g *gathering) release(ctx context.Context, path string) (migrate.Release, error) {
	defer g.watched.Step()
	at, err := apipath.Parse(path)
	if err != nil {
		return migrate.Release{}, err
	}
	body, no := g.requests.Send(ctx, inquiry.Ask{Path: at, Accept: "application/json"})
	if no != nil {
		return migrate.Release{}, fmt.Errorf("%s", no.String())
	}
	return migrate.ReadRelease(body)
}
