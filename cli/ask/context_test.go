package ask

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/fieldmark/fieldmark/kube/object"
)

// What couldn't be read isn't absent: slow, broken and forbidden are told apart.
func TestUnreadErrorsSayHow(t *testing.T) {
	of := schema.GroupVersion{Group: "metrics.k8s.io", Version: "v1"}
	for want, err := range map[string]error{
		"the API server failed to list the types of metrics.k8s.io/v1 (the server is currently unable to handle the request); see kubectl get apiservice v1.metrics.k8s.io": apierrors.NewServiceUnavailable("the server is currently unable to handle the request"),
		"the API server is too slow to list the types of metrics.k8s.io/v1 (context deadline exceeded); see kubectl get apiservice v1.metrics.k8s.io":                       &url.Error{Op: "Get", URL: "https://10.0.0.1/apis", Err: context.DeadlineExceeded},
		"you have no permission to list the types of metrics.k8s.io/v1 (forbidden: no)":                                                                                     apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("no")),
	} {
		if got := (&UnreadError{of, err}).Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A context that isn't there is looked for in files that the error names, if there are several.
func TestTheFilesWithoutAContextAreNamed(t *testing.T) {
	var files []string
	for _, name := range []string{"one", "two"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte("contexts: [{name: "+name+", context: {cluster: kubernetes}}]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for kubeconfig, want := range map[string]string{
		files[0]: `the kubeconfig has no context "nowhere"; it has one`,
		strings.Join(files, string(filepath.ListSeparator)): `the kubeconfig (` + files[0] + ", " + files[1] + `) has no context "nowhere"; it has one, two`,
	} {
		t.Setenv("KUBECONFIG", kubeconfig)
		flags := genericclioptions.NewConfigFlags(true)
		*flags.Context = "nowhere"
		err := New(flags).Objects(t.Context(), Which{}, nil, []string{"pods"}, func(object.Object) error { return nil })
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
