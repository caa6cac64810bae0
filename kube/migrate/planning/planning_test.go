package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

var (
	configMaps = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: []string{"list", "get", "patch"}}
	secrets    = discovery.Type{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Verbs: []string{"list", "get", "patch"}}
)

const (
	byHelm = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"shop","labels":{"app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"web","meta.helm.sh/release-namespace":"shop"},
		"managedFields":[{"manager":"helm","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]}}`
	applied = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"done","namespace":"shop","annotations":{"meta.helm.sh/release-name":"web","meta.helm.sh/release-namespace":"shop"},"labels":{"app.kubernetes.io/managed-by":"Helm"},
		"managedFields":[{"manager":"helm","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]}}`
	copied = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"copy","namespace":"shop","labels":{"app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"web"},
		"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"a","uid":"1"}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]}}`
	nobodys = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"plain","namespace":"shop"}}`
	release = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"sh.helm.release.v1.web.v2","namespace":"shop","labels":{"owner":"helm","status":"deployed"}}}`
	older   = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"sh.helm.release.v1.web.v1","namespace":"shop","labels":{"owner":"helm","status":"superseded"}}}`
)

func named(t *testing.T, text string) check.Document {
	t.Helper()
	documents := source.Parse(text).Documents
	if len(documents) != 1 {
		t.Fatalf("%d documents", len(documents))
	}
	return check.Document{File: "a.yaml", Source: documents[0], Namespace: "shop"}
}

func TestTakeFindsWhatToolsOwn(t *testing.T) {
	p := New(discovery.Catalog{}, Send{}, nil)
	for _, raw := range []string{byHelm, byHelm, applied, copied, nobodys, "{"} {
		p.Take(configMaps, []byte(raw))
	}
	p.Take(secrets, []byte(release))
	p.Take(secrets, []byte(older))
	if len(p.Candidates) != 1 || p.Candidates[0].Owner.Words() != "Helm shop/web" || p.Done != 1 || p.More != 0 {
		t.Errorf("%+v, %d done", p.Candidates, p.Done)
	}
	if len(p.Releases) != 1 || p.Releases[0] != "/api/v1/namespaces/shop/secrets/sh.helm.release.v1.web.v2" {
		t.Errorf("%v", p.Releases)
	}
	for i := range MostPredicted + 3 {
		p.Take(configMaps, []byte(strings.Replace(byHelm, `"name":"web"`, fmt.Sprintf(`"name":"web-%d"`, i), 1)))
	}
	if len(p.Candidates) != MostPredicted || p.More != 4 {
		t.Errorf("%d candidates, %d more", len(p.Candidates), p.More)
	}
}

// A plan about files has all of their objects, also those that need nothing, and no others.
func TestTakeOfFiles(t *testing.T) {
	p := New(discovery.Catalog{}, Send{}, []check.Document{
		named(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n"), named(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: done}\n"), named(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: away}\n"),
	})
	for _, raw := range []string{byHelm, applied, nobodys} {
		p.Take(configMaps, []byte(raw))
	}
	if len(p.Candidates) != 2 || p.Done != 0 || strings.Join(p.Lacking(), ",") != "ConfigMap shop/away" {
		t.Errorf("%+v, lacking %v", p.Candidates, p.Lacking())
	}
	if !p.Wants(configMaps) || p.Wants(secrets) {
		t.Error("wants other types than the files have")
	}
}

// The manifest of a Secret is neither taken from a release nor tried.
func TestSecretsArentTried(t *testing.T) {
	asked := 0
	p := New(discovery.Catalog{}, Send{Ask: func(context.Context, check.Ask) (check.Response, error) {
		asked++
		return check.Response{}, nil
	}}, nil)
	d := named(t, "apiVersion: v1\nkind: Secret\nmetadata: {name: login}\n")
	planned := 0
	for _, document := range canary.Documents() {
		read, err := object.Parse([]byte(document.JSON))
		if err != nil || !object.Holds(read.APIVersion(), read.Kind()) {
			continue
		}
		planned++
		of := discovery.Type{Version: "v1", Resource: "secrets", Kind: read.Kind()}
		o := p.Predict(t.Context(), Candidate{Type: of, Meta: read.Fields, Owner: migrate.ByHand(read.Fields), source: migrate.Stored, stated: &d}, nil, time.Time{})
		said, err := json.Marshal(o)
		if err != nil || o.Manifest != migrate.Unknown || o.Verdict != migrate.Decision || asked != 0 || canary.Escapes(string(said)) {
			t.Errorf("%s: %s after %d requests (%v)", document.Name, said, asked, err)
		}
	}
	if planned == 0 {
		t.Error("no document is a Secret")
	}
}

// What can't be read is said, and holds up nothing.
func TestWhatCannotBeReadIsSaid(t *testing.T) {
	no := &status.Status{Code: status.CodeForbidden, Message: "no"}
	p := New(discovery.Catalog{}, Send{
		Get:  func(context.Context, string, string) ([]byte, *status.Status) { return nil, no },
		Type: func(schema.Kind) (discovery.Type, error) { return discovery.Type{}, context.DeadlineExceeded },
	}, []check.Document{named(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n")})
	p.Take(configMaps, []byte(byHelm))
	p.ReadRelease(t.Context(), "/api/v1/namespaces/shop/secrets/a")
	if len(p.Missing) != 1 || !strings.Contains(p.Missing[0], "/api/v1/namespaces/shop/secrets/a could not be read: ") {
		t.Errorf("%q", p.Missing)
	}
	if o := p.Predict(t.Context(), p.Candidates[0], nil, time.Time{}); o.Verdict != migrate.Decision || !strings.HasPrefix(o.Why, "The type of the manifest could not be found: ") {
		t.Errorf("%+v", o)
	}
}
