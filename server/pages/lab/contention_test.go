package lab

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

func TestVersionsOfAGroupThatCouldNotBeReadAreTakenToBeServed(t *testing.T) {
	serves := served(discovery.Catalog{
		Groups:   []discovery.Group{{Versions: []discovery.Version{{Name: "v1"}}}, {Name: "apps", Versions: []discovery.Version{{Name: "v1"}}}},
		Failures: []discovery.Failure{{Group: "metrics.k8s.io", Version: "v1beta1"}},
	})
	for version, want := range map[string]bool{"v1": true, "apps/v1": true, "apps/v1beta2": false, "gone.example.com/v1": false, "metrics.k8s.io/v1": true} {
		if serves(version) != want {
			t.Errorf("%s is served: %v", version, !want)
		}
	}
}
