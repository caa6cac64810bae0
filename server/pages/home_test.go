package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/practice"
)

func TestHomeSaysWhichPartOfThePracticeClusterStopped(t *testing.T) {
	const died = "kube-scheduler stopped by itself (signal: killed) and starts again"
	progress := practice.Progress{APIReady: true, Ready: true, Steps: []practice.Step{{Name: "controllers", State: practice.Done}}}
	s := newSite(t, cluster.New(cluster.Options{}), func(o *Options) { o.Practice = func() practice.Progress { return progress } })
	if p := s.want(http.StatusOK, "/"); strings.Contains(p.main(), "stopped") {
		t.Error("it says that something stopped")
	}
	progress.Steps[0] = practice.Step{Name: "controllers", State: practice.Restarting, Message: died}
	s.want(http.StatusOK, "/").says("A part of the practice cluster stopped", "Kube-scheduler stopped by itself", "starts this part again").inert()
}
