package removal

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
)

func TestTable(t *testing.T) {
	table, err := Of()
	if err != nil {
		t.Fatal(err)
	}
	if table.MadeFor != 37 {
		t.Errorf("the table is for %s", table.MadeFor)
	}
	for _, test := range []struct {
		group, version, kind string
		removed              release.Version
		replacement          string
	}{
		{"extensions", "v1beta1", "Deployment", 16, "apps/v1"},
		{"networking.k8s.io", "v1beta1", "Ingress", 22, "networking.k8s.io/v1"},
		{"networking.k8s.io", "v1beta1", "IngressClass", 22, "networking.k8s.io/v1"},
		{"apps", "v1beta1", "Scale", 16, "autoscaling/v1"},
		{"autoscaling", "v2beta1", "HorizontalPodAutoscaler", 25, "autoscaling/v2"},
		{"autoscaling", "v2beta2", "HorizontalPodAutoscaler", 26, "autoscaling/v2"},
		{"policy", "v1beta1", "PodSecurityPolicy", 25, ""},
		{"batch", "v1beta1", "CronJob", 25, "batch/v1"},
		{"flowcontrol.apiserver.k8s.io", "v1beta3", "FlowSchema", 32, "flowcontrol.apiserver.k8s.io/v1"},
		{"storage.k8s.io", "v1beta1", "VolumeAttributesClass", 37, "storage.k8s.io/v1"},
		{"resource.k8s.io", "v1beta1", "ResourceClaim", 38, ""},
	} {
		r, found := table.Find(test.group, test.version, test.kind)
		if !found || r.Removed != test.removed || r.Replacement != test.replacement || r.Source == "" {
			t.Errorf("%s/%s %s: %v %+v", test.group, test.version, test.kind, found, r)
		}
	}
	for _, stays := range []Removal{{Group: "apps", Version: "v1", Kind: "Deployment"}, {Version: "v1", Kind: "Pod"}, {Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler"}} {
		if r, found := table.Find(stays.Group, stays.Version, stays.Kind); found {
			t.Errorf("%s %s stays, and the table has %+v", stays.APIVersion(), stays.Kind, r)
		}
	}
	if !table.Knows(37) || !table.Knows(16) || table.Knows(38) || table.Knows(0) {
		t.Error("the table must know what it can't tell")
	}
}

// Each row is whole: a kind, and releases in their order.
func TestRowsAreWhole(t *testing.T) {
	table, err := Of()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(table.All()); n < 100 {
		t.Errorf("%d rows", n)
	}
	for _, r := range table.All() {
		if r.Group == "" || r.Version == "" || r.Kind == "" || strings.HasSuffix(r.Kind, "List") || !r.Deprecated.Known() || !r.Removed.Known() || r.Removed <= r.Deprecated {
			t.Errorf("%+v", r)
		}
		if strings.HasSuffix(r.Replacement, "List") || r.Replacement == r.APIVersion() {
			t.Errorf("%+v: the replacement", r)
		}
	}
}

func TestRowsThatCannotBeRead(t *testing.T) {
	table := Table{rows: map[key]Removal{}}
	if err := table.read("a\tb\tc\n"); err == nil {
		t.Error("a row with three cells is no row")
	}
}
