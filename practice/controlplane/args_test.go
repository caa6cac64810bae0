package controlplane

import (
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
	config := etcdConfig(etcdOptions{port: 3})
	for _, url := range append(config.ListenClientUrls, config.ListenPeerUrls...) {
		if url.Scheme != "https" || url.Hostname() != "127.0.0.1" {
			t.Errorf("etcd listens at %s", url.String())
		}
	}
	if !config.ClientTLSInfo.ClientCertAuth || !config.PeerTLSInfo.ClientCertAuth {
		t.Error("etcd lets anyone in")
	}
}

func TestVerificationIsNeverSkipped(t *testing.T) {
	certs := &pki.Set{}
	for _, args := range [][]string{APIServerArgs(1, 2, certs), ControllerManagerArgs("k", certs), SchedulerArgs("k"), EtcdArgs("d", 1, true, certs)} {
		for _, arg := range args {
			if strings.Contains(arg, "insecure") || strings.Contains(arg, "http://") {
				t.Errorf("%s", arg)
			}
		}
	}
}

func TestOnlyThrowawayDataSkipsTheDisk(t *testing.T) {
	for _, sync := range []bool{true, false} {
		if got := etcdConfig(etcdOptions{sync: sync}).UnsafeNoFsync; got == sync {
			t.Errorf("sync %t: UnsafeNoFsync is %t", sync, got)
		}
	}
}
