package controlplane

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/practice/pki"
)

func TestNobodyServesBeyondThisMachine(t *testing.T) {
	certs := &pki.Set{}
	if !slices.Contains(APIServerArgs(1, 2, certs), "--bind-address=127.0.0.1") {
		t.Error("the API server binds elsewhere")
	}
	for name, args := range map[string][]string{
		"controller manager": ControllerManagerArgs("kubeconfig", certs),
		"scheduler":          SchedulerArgs("kubeconfig"),
	} {
		if !slices.Contains(args, "--secure-port=0") {
			t.Errorf("the %s serves", name)
		}
	}
	etcd := etcdOf(t, true)
	for _, name := range []string{"listen-client-urls", "listen-peer-urls"} {
		if at, _ := etcd[name].(string); !strings.HasPrefix(at, "https://127.0.0.1:") || strings.Contains(at, ",") {
			t.Errorf("etcd's %s is %q", name, at)
		}
	}
	for _, name := range []string{"client-transport-security", "peer-transport-security"} {
		if security, _ := etcd[name].(map[string]any); security["client-cert-auth"] != true {
			t.Errorf("etcd lets anyone in: %s is %v", name, security)
		}
	}
}

// etcdOf is etcd's configuration, as etcd reads it.
func etcdOf(t *testing.T, sync bool) map[string]any {
	t.Helper()
	data, err := EtcdConfig("data", 3, sync, &pki.Set{})
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]any
	if err := json.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	return config
}

func TestVerificationIsNeverSkipped(t *testing.T) {
	certs := &pki.Set{}
	for _, args := range [][]string{APIServerArgs(1, 2, certs), ControllerManagerArgs("k", certs), SchedulerArgs("k")} {
		for _, arg := range args {
			if strings.Contains(arg, "insecure") || strings.Contains(arg, "http://") {
				t.Errorf("%s", arg)
			}
		}
	}
}

func TestOnlyThrowawayDataSkipsTheDisk(t *testing.T) {
	for _, sync := range []bool{true, false} {
		if got := etcdOf(t, sync)["unsafe-no-fsync"]; got == sync {
			t.Errorf("sync %t: unsafe-no-fsync is %v", sync, got)
		}
	}
}
