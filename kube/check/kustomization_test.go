package check

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

// A misspelt field or kind has a suggestion.
func TestMisspeltFieldsAndKinds(t *testing.T) {
	misspelt := judged{
		text: deployment + "  replcas: 3\n", manager: "me", schema: `{"replicas":{"type":"integer"},"paused":{"type":"boolean"}}`,
		plain: no(422, status.Invalid, "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.replcas: field not declared in schema"),
	}
	for name, want := range map[string]string{"replcas": "field not declared in schema. Did you mean replicas?", "wholly": "field not declared in schema"} {
		c := misspelt
		c.text, c.plain = strings.ReplaceAll(c.text, "replcas", name), no(422, status.Invalid, strings.ReplaceAll(c.plain.Message, "replcas", name))
		found := Judge(c.input(t))
		if len(found) == 0 || found[0].Path != ".spec."+name || !strings.HasSuffix(found[0].Why, want) {
			t.Errorf("%+v", found)
		}
	}
	c := judged{text: strings.Replace(deployment, "kind: Deployment", "kind: Deploymnet", 1), manager: "me", unserved: true}
	in, contents := c.input(t)
	in.Kinds = []string{"DaemonSet", "Deployment"}
	if found := Judge(in, contents); len(found) != 1 || !strings.HasSuffix(found[0].Why, " Did you mean Deployment?") {
		t.Errorf("%+v", found)
	}
}

// A file of kustomize is no manifest, and no request is made for it.
func TestKustomizationsAreNoManifests(t *testing.T) {
	const full = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n"
	for _, c := range []struct {
		file, text, folder string // folder is empty for a manifest
	}{
		{"over/a b/kustomization.yaml", "resources: [a.yaml]\n", "'over/a b'"},
		{"kustomization.yml", "resources: [a.yaml]\n", "."},
		{`over\prod\Kustomization`, "resources: [a.yaml]\n", "over/prod"},
		{"parts/logging.yaml", strings.Replace(full, "Kustomization", "Component", 1), "parts"},
		{"-", full, "FOLDER"},
		{"over/kustomization.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", ""},
		{"over/kustomization.yaml", "resources: [\n", ""},
		{"over/web.yaml", "resources: [a.yaml]\n", ""},
		{"flux.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n", ""},
	} {
		d := documents(c.file, c.text)[0]
		found := Judge(Input{Document: d, Manager: "me", Live: Response{No: notFound}, Plain: Response{No: notFound}}, ContentsOf(nil))
		if len(found) == 0 {
			t.Fatalf("%+v: nothing is found", c)
		}
		if c.folder == "" {
			if strings.Contains(found[0].Why, "a file of kustomize") {
				t.Errorf("%+v: %s", c, found[0].Why)
			}
			continue
		}
		if len(found) != 1 || found[0].Kind != Invalid || !strings.Contains(found[0].Why, "This is a file of kustomize, not a manifest.") || !strings.Contains(found[0].Why, "check -k "+c.folder+". ") || d.Askable() {
			t.Errorf("%+v: %+v", c, found)
		}
	}
}
