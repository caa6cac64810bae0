package migrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	groups "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	checks "github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/migrate/planning"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/words"
)

// Bounds of what is read.
const (
	mostReleases = 200
	mostNamed    = 8 // types or objects that are named in a sentence
	atOnce       = 4 // objects that are predicted at the same time
)

// gathering reads one cluster for a plan.
type gathering struct {
	*planning.Planning

	cluster  *ask.Cluster
	requests *ask.Requests
	catalog  discovery.Catalog
	watched  *terminal.Progress
	files    bool // the plan is about the objects of the user's files
	read     string
}

// begin reads what the cluster serves. It returns silent, which says that the cluster doesn't respond, unless that is nil.
func begin(cluster *ask.Cluster, silent error, given []checks.Document, watched *terminal.Progress) (*gathering, error) {
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
	inGroup := func(k schema.Kind) groups.GroupVersionKind {
		return groups.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
	}
	send := planning.Send{
		Get: requests.Get, Ask: requests.Ask,
		Type: func(k schema.Kind) (discovery.Type, error) { return cluster.Type(inGroup(k)) },
		Schema: func(_ context.Context, k schema.Kind) *schema.Schema {
			if s, found, err := cluster.Schema(inGroup(k)); err == nil && found {
				return &s
			}
			return nil
		},
	}
	return &gathering{Planning: planning.New(catalog, send, given), cluster: cluster, requests: requests, catalog: catalog, watched: watched, files: given != nil}, nil
}

// survey lists the metadata of all objects, and keeps those that have something to move. The error says that nothing could be listed.
func (g *gathering) survey(ctx context.Context) error {
	namespaces := []string(nil)
	if namespace, only, err := g.cluster.Namespace(); err == nil && only {
		namespaces = []string{namespace}
	}
	types := slices.DeleteFunc(reading.TypesOf(g.catalog, namespaces), func(t discovery.Type) bool { return !g.Wants(t) })
	r := reading.New(reading.Plan{Types: types, Namespaces: namespaces, Served: g.catalog.Serves, Take: g.Take}, g.requests.Reading(g.watched.Step))
	r.Run(ctx)
	return g.sum(r.Report())
}

// sum says what was read, which types could not be, and which objects of files weren't found. The error says that no type could be read.
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
	if len(refused) > 0 && len(refused) == len(r.Types) {
		return fmt.Errorf("no type can be listed (%s: %s)", refused[0], why)
	}
	if len(refused) > 0 {
		g.Missing = append(g.Missing, "These types could not be listed completely: "+listed(refused)+". The first reason is: "+plain.Text(why))
	}
	if lacking := g.Lacking(); len(lacking) > 0 {
		g.Missing = append(g.Missing, "These objects of the files weren’t found, so they aren’t in the plan: "+listed(lacking)+".")
	}
	return nil
}

func listed(all []string) string {
	return manager.Listed(all[:min(len(all), mostNamed)], max(0, len(all)-mostNamed))
}

// readReleases reads the stored releases one after the other.
func (g *gathering) readReleases(ctx context.Context, asked bool) {
	if !asked {
		if !g.files && g.Has(migrate.Helm, migrate.FluxHelm) {
			g.Missing = append(g.Missing, "The manifests of Helm are stored in Secrets, and weren’t read. Read them with --helm-releases.")
		}
		return
	}
	for _, path := range g.Releases[:min(len(g.Releases), mostReleases)] {
		g.ReadRelease(ctx, path)
		g.watched.Step()
	}
	if n := len(g.Releases); n > mostReleases {
		g.Missing = append(g.Missing, fmt.Sprintf("There are %d releases. The first %d were read. Choose a namespace with -n.", n, mostReleases))
	}
}

// predictAll predicts the first server-side apply of each object.
func (g *gathering) predictAll(ctx context.Context) []migrate.Object {
	rules, _ := checks.BuiltIn()
	all := make([]migrate.Object, len(g.Candidates))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for at, c := range g.Candidates {
		group.Go(func() error {
			defer g.watched.Step()
			all[at] = g.Predict(ctx, c, rules, time.Now())
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	return all
}
