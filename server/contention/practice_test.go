package contention

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// practiceEnv names the kubeconfig of a practice cluster that runs; make test sets it.
const practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

// practiceLab scans a real practice cluster, as the user of a context.
func practiceLab(t *testing.T, context string) (*lab, *cluster.Registry) {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(file, cluster.FromPractice))
	return newLab(t, resolver(clusters, context)), clusters
}

func resolver(clusters *cluster.Registry, slug string) func(context.Context, string) (*upstream.Target, error) {
	return func(context.Context, string) (*upstream.Target, error) {
		c, _ := clusters.Get(slug)
		target, err := c.Target()
		return &target, err
	}
}

const scenarios = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"

// scenario makes something happen, until the test ends.
func scenario(t *testing.T, clusters *cluster.Registry, name, actors string) {
	t.Helper()
	c, _ := clusters.Get(cluster.Practice)
	client, err := c.Client()
	must(t, err)
	body := `{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":"` + name + `"},"spec":{"actors":[` + actors + `]}}`
	_, err = client.Do(t.Context(), api.Request{Method: http.MethodPost, Path: scenarios, ContentType: "application/json", Body: []byte(body)})
	must(t, err)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		_, err := client.Do(ctx, api.Request{Method: http.MethodDelete, Path: scenarios + "/" + name})
		must(t, err)
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
			if _, err := client.Do(ctx, api.Request{Path: scenarios + "/" + name}); api.Code(err) == http.StatusNotFound {
				return
			}
		}
		t.Errorf("scenario %s is left behind", name)
	})
}

// everything is what the cluster serves that can be listed and watched.
func everything(t *testing.T, clusters *cluster.Registry, slug string) Plan {
	t.Helper()
	c, _ := clusters.Get(slug)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	p := plan(slices.DeleteFunc(catalog.Listable(), func(t discovery.Type) bool { return !t.Watchable() })...)
	return p
}

func TestPracticeAFightIsFoundInAWholeCluster(t *testing.T) {
	l, clusters := practiceLab(t, cluster.Practice)
	scenario(t, clusters, "scan-fight", `
		{"name":"gitops","gitops":{"namespace":"scan-fight","name":"contested","replicas":3,"everySeconds":2}},
		{"name":"autoscaler","autoscaler":{"namespace":"scan-fight","name":"contested","everySeconds":2}},
		{"name":"idle","storm":{"namespace":"scan-storm","objects":5,"perSecond":20}}`)
	must(t, l.Start("me", "c", everything(t, clusters, cluster.Practice)))
	const contested = "/apis/apps/v1/namespaces/scan-fight/deployments/contested"
	named := func(r report.Run) (f report.Fight, ok bool) {
		i := slices.IndexFunc(r.Report.Fights.Rows, func(f report.Fight) bool { return f.Path == ".spec.replicas" && f.Object.Path == contested })
		if i < 0 {
			return f, false
		}
		return r.Report.Fights.Rows[i], true
	}
	r := l.until("me", func(r report.Run) bool {
		f, ok := named(r)
		return ok && f.Count >= 2 && r.Report.Takings.All > 0 && r.Report.Rewrites.All >= 5
	})
	f, _ := named(r)
	var names []string
	for _, m := range f.Managers {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"autoscaler", "gitops"}) {
		t.Errorf("%+v", f)
	}
	if taken := r.Report.Takings.Rows[0]; taken.By.Name != "gitops" || taken.From[0].Name != "autoscaler" || !slices.Contains(taken.Paths, ".spec.replicas") {
		t.Errorf("%+v", taken)
	}
	if share := float64(r.Report.Managed) / float64(r.Report.Bytes); share < .05 || share > .7 || r.Report.Objects < 100 {
		t.Errorf("%d objects; managedFields are %.2f of them", r.Report.Objects, share)
	}
	for _, typ := range r.Report.Types {
		if strings.HasSuffix(typ.Name, ".example.org") {
			continue // another test defined it, and may have deleted it since
		}
		if typ.State != report.Followed {
			t.Errorf("%+v", typ)
		}
	}
}

func TestPracticeWhoMayReadLittleIsToldWhatWasRefused(t *testing.T) {
	l, clusters := practiceLab(t, cluster.PracticeViewer)
	p := everything(t, clusters, cluster.PracticeViewer)
	p.Namespace = "shop"
	p.Types = slices.DeleteFunc(p.Types, func(t discovery.Type) bool { return !t.Namespaced })
	must(t, l.Start("me", "c", p))
	r := l.until("me", watching)
	states := map[string]report.Type{}
	for _, typ := range r.Report.Types {
		states[typ.Name] = typ
	}
	if got := states["pods"]; got.State != report.Followed || got.Objects == 0 {
		t.Errorf("%+v", got)
	}
	if got := states["secrets"]; got.State != report.Refused || got.Code != http.StatusForbidden || got.Why == "" {
		t.Errorf("%+v", got)
	}
}
