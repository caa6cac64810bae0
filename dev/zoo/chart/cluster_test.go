package chart

import (
	"encoding/base64"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// installs installs or upgrades the release in a namespace, server-side. Helm says at the end what it created.
func installs(t *testing.T, namespace, file string, flags ...string) (string, error) {
	t.Helper()
	return helm(t, append([]string{
		"upgrade", "--install", release, folder, "--server-side=true", "--namespace", namespace, "--values", values(file),
		"--kubeconfig", os.Getenv(kubeconfigEnv),
	}, flags...)...)
}

// removed uninstalls the release after the test: some of its objects are in no namespace.
func removed(t *testing.T, namespace string) {
	t.Helper()
	t.Cleanup(func() {
		_, _ = exec.Command(os.Getenv(helmEnv), "uninstall", release, "--namespace", namespace, "--no-hooks", "--kubeconfig", os.Getenv(kubeconfigEnv)).CombinedOutput()
	})
}

// crds makes the cluster serve the types that it lacks.
func crds(t *testing.T) {
	t.Helper()
	must(t)(kubectl(t, "", "apply", "--server-side", "-f", "testdata/crds.yaml"))
	must(t)(kubectl(t, "", "wait", "--for=condition=Established", "--timeout=60s", "-f", "testdata/crds.yaml"))
}

// TestTheClusterTakesIt installs each file of values with the real Helm. The namespace enforces PodSecurity "restricted".
func TestTheClusterTakesIt(t *testing.T) {
	needs(t)
	crds(t)
	for file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			namespace := room(t)
			removed(t, namespace)
			said := must(t)(installs(t, namespace, file))
			if strings.Contains(said, "PodSecurity") || strings.Contains(said, "unknown field") || !strings.Contains(said, "Address:") {
				t.Errorf("Helm says: %s", said)
			}
			all := render(t, namespace, file)
			must(t)(kubectl(t, podOf(t, all["Deployment/"+name], nil), "create", "--dry-run=server", "--validate=strict", "--namespace="+namespace, "-f", "-"))
			must(t)(kubectl(t, text(t, all["Pod/"+name+"-test"]), "create", "--dry-run=server", "--validate=strict", "--namespace="+namespace, "-f", "-"))
			if file == "everything" {
				return // its nodes and its images are somewhere else
			}
			must(t)(kubectl(t, "", "rollout", "status", "deployment/"+name, "--timeout=90s", "--namespace="+namespace))
		})
	}
}

// TestPodSecurityIsEnforced: without one of the settings of the chart, the cluster of these tests refuses the pod.
func TestPodSecurityIsEnforced(t *testing.T) {
	needs(t)
	namespace := room(t)
	removed(t, namespace)
	must(t)(installs(t, namespace, "default"))
	deployment := render(t, namespace, "default")["Deployment/"+name]
	for what, change := range map[string]func(pod, container map[string]any){
		"runAsNonRoot":             func(pod, _ map[string]any) { delete(pod, "securityContext") },
		"allowPrivilegeEscalation": func(_, container map[string]any) { delete(container, "securityContext") },
	} {
		said, err := kubectl(t, podOf(t, deployment, change), "create", "--dry-run=server", "--namespace="+namespace, "-f", "-")
		if err == nil || !strings.Contains(said, "violates PodSecurity") || !strings.Contains(said, what) {
			t.Errorf("without %s: %v %s", what, err, said)
		}
	}
}

// podOf is a pod as the Deployment makes it, as YAML. change may change its specification, and Fieldmark's container in it.
func podOf(t *testing.T, deployment unstructured.Unstructured, change func(pod, container map[string]any)) string {
	t.Helper()
	copied := deployment.DeepCopy()
	template := at[map[string]any](t, *copied, "spec.template")
	if change != nil {
		change(at[map[string]any](t, *copied, "spec.template.spec"), container(t, *copied))
	}
	pod := unstructured.Unstructured{Object: template}
	pod.SetAPIVersion("v1")
	pod.SetKind("Pod")
	pod.SetName("one")
	return text(t, pod)
}

func text(t *testing.T, o unstructured.Unstructured) string {
	t.Helper()
	out, err := yaml.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// get is an object of the cluster, with its managedFields.
func get(t *testing.T, namespace, what string) unstructured.Unstructured {
	t.Helper()
	var o unstructured.Unstructured
	out := must(t)(kubectl(t, "", "get", what, "--namespace="+namespace, "--show-managed-fields", "-o", "yaml"))
	if err := yaml.Unmarshal([]byte(out), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

// replicas are the Deployment's, with the managers that own the field.
func replicas(t *testing.T, namespace string) (count float64, owners []string) {
	t.Helper()
	o := get(t, namespace, "deployment/"+name)
	for _, entry := range o.GetManagedFields() {
		var fields struct {
			Spec map[string]any `json:"f:spec"`
		}
		if err := yaml.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields); err != nil {
			t.Fatal(err)
		}
		if _, owns := fields.Spec["f:replicas"]; owns {
			owners = append(owners, entry.Manager)
		}
	}
	return at[float64](t, o, "spec.replicas"), owners
}

// scaled waits until the autoscaler of the cluster has set the number of replicas.
func scaled(t *testing.T, namespace string, want float64) {
	t.Helper()
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		count, owners := replicas(t, namespace)
		if count == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v replicas, owned by %v, not %v", count, owners, want)
		}
	}
}

// TestAnUpgradeLeavesReplicasAlone upgrades a release whose replicas the real autoscaler has set. Nobody owns the field then: the API server
// doesn't record who scales an object whose replicas had no owner before.
func TestAnUpgradeLeavesReplicasAlone(t *testing.T) {
	needs(t)
	t.Parallel()
	namespace := room(t)
	removed(t, namespace)
	must(t)(installs(t, namespace, "hpa"))
	scaled(t, namespace, 3)
	must(t)(installs(t, namespace, "hpa", "--set", "logLevel=debug"))
	if count, owners := replicas(t, namespace); count != 3 || slices.Contains(owners, "helm") {
		t.Errorf("after the upgrade, there are %v replicas, owned by %v", count, owners)
	}
	args := container(t, get(t, namespace, "deployment/"+name))["args"].([]any)
	if !slices.Contains(args, any("--log-level=debug")) {
		t.Errorf("the upgrade changed nothing: %v", args)
	}
}

// TestSwitchingToTheAutoscaler: docs/deploy.md says how the number of replicas doesn't drop when a release gets an autoscaler.
func TestSwitchingToTheAutoscaler(t *testing.T) {
	needs(t)
	t.Parallel()
	namespace := room(t)
	removed(t, namespace)
	must(t)(installs(t, namespace, "default"))
	if count, owners := replicas(t, namespace); count != 2 || len(owners) != 1 || owners[0] != "helm" {
		t.Fatalf("%v replicas, owned by %v", count, owners)
	}
	must(t)(kubectl(t, "", "scale", "deployment/"+name, "--replicas=4", "--namespace="+namespace))
	must(t)(installs(t, namespace, "hpa"))
	if count, owners := replicas(t, namespace); count != 4 || len(owners) != 1 || owners[0] == "helm" {
		t.Errorf("after the upgrade, there are %v replicas, owned by %v", count, owners)
	}
}

// TestAnUpgradeKeepsTheSessionKey: a new key would end the sessions of everybody.
func TestAnUpgradeKeepsTheSessionKey(t *testing.T) {
	needs(t)
	t.Parallel()
	namespace := room(t)
	removed(t, namespace)
	must(t)(installs(t, namespace, "default"))
	key := at[string](t, get(t, namespace, "secret/"+name+"-session-keys"), "data.session-keys")
	plain, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	if random, err := base64.StdEncoding.DecodeString(string(plain)); err != nil || len(random) != 32 {
		t.Errorf("the key has %d bytes (%v)", len(random), err)
	}
	must(t)(installs(t, namespace, "default", "--set", "logLevel=debug"))
	if again := at[string](t, get(t, namespace, "secret/"+name+"-session-keys"), "data.session-keys"); again != key {
		t.Error("the upgrade made a new key")
	}
	one, other := render(t, namespace, "default"), render(t, namespace, "default")
	if id := "Secret/" + name + "-session-keys"; at[string](t, one[id], "data.session-keys") == at[string](t, other[id], "data.session-keys") {
		t.Error("helm template makes the same key twice: it is not random")
	}
}
