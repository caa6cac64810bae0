package redact

import (
	"strings"
	"testing"

	song "github.com/fieldmark/fieldmark/kube/object/canary"
)

// What the API's own objects keep secret is taken out of bodies, whole and cut anywhere, if the body says that it is a Secret before the
// cut. Where only the path says so, no body is recorded (package wiretap).
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range song.Documents() {
		if d.Vague || strings.Contains(d.JSON, "PartialObjectMetadata") {
			continue
		}
		for n := len(d.JSON); n > max(0, strings.Index(d.JSON, `"kind"`)); n -= 13 {
			clean, _, _ := Body([]byte(d.JSON[:n]), "application/json", n < len(d.JSON))
			if song.Escapes(string(clean)) {
				t.Errorf("%s, %d of %d bytes: %s", d.Name, n, len(d.JSON), clean)
				break
			}
		}
	}
}
