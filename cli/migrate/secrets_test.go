package migrate

import (
	"bytes"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/migrate/planning"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// No manifest of a Secret is taken from its annotation or from a release, no request is made for it, and no value is printed.
func TestSecretsArePlannedByTheirMetadataAlone(t *testing.T) {
	planned := 0
	for _, document := range canary.Documents() {
		o, err := object.Parse([]byte(document.JSON))
		if err != nil || !object.Holds(o.APIVersion(), o.Kind()) {
			continue
		}
		c := planning.Candidate{Type: discovery.Type{Version: "v1", Resource: "secrets", Kind: o.Kind()}, Meta: o.Fields, Owner: migrate.ByHand(o.Fields)}
		one := planning.New(discovery.Catalog{}, planning.Send{}, nil).Predict(t.Context(), c, nil, time.Time{})
		if one.Manifest != migrate.Unknown || one.Verdict != migrate.Decision {
			t.Errorf("%s: %+v", document.Name, one)
		}
		for format, write := range outputs {
			var b bytes.Buffer
			r := migrate.Report{Clusters: []migrate.Cluster{migrate.Cluster{Objects: []migrate.Object{one}}.Counted()}}
			if err := write(printing{ways: true}, &b, r); err != nil || canary.Escapes(b.String()) {
				t.Errorf("%s as %s: %v %s", document.Name, format, err, b.String())
			}
		}
		planned++
	}
	if planned == 0 {
		t.Error("no document is a Secret")
	}
}
