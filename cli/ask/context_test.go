package ask

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/fieldmark/fieldmark/kube/object"
)

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
