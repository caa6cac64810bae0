package explain

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/refusal"
)

const conflict = "Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: " +
	`conflict with "ku|be\n\u001b[31mctl" with subresource "scale" using apps/v1 at 2026-11-22T10:00:00Z: .spec.replicas` + "\n\nmore\x1b[2J\n"

func printed(t *testing.T, form, said string) string {
	t.Helper()
	var b bytes.Buffer
	answer := inquiry.New(refusal.Read(t.Context(), said), inquiry.Options{}).Answer()
	if err := outputs[form](&b, result{answer, time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), 0}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	const want = `Conflict (409), by Helm
  An apply for Deployment shop/web as helm was refused: it would change fields that ku|be··[31mctl (Update, scale) owns.
  With server-side apply, the managers that set a field own it. An apply can change a field of another manager only by force.

Object
  Deployment shop/web (apps/v1)

Fields
  .spec.replicas
      ku|be··[31mctl (Update, scale), last wrote 120m ago (2026-11-22T10:00:00Z)
      On the server, the field has another value, owned by ku|be··[31mctl (Update, scale). The API server refuses the apply, unless it is forced. The owner will probably write its value again. ku|be··[31mctl writes to the subresource scale, as controllers do.

Ways out
  give-up:
      delete .spec.replicas
  overwrite:
      helm upgrade RELEASE CHART -n shop --server-side=true --force-conflicts
  rule:
`
	got := printed(t, "text", conflict)
	if !strings.HasPrefix(got, want) || strings.ContainsAny(got, "\x1b\r") || !strings.HasSuffix(got, "\nNot understood\n  more\n") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Without a cluster or a manifest, no way out of an invalid object is tried, and every output says so.
func TestWaysThatWereNotTriedAreMarked(t *testing.T) {
	const invalid = `The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable`
	for form, want := range map[string][]string{
		"text": {"  share (not tried):\n", "  recreate (not tried):\n"}, "markdown": {"**share (not tried)**", "**recreate (not tried)**"}, "json": {`"notTried": true`}, "yaml": {"notTried: true"},
	} {
		for _, one := range want {
			if got := printed(t, form, invalid); !strings.Contains(got, one) {
				t.Errorf("%q isn't in\n%s", one, got)
			}
		}
	}
}

// Of 120 owners of a field, a text names three and counts the others. JSON has all of them.
func TestManyOwners(t *testing.T) {
	var said strings.Builder
	said.WriteString("error: Apply failed with 120 conflicts:")
	for i := range 120 {
		fmt.Fprintf(&said, " conflicts with \"build-%d\":\n- .spec.replicas\n", i+1)
	}
	const named = "build-1 (Apply), build-2 (Apply), build-3 (Apply) and 117 more"
	for _, form := range []string{"text", "markdown"} {
		got := printed(t, form, said.String())
		if !strings.Contains(got, "it would change fields that "+named+" own.") || !strings.Contains(got, "and 117 more (120 of them are named like build-") ||
			strings.Contains(got, "build-4") || !strings.Contains(got, "--field-manager=build.") {
			t.Error(got)
		}
	}
	if got := printed(t, "json", said.String()); strings.Count(got, `"manager": "build-`) != 120 {
		t.Error(got)
	}
}

func TestMarkdown(t *testing.T) {
	got := printed(t, "markdown", conflict)
	if !strings.HasPrefix(got, "### Conflict (409), by Helm\n") || strings.Contains(got, "\x1b") || !strings.Contains(got, "\n**give-up**\n\n```text\ndelete .spec.replicas\n```\n") {
		t.Error(got)
	}
	for line := range strings.Lines(got) {
		if bars := strings.Count(line, "|") - strings.Count(line, `\|`); strings.HasPrefix(line, "|") && bars != 6 {
			t.Errorf("%d bars: %s", bars, line)
		}
	}
}

func TestForScripts(t *testing.T) {
	for _, said := range []string{"", "nothing of a server", conflict, conflict + conflict, conflict + "\n\n" + `Error from server (NotFound): pods "a" not found` + "\n\nmore"} {
		schematest.Valid(t, "explanation.v1.json", []byte(printed(t, "json", said)))
	}
	if got := printed(t, "json", conflict); !strings.HasPrefix(got, "{\n  \"apiVersion\": \"fieldmark.dev/v1\",\n  \"kind\": \"Explanation\",\n  \"reason\": \"Conflict\",\n  \"code\": 409,\n") {
		t.Error(got)
	}
	if got := printed(t, "yaml", conflict+`Error from server (NotFound): pods "a" not found`); !strings.HasPrefix(got, "apiVersion: fieldmark.dev/v1\nitems:\n- apiVersion: fieldmark.dev/v1\n") || !strings.Contains(got, "\nkind: ExplanationList\n") {
		t.Error(got)
	}
}

// A text of which only a part is read fails, whatever is understood of it.
func TestAPartOfATextFails(t *testing.T) {
	streams, in, out, _ := genericiooptions.NewTestIOStreams()
	in.WriteString(conflict + strings.Repeat("x", refusal.MaxText))
	c := New("fieldmark", nil, streams)
	c.SetArgs([]string{"--offline"})
	if err := c.ExecuteContext(t.Context()); !errors.Is(err, errPartly) || !strings.Contains(out.String(), "only its beginning was read") || !strings.Contains(out.String(), ".spec.replicas") {
		t.Errorf("%v\n%.2000s", err, out)
	}
}
