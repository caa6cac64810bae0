package shell

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	m := Model{Subject: subject.Subject{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Object("", "v1", "shop", "pods", "web"))}, Type: s.PodType(), View: views.Shell, Now: pagetest.Now}}
	m.Subject.Shell.ReadOnly = false
	m.Subject.Object = object.Object{Fields: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": s.String(), "namespace": "shop"},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": s.String(), "image": s.String(), "ports": []any{map[string]any{"name": s.String(), "containerPort": json.Number("80"), "protocol": "TCP"}, map[string]any{"containerPort": json.Number("53"), "protocol": s.String()}},
		}}},
		"status": map[string]any{"containerStatuses": []any{map[string]any{"name": s.String(), "state": map[string]any{"waiting": map[string]any{"reason": s.String()}}}}},
	}}
	empty, only, debug, attach := m, m, m, m
	empty.Subject.Object = object.Object{Fields: map[string]any{"apiVersion": "v1", "kind": "Pod"}}
	only.Subject.Shell.ReadOnly = true
	only.Choice = ParseChoice(url.Values{"command": {s.String()}, "container": {s.String()}})
	debug.Choice = ParseChoice(url.Values{"how": {"debug"}, "image": {s.String()}, "name": {s.String()}, "target": {s.String()}})
	attach.Choice = ParseChoice(url.Values{"how": {"attach"}})
	return map[string]page.Page{
		"in a shell": m, "in a shell, no containers": empty, "in a shell, read only": only, "in a shell, debug": debug, "in a shell, attach": attach,
	}
}
