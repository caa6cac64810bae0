package access

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/fieldmark/fieldmark/practice/pki"
)

func example(t *testing.T) []byte {
	t.Helper()
	admin := pki.Certificate{Pair: pki.Pair{Cert: []byte("admin's certificate"), Key: []byte("admin's key")}}
	viewer := pki.Certificate{Pair: pki.Pair{Cert: []byte("viewer's certificate"), Key: []byte("viewer's key")}}
	data, err := Kubeconfig("https://127.0.0.1:1", []byte("authority"), Users{AdminContext: admin, Viewer(AdminContext): viewer}, AdminContext)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestKubeconfigNeedsNoOtherFile(t *testing.T) {
	config, err := clientcmd.Load(example(t))
	if err != nil {
		t.Fatal(err)
	}
	if config.CurrentContext != AdminContext || len(config.Contexts) != 2 {
		t.Errorf("current %q of %d contexts", config.CurrentContext, len(config.Contexts))
	}
	for name, context := range config.Contexts {
		cluster, user := config.Clusters[context.Cluster], config.AuthInfos[context.AuthInfo]
		if cluster == nil || user == nil {
			t.Fatalf("%s: leads nowhere", name)
		}
		if len(cluster.CertificateAuthorityData) == 0 || cluster.InsecureSkipTLSVerify || len(user.ClientKeyData) == 0 {
			t.Errorf("%s: something is not in the file", name)
		}
	}
}

func TestSomeonesOwnKubeconfigIsNeverTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	own := []byte("apiVersion: v1\nkind: Config\n")
	if err := os.WriteFile(path, own, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, example(t)); err == nil {
		t.Error("it was overwritten")
	}
	if err := RemoveCopy(path, t.TempDir()); err != nil {
		t.Error(err)
	}
	if there, err := os.ReadFile(path); err != nil || !bytes.Equal(there, own) {
		t.Errorf("it is now %q, %v", there, err)
	}
}

func TestAKubeconfigOfOursIsRewrittenAndRemoved(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "config")
	ours := example(t)
	for range 2 {
		if err := Write(path, ours); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := RemoveCopy(path, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("it was removed although it is not that of the folder: %v", err)
	}
	if err := Write(filepath.Join(dir, "kubeconfig"), ours); err != nil {
		t.Fatal(err)
	}
	if err := RemoveCopy(path, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestTheAPIServerGetsOnlyFilesThatItCanRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "issuers.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for path, want := range map[string]string{"": "", file: file, "issuers.yaml": file} {
		if got, err := Readable(path); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", path, got, err, want)
		}
	}
	for _, path := range []string{dir, file + ".missing"} {
		if got, err := Readable(path); err == nil || got != "" {
			t.Errorf("%q is accepted as %q", path, got)
		}
	}
}
