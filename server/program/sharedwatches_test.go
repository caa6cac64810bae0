package program

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/settings"
)

// TestTwoSessions_WhichGroupsAreShared: aggregated groups never are, unless somebody names them.
func TestTwoSessions_WhichGroupsAreShared(t *testing.T) {
	s := &settings.Settings{ShareWatches: true, ShareGroups: []string{"example.com"}, Clusters: map[string]settings.Cluster{"filtered": {OwnWatches: true}}}
	for _, c := range []struct {
		slug, group string
		want        bool
	}{
		{"home", "", true},
		{"home", "apps", true},
		{"home", "rbac.authorization.k8s.io", true},
		{"home", "example.com", true},
		{"home", "metrics.k8s.io", false},
		{"home", "custom.metrics.k8s.io", false},
		{"home", "project.openshift.io", false},
		{"home", "other.example.com", false},
		{"filtered", "", false},
		{"filtered", "example.com", false},
	} {
		if got := sharing(s)(c.slug, c.group); got != c.want {
			t.Errorf("%q of %s: shared: %v", c.group, c.slug, got)
		}
	}
	if sharing(&settings.Settings{}) != nil {
		t.Error("watches are shared without --share-watches")
	}
}

// TestSharingIsCounted: the metrics exist only where watches are shared.
func TestSharingIsCounted(t *testing.T) {
	for args, want := range map[string]bool{"": false, "--share-watches": true} {
		f := startShared(t, strings.Fields(args)...)
		if got := strings.Contains(f.metrics(), `fieldmark_shared_watch_checks_total{result="granted"} 0`); got != want {
			t.Errorf("with %q, sharing is counted: %v", args, got)
		}
	}
}
