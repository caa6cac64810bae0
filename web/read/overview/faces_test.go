package overview

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/manager"
)

// A manager that updates objects of several types writes in several API versions. It has one face on the page.
func TestAManagerLooksTheSameBesideEachType(t *testing.T) {
	var m Model
	m.Health = &health.Report{}
	for _, version := range []string{"apps/v1", "v1", "batch/v1"} {
		m.Health.Writes = append(m.Health.Writes, health.Write{Manager: manager.Manager{Name: "kubectl-edit", Operation: manager.Update, APIVersion: version}})
	}
	faces := m.faces()
	for _, w := range m.Health.Writes {
		if got := faces.Of(ofAllVersions(w.Manager)); got.Mark != 0 {
			t.Errorf("in %s it has mark %d", w.Manager.APIVersion, got.Mark)
		}
	}
}
