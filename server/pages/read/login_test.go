package read

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
)

// Two files have the same name for their user, as kubeadm writes them. The context of the second file gets the user of the first one.
func TestLoginSaysWhichKubeconfigTheUserComesFrom(t *testing.T) {
	var files []string
	for _, context := range []string{"a", "b"} {
		file := filepath.Join(t.TempDir(), context)
		text := fmt.Sprintf("contexts: [{name: %s, context: {cluster: kubernetes, user: admin}}]\nclusters: [{name: kubernetes, cluster: {server: \"https://127.0.0.1:1\"}}]\nusers: [{name: admin, user: {token: t}}]\n", context)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	clusters, err := cluster.Load(cluster.Options{Env: func(string) string { return strings.Join(files, string(filepath.ListSeparator)) }})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := clusters.Get("b")
	login := localLogin(b.LoginInfo(), visit.Parts(b))
	if got := fmt.Sprint(login.Facts, login.Notes); !strings.Contains(got, "{kubeconfig "+files[0]) || !strings.Contains(got, "the user “admin”") {
		t.Errorf("the page about who you are says %s", got)
	}
}
