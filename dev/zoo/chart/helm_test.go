package chart

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

const (
	kubeconfigEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"
	helmEnv       = "FIELDMARK_ZOO_HELM"
	folder        = "../../../deploy/helm/fieldmark"
	release       = "tools"
	name          = "tools-fieldmark" // of the objects of the release
)

// needs skips the test without the programs and the cluster that make test-zoo starts.
func needs(t *testing.T) {
	t.Helper()
	if os.Getenv(kubeconfigEnv) == "" || os.Getenv(helmEnv) == "" {
		t.Skip("needs Helm and a practice cluster: make test-zoo")
	}
}

// values is a file with values in the chart.
func values(name string) string { return filepath.Join(folder, "ci", name+".yaml") }

// call runs a program. What it says is its standard output and its errors.
func call(t *testing.T, stdin, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdin = strings.NewReader(stdin)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

func helm(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return call(t, "", os.Getenv(helmEnv), args...)
}

func kubectl(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	return call(t, stdin, os.Getenv("FIELDMARK_KUBECTL"), append([]string{"--kubeconfig=" + os.Getenv(kubeconfigEnv)}, args...)...)
}

// must ends the test if a program failed.
func must(t *testing.T) func(string, error) string {
	return func(output string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		return output
	}
}

// objects are what the chart renders, by kind and name.
type objects map[string]unstructured.Unstructured

// render renders the chart as helm template does. flags are more flags for Helm.
func render(t *testing.T, namespace, file string, flags ...string) objects {
	t.Helper()
	args := append([]string{"template", release, folder, "--namespace", namespace, "--values", values(file)}, flags...)
	text := must(t)(helm(t, args...))
	all := objects{}
	for d := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096); ; {
		var o unstructured.Unstructured
		err := d.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(o.Object) > 0 {
			all[o.GetKind()+"/"+o.GetName()] = o
		}
	}
}

// at is a value in an object; the path's parts are separated by dots.
func at[T any](t *testing.T, o unstructured.Unstructured, path string) T {
	t.Helper()
	found, ok, err := unstructured.NestedFieldNoCopy(o.Object, strings.Split(path, ".")...)
	value, right := found.(T)
	if err != nil || !ok || !right {
		t.Fatalf("%s %s: %s is %v (%v)", o.GetKind(), o.GetName(), path, found, err)
	}
	return value
}

// room makes a namespace that enforces PodSecurity "restricted", with the Secrets and ConfigMaps that the files of values name.
func room(t *testing.T) string {
	t.Helper()
	namespace := "chart-" + strings.ToLower(rand.Text()[:10])
	must(t)(kubectl(t, "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: "+namespace+"\n  labels:\n"+
		"    pod-security.kubernetes.io/enforce: restricted\n    pod-security.kubernetes.io/warn: restricted\n", "create", "-f", "-"))
	t.Cleanup(func() {
		_, _ = exec.Command(os.Getenv("FIELDMARK_KUBECTL"), "--kubeconfig="+os.Getenv(kubeconfigEnv), "delete", "namespace", namespace, "--wait=false").CombinedOutput()
	})
	for kind, entries := range existing {
		for name, data := range entries {
			args := []string{"create", kind, name, "--namespace=" + namespace}
			if kind == "secret" {
				args = []string{"create", kind, "generic", name, "--namespace=" + namespace}
			}
			for key, value := range data {
				args = append(args, "--from-literal="+key+"="+value)
			}
			must(t)(kubectl(t, "", args...))
		}
	}
	return namespace
}

// existing are the objects that the files of values name, and that the chart doesn't make: kind, name, entries.
var existing = map[string]map[string]map[string]string{
	"secret": {
		"fieldmark-issuer": {"client-secret": "the client's secret", "proxy-secret": "a secret of the proxy, long and random 7Qx2"},
		"fieldmark-keys":   {"now": "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=", "before": "ASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8="},
	},
	"configmap": {"issuer-ca": {"ca.crt": ""}},
}
