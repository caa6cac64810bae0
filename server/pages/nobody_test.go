package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// A page that reached somebody without a session all the same would name no cluster.
func TestNobodyIsToldWhichClustersThereAre(t *testing.T) {
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(kubeconfig(t, map[string]string{"treasure": "http://127.0.0.1:1"}), cluster.FromKubeconfig))
	for who, told := range map[string]bool{"": false, "browser-1": true} {
		s := newSite(t, clusters, func(o *Options) { o.Session = func(*http.Request) string { return who } })
		for _, address := range []string{"/nowhere", "/c/other"} {
			if got := s.want(http.StatusNotFound, address); strings.Contains(got.body, "treasure") != told {
				t.Errorf("%s for %q: %s", address, who, got.body)
			}
		}
	}
}
