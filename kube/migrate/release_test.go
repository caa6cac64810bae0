package migrate

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// secretOf is a Secret as Helm stores a release: JSON, compressed, and as base64 twice.
func secretOf(t testing.TB, text []byte, compressed bool) []byte {
	t.Helper()
	if compressed {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(text); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
	secret, err := json.Marshal(map[string]any{"kind": "Secret", "data": map[string]any{"release": []byte(base64.StdEncoding.EncodeToString(text))}})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

const stored = `{"name":"web","namespace":"shop","version":3,"config":{"password":"s3cret"},"chart":{},"manifest":"---\n# Source: web/a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {x: \"1\"}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  labels: {app: web}\n---\n{{ broken\n"}`

func TestStoredReleases(t *testing.T) {
	for _, compressed := range []bool{true, false} {
		r, err := ReadRelease(secretOf(t, []byte(stored), compressed))
		if err != nil || r.Name != "web" || r.Version != 3 || r.Method() != "client-side" {
			t.Fatal(err, r)
		}
		all := r.Documents()
		if len(all) != 2 || all[0].Name != "a" || all[1].Name != "b" {
			t.Fatalf("%+v", all)
		}
		for _, path := range []string{".metadata.labels.app.kubernetes.io/managed-by", ".metadata.annotations.meta.helm.sh/release-name", ".metadata.annotations.meta.helm.sh/release-namespace"} {
			if len(all[1].Find(path)) != 1 || len(all[0].Find(path)) != 1 {
				t.Errorf("%s is missing: %s", path, all[1].Text)
			}
		}
	}
	if r, err := ReadRelease(secretOf(t, []byte(`{"name":"web","apply_method":"ssa"}`), true)); err != nil || r.Method() != "server-side" {
		t.Error(err, r)
	}
}

func TestWhatIsNoRelease(t *testing.T) {
	for name, secret := range map[string][]byte{
		"nothing": nil, "no JSON": []byte("{"), "no data": []byte(`{"data":{}}`), "no base64": []byte(`{"data":{"release":"IUBA"}}`),
		"no gzip": secretOf(t, []byte{0x1f, 0x8b, 1, 2, 3}, false), "another JSON": secretOf(t, []byte(`["s3cret"]`), true), "no name": secretOf(t, []byte(`{"manifest":"s3cret"}`), true),
	} {
		if _, err := ReadRelease(secret); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Error(name, err)
		}
	}
	if _, err := ReadRelease(secretOf(t, bytes.Repeat([]byte(" "), MostRelease+1), true)); err == nil || !strings.Contains(err.Error(), "more than 10 MB") {
		t.Error(err)
	}
}
