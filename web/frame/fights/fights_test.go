package fights

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

var (
	gitops     = manager.Manager{Name: "gitops", Operation: manager.Apply}
	autoscaler = manager.Manager{Name: "autoscaler", Operation: manager.Update, Subresource: "scale"}
	noon       = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	deploy     = report.Object{Path: "/apis/apps/v1/namespaces/shop/deployments/web"}
)

func fight(count int, managers ...manager.Manager) report.Known {
	return report.Known{From: report.FromScan, Fight: report.Fight{Object: deploy, Path: ".spec.replicas", Count: count, Last: noon, Managers: managers}}
}

func TestWords(t *testing.T) {
	for want, k := range map[string]report.Known{
		"gitops and autoscaler overwrite each other’s .spec.replicas, 12 times":                           fight(12, gitops, autoscaler),
		"gitops, autoscaler and helm overwrite each other’s .spec.replicas, 1 time":                       fight(1, gitops, autoscaler, manager.Manager{Name: "helm"}),
		"gitops (Apply) and gitops (Update) overwrite each other’s .spec.replicas, 2 times":               fight(2, gitops, manager.Manager{Name: "gitops", Operation: manager.Update}),
		"Managers overwrite each other’s .spec.replicas, 2 times":                                         fight(2, gitops),
		`\u202eevil and a manager without a name (Update) overwrite each other’s .spec.replicas, 2 times`: fight(2, manager.Manager{Name: "\u202eevil"}, manager.Manager{Operation: "Update"}),
	} {
		if got := Words(k); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestWhen(t *testing.T) {
	k := fight(3, gitops, autoscaler)
	for want, now := range map[string]time.Time{"last 3m ago, found by a scan": noon.Add(3 * time.Minute), "last 0s ago, found by a scan": noon.Add(-time.Hour)} {
		if got := When(k, now); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	k.Last, k.From, k.Period = time.Time{}, report.FromPage, 6*time.Second
	if got := often(k, noon); got != "3 times, about every 6s; seen on this page" {
		t.Error(got)
	}
}

func TestOneManagerAloneDoesNotFight(t *testing.T) {
	all := Seen([]timeline.Flip{{Path: ".a", Count: 1, Managers: []manager.Manager{gitops}}, {Path: ".b", Count: 2, Last: noon, Managers: []manager.Manager{gitops, autoscaler}}}, deploy, report.FromPage)
	if len(all) != 1 || all[0].Path != ".b" || all[0].From != report.FromPage || !all[0].Last.Equal(noon) {
		t.Errorf("%+v", all)
	}
	if _, ok := On(all, ".a"); ok {
		t.Error("a fight over .a is found")
	}
	if k, ok := On(all, ".b"); !ok || !strings.Contains(Stop("practice", k), "manager=gitops%7CApply%7C%7C&manager=autoscaler%7CUpdate%7Cscale%7C") {
		t.Errorf("%v %s", ok, Stop("practice", k))
	}
}
