package usage

import (
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	kubeusage "github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	of := func(t discovery.Type, p apipath.Path) Model {
		return Model{Subject: subject.Subject{Frame: page.Frame{Kind: Kind, Shell: s.Shell(p)}, Type: t, View: views.Usage, Now: pagetest.Now}}
	}
	amount := kubeusage.Amount{CPU: 0.5, Memory: 250 << 20}
	pod := of(s.PodType(), apipath.Object("", "v1", "shop", "pods", "web"))
	pod.Planned = kubeusage.Subject{Namespace: "shop", Name: s.String(), Phase: "Running", Containers: []kubeusage.Planned{
		{Name: s.String(), State: kubeusage.Running, Bounds: kubeusage.Bounds{Request: amount, Limit: amount}, Killed: true}, {Name: "other", State: s.String()},
	}}
	for i := range 3 {
		pod.Readings = append(pod.Readings, Reading{
			At: pagetest.Now.Add(time.Duration(i) * 10 * time.Second), Window: 10 * time.Second, Of: []kubeusage.Container{{Name: s.String(), Usage: amount}},
		})
	}
	node := of(discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: []string{"get", "list"}}, apipath.Object("", "v1", "", "nodes", "node-1"))
	node.Planned.Bounds.Limit, node.NoPods = kubeusage.Amount{CPU: 16, Memory: 64 << 30}, s.String()
	node.Readings = []Reading{{At: pagetest.Now, Of: []kubeusage.Container{{Name: "node-1", Usage: amount}, {Name: "shop/" + s.String(), Usage: amount}}}}
	live, _ := pod.Awake(pagetest.Now)
	return map[string]page.Page{
		"in usage of a pod":       pod,
		"in usage of a pod, live": live,
		"in usage of a node":      node,
		"in usage, none yet":      of(pod.Subject.Type, pod.Subject.Shell.Path).Refused("figures", status.Status{Code: 404, Message: s.String()}),
		"in usage, down":          pod.Refused("figures", status.Status{Code: 503, Message: s.String()}),
		"in usage, forbidden":     pod.Refused("figures", status.Status{Code: 403, Message: s.String()}),
	}
}
