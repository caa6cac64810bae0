package request

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestProgramsInGoCompile(t *testing.T) {
	imports := exported(t, "k8s.io/client-go/dynamic", "k8s.io/client-go/discovery", "k8s.io/client-go/tools/clientcmd", "k8s.io/utils/ptr", "sigs.k8s.io/yaml")
	for i, r := range examples {
		text := r.GoClient()
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "main.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%d: %v\n%s", i, err, text)
		}
		config := types.Config{Importer: importer.ForCompiler(fset, "gc", imports)}
		if _, err := config.Check("main", fset, []*ast.File{file}, nil); err != nil {
			t.Errorf("%d: %v\n%s", i, err, text)
		}
	}
}

// exported finds what the compiler knows of packages and of all they import.
func exported(t *testing.T, packages ...string) func(string) (io.ReadCloser, error) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go tool here to compile with")
	}
	list := exec.CommandContext(t.Context(), goTool, append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}, packages...)...)
	// As programs are built: what was compiled for them is at hand, where the race detector's C would have all compiled again.
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	var problems bytes.Buffer
	list.Stderr = &problems
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[name] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

func TestDynamicClientWhereItCanSayAll(t *testing.T) {
	for i, want := range map[int]string{
		0:  `client.RESTClient().Verb("GET").RequestURI("/version")`,
		1:  `client.Resource(resource).Namespace("shop").Get(ctx, "web", metav1.GetOptions{})`,
		2:  `request.SetHeader("Accept", "application/json;as=Table`,
		3:  `metav1.ListOptions{AllowWatchBookmarks: true, ResourceVersionMatch: "NotOlderThan", SendInitialEvents: ptr.To(true), TimeoutSeconds: ptr.To(int64(30)), Watch: true}`,
		4:  `Get(ctx, "web", metav1.GetOptions{}, "scale")`,
		5:  `request.Stream(ctx)`,
		6:  `Create(ctx, object, metav1.CreateOptions{DryRun: []string{"All"}, FieldManager: "it's me", FieldValidation: "Strict"})`,
		8:  `Update(ctx, object, metav1.UpdateOptions{}, "scale")`,
		10: `Patch(ctx, "web", types.ApplyYAMLPatchType, body, metav1.PatchOptions{FieldManager: "me", Force: ptr.To(true)})`,
		14: `Delete(ctx, "web", metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0)), PropagationPolicy: ptr.To(metav1.DeletionPropagation("Foreground"))})`,
		15: `DeleteCollection(ctx, metav1.DeleteOptions{DryRun: []string{"All"}}, metav1.ListOptions{LabelSelector: "app=web"})`,
		16: `Verb("DELETE").RequestURI("/api/v1/namespaces/shop/pods/web")`,
	} {
		if got := examples[i].GoClient(); !strings.Contains(got, want) {
			t.Errorf("%d: no %s in\n%s", i, want, got)
		}
	}
}
