package logs

import (
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
)

// A log without lines says why, in words for people.
func TestState(t *testing.T) {
	exit := &podlog.Exit{Code: 1, Reason: "Error"}
	initial := podlog.Container{Name: "setup", Sort: podlog.Init, Running: start}
	for _, c := range []struct {
		name      string
		pod       podlog.Pod
		container podlog.Container
		o         Options
		no        *status.Status
		tone      components.Tone
		want      string
	}{
		{"not scheduled", podlog.Pod{Why: "Unschedulable: 0/3 nodes"}, podlog.Container{}, Options{}, nil, components.Warn, "not scheduled: Unschedulable: 0/3 nodes"},
		{"before it is scheduled", podlog.Pod{}, podlog.Container{}, Options{}, nil, components.Busy, "not scheduled yet"},
		{"evicted", podlog.Pod{Node: "n", Why: "The node was low on memory."}, podlog.Container{}, Options{}, nil, components.Bad, "never started: The node was low on memory."},
		{"being created", podlog.Pod{Node: "n"}, podlog.Container{Waiting: "ContainerCreating"}, Options{}, nil, components.Busy, "waiting: ContainerCreating"},
		{"no image", podlog.Pod{Node: "n"}, podlog.Container{Waiting: "ImagePullBackOff", Message: "back-off"}, Options{}, nil, components.Bad, "waiting: ImagePullBackOff: back-off"},
		{"init", podlog.Pod{Node: "n", Containers: []podlog.Container{initial}}, podlog.Container{Waiting: "PodInitializing"}, Options{}, nil, components.Busy, "waiting for the init container setup"},
		{"crashes", podlog.Pod{Node: "n"}, podlog.Container{Waiting: "CrashLoopBackOff", Before: exit}, Options{}, nil, components.Bad, "crashes and waits to start again, last exit code 1 (Error)"},
		{"ended", podlog.Pod{Node: "n"}, podlog.Container{Ended: &podlog.Exit{Reason: "Completed"}}, Options{}, nil, components.Calm, "ended: exit code 0 (Completed)"},
		{"killed", podlog.Pod{Node: "n"}, podlog.Container{Ended: &podlog.Exit{Code: 137, Signal: 9}}, Options{}, nil, components.Bad, "ended: signal 9"},
		{"no previous run", podlog.Pod{Node: "n"}, running("c"), Options{Previous: true}, nil, components.Calm, "no previous run: the container never restarted"},
		{"not followed", podlog.Pod{Node: "n"}, running("c"), Options{Still: true}, nil, components.Calm, "running, not followed"},
		{
			"forbidden",
			podlog.Pod{Node: "n"},
			running("c"),
			Options{},
			&status.Status{Code: 403, Reason: status.Forbidden, Message: `pods "a" is forbidden: User "u" cannot get resource "pods/log" in API group "" in the namespace "shop"`},
			components.Bad, "no permission to get pods/log",
		},
	} {
		s := source{pod: c.pod, container: c.container, no: c.no}
		if tone, got := s.state(c.o, time.Time{}); got != c.want || tone != c.tone {
			t.Errorf("%s: %s %q, want %s %q", c.name, tone, got, c.tone, c.want)
		}
	}
}
