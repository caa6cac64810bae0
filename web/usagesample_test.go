package web_test

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	kubeusage "github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/run/subject"
	"github.com/fieldmark/fieldmark/web/run/usage"
)

// usage are the pages of what a pod or a node uses.
func (s sample) usage() map[string]templ.Component {
	of := func(t discovery.Type, p apipath.Path) usage.Model {
		return usage.Model{Subject: subject.Subject{Frame: page.Frame{Shell: s.shell(p)}, Type: t, View: views.Usage, Now: now}}
	}
	amount := kubeusage.Amount{CPU: 0.5, Memory: 250 << 20}
	pod := of(s.podType(), apipath.Object("", "v1", "shop", "pods", "web"))
	pod.Planned = kubeusage.Subject{Namespace: "shop", Name: s.text(), Phase: "Running", Containers: []kubeusage.Planned{
		{Name: s.text(), State: kubeusage.Running, Bounds: kubeusage.Bounds{Request: amount, Limit: amount}, Killed: true}, {Name: "other", State: s.text()},
	}}
	for i := range 3 {
		pod.Readings = append(pod.Readings, usage.Reading{
			At: now.Add(time.Duration(i) * 10 * time.Second), Window: 10 * time.Second, Of: []kubeusage.Container{{Name: s.text(), Usage: amount}},
		})
	}
	node := of(discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: []string{"get", "list"}}, apipath.Object("", "v1", "", "nodes", "node-1"))
	node.Planned.Bounds.Limit, node.NoPods = kubeusage.Amount{CPU: 16, Memory: 64 << 30}, s.text()
	node.Readings = []usage.Reading{{At: now, Of: []kubeusage.Container{{Name: "node-1", Usage: amount}, {Name: "shop/" + s.text(), Usage: amount}}}}
	live, _ := pod.Awake(now)
	return map[string]templ.Component{
		"in usage of a pod":       page.View(pod),
		"in usage of a pod, live": page.View(live),
		"in usage of a node":      page.View(node),
		"in usage, none yet":      page.View(of(pod.Subject.Type, pod.Subject.Shell.Path).Refused("figures", status.Status{Code: 404, Message: s.text()})),
		"in usage, down":          page.View(pod.Refused("figures", status.Status{Code: 503, Message: s.text()})),
		"in usage, forbidden":     page.View(pod.Refused("figures", status.Status{Code: 403, Message: s.text()})),
	}
}
