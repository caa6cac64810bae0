package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/source/inputs"
)

// blame reads what check and kubectl read, which package promises compares. It needs no cluster, so a namespace that kubectl refuses is no mistake for it.
func TestBlameReadsInputAsKubectlDoes(t *testing.T) {
	for name, c := range inputs.All() {
		if c.Namespaced {
			continue
		}
		_, out, errs := run(t, "fieldmark", c.Text, "blame", "-f", "-", "-o", "json")
		var names, said []string
		for _, found := range regexp.MustCompile(`"name": "([^"]+)"`).FindAllStringSubmatch(out, -1) {
			names = append(names, found[1])
		}
		for line := range strings.Lines(errs) {
			if !strings.Contains(line, "has no managedFields") {
				said = append(said, line)
			}
		}
		if fails := c.Refuses || c.Says != ""; !c.Refuses && strings.Join(names, " ") != c.Applied || (len(said) > 0) != fails || !strings.Contains(errs, c.Says) {
			t.Errorf("%s: %q %q", name, names, said)
		}
	}
}

// What was read earlier may have no name, such as the template of a pod.
func TestBlameOfAnObjectWithoutAName(t *testing.T) {
	code, out, errs := run(t, "fieldmark", "apiVersion: v1\nkind: Pod\nmetadata:\n  managedFields:\n  - {manager: ada, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:nodeName': {}}}}\nspec: {nodeName: a}\n", "blame", "-f", "-")
	if code != 0 || !strings.Contains(out, "nodeName: a") || !strings.Contains(out, "ada") || errs != "" {
		t.Errorf("%d: %s%s", code, out, errs)
	}
}

func TestKubectlAsksForCompletions(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"bin/kubectl_complete-fieldmark blame x", "__complete blame x"},
		{"fieldmark blame x", "blame x"},
		{"fieldmark", ""},
	} {
		if got := strings.Join(Args(strings.Fields(c.line)), " "); got != c.want {
			t.Errorf("%s: %q", c.line, got)
		}
	}
}

func TestWithoutAKubeconfig(t *testing.T) {
	const fine = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	if code, out, errs := run(t, "fieldmark", fine, "check", "-f", "-"); code != 2 || out != "" || !strings.Contains(errs, "no kubeconfig") || strings.Count(errs, "\n") != 1 {
		t.Errorf("no kubeconfig: %d\n%s\n%s", code, out, errs)
	}
}
