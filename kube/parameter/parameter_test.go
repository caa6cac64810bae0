package parameter

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

func names(all []Parameter) string {
	var words []string
	for _, p := range all {
		words = append(words, p.Name)
	}
	return strings.Join(words, " ")
}

func TestParametersOfVerbs(t *testing.T) {
	const selectors, writes = "labelSelector fieldSelector", "dryRun fieldManager fieldValidation"
	const deletes = "dryRun propagationPolicy gracePeriodSeconds orphanDependents ignoreStoreReadErrorWithClusterBreakingPotential"
	for _, test := range []struct{ verb, path, media, want string }{
		{"get", "/api/v1/nodes/a", "", "resourceVersion pretty"},
		{"get", "/api/v1/namespaces/a/pods/b/log", "", "container follow tailLines previous sinceSeconds sinceTime timestamps limitBytes stream insecureSkipTLSVerifyBackend pretty"},
		{"get", "/api/v1/namespaces/a/pods/b/exec", "", "command container stdin stdout stderr tty pretty"},
		{"list", "/api/v1/pods", "", "limit continue " + selectors + " resourceVersion resourceVersionMatch timeoutSeconds watch pretty"},
		{"list", "/api/v1/pods", "Table", "limit continue " + selectors + " resourceVersion resourceVersionMatch timeoutSeconds includeObject watch pretty"},
		{"watch", "/api/v1/pods", "", "watch resourceVersion sendInitialEvents allowWatchBookmarks resourceVersionMatch timeoutSeconds " + selectors + " pretty"},
		{"create", "/api/v1/pods", "", writes + " pretty"},
		{"update", "/api/v1/nodes/a", "", writes + " pretty"},
		{"patch", "/api/v1/nodes/a", "merge", writes + " pretty"},
		{"patch", "/api/v1/nodes/a", "apply", writes + " force pretty"},
		{"delete", "/api/v1/nodes/a", "", deletes + " pretty"},
		{"deletecollection", "/api/v1/pods", "", selectors + " limit resourceVersion " + deletes + " pretty"},
		{"get", "/readyz", "", "verbose exclude"},
		{"get", "/apis/apps/v1", "", "timeout"},
		{"get", "/version", "", ""},
		{"", "/api/v1/pods", "", ""},
	} {
		p, err := apipath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(For(test.verb, p, test.media)); got != test.want {
			t.Errorf("%s %s %s:\n got %s\nwant %s", test.verb, test.path, test.media, got, test.want)
		}
	}
}

func TestEveryParameterSaysWhatItDoes(t *testing.T) {
	p := apipath.Object("", "v1", "a", "pods", "b")
	for _, verb := range []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"} {
		seen := map[string]bool{}
		for _, one := range For(verb, p, "apply") {
			if seen[one.Name] || !strings.HasSuffix(one.Means, ".") || (one.Form == Choice) != (len(one.Values) > 0) || one.Note != "" && !strings.HasSuffix(one.Note, ".") {
				t.Errorf("%s: %+v", verb, one)
			}
			seen[one.Name] = true
		}
	}
}
