package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/practice"
)

func TestHomeSaysWhichPartOfThePracticeClusterStopped(t *testing.T) {
	const died = "kube-scheduler stopped by itself (signal: killed) and starts again"
	progress := practice.Progress{APIReady: true, Ready: true, Steps: []practice.Step{{Name: "controllers", State: practice.Done}}}
	s := newSite(t, cluster.New(cluster.Options{}), func(o *Options) { o.Practice = func(string) practice.Progress { return progress } })
	if p := s.want(http.StatusOK, "/"); strings.Contains(p.main(), "stopped") {
		t.Error("it says that something stopped")
	}
	progress.Steps[0] = practice.Step{Name: "controllers", State: practice.Restarting, Message: died}
	s.want(http.StatusOK, "/").says("A part of the practice cluster stopped", "Kube-scheduler stopped by itself", "starts this part again").inert()
}

// Two files have the same names for their cluster and user, as kubeadm writes them. The context of the second file gets what the first one has.
func TestHomeSaysWhichKubeconfigEachPartComesFrom(t *testing.T) {
	file := func(context, server string) string {
		path := filepath.Join(t.TempDir(), context)
		text := fmt.Sprintf("contexts: [{name: %s, context: {cluster: kubernetes, user: admin}}]\nclusters: [{name: kubernetes, cluster: {server: %q}}]\nusers: [{name: admin, user: {token: t}}]\n", context, server)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	first, second := file("a", "https://127.0.0.1:1"), file("b", "https://127.0.0.1:2")
	clusters, err := cluster.Load(cluster.Options{Env: func(string) string { return first + string(filepath.ListSeparator) + second }})
	must(t, err)
	s := newSite(t, clusters)
	p := s.want(http.StatusOK, "/").inert()
	card := p.all("li", "data-cluster=b")
	if len(card) != 1 {
		t.Fatal(p.main())
	}
	for _, want := range []string{
		"Several files have the cluster “kubernetes”. The entry of " + first + " counts, because this file comes first. Left out: " + second + ".",
		"Left out: " + second + " (the same).", "So this context doesn’t use the cluster of its own file", "127.0.0.1:1",
	} {
		if got := text(card[0]); !strings.Contains(got, want) {
			t.Errorf("the card doesn’t say %q: %s", want, got)
		}
	}
}

func TestPagesSayThatThePracticeClusterIsBeingCompiled(t *testing.T) {
	progress := practice.Progress{Build: &practice.Build{Step: practice.Compile, Done: 312, Total: 1140, Left: 6 * time.Minute}}
	clusters := cluster.New(cluster.Options{})
	for _, name := range []string{cluster.Practice, cluster.PracticeViewer} {
		clusters.Put(clusters.Waiting(name, cluster.FromPractice, func() cluster.State { return practice.StateOf(progress) }))
	}
	s := newSite(t, clusters, func(o *Options) { o.Practice = func(string) practice.Progress { return progress } })
	const words = "The practice cluster is being compiled: 312 of 1,140 packages, about 6 minutes left."
	home := s.want(http.StatusOK, "/").says(words, "ready together with the practice cluster").inert()
	if strings.Count(home.body, `<progress max="1140" value="312"`) != 1 || strings.Count(home.body, `data-state="compiling"`) != 2 {
		t.Errorf("not one bar for two cards: %s", home.body)
	}
	for address, code := range map[string]int{"/c/practice": http.StatusServiceUnavailable, "/c/practice/api/v1/pods": http.StatusServiceUnavailable, "/learn": http.StatusOK, "/learn/verbs": http.StatusOK} {
		if p := s.want(code, address).says(words); !strings.Contains(p.body, `"pending":true`) && !strings.Contains(p.body, `"Tone":"busy"`) {
			t.Errorf("%s doesn't follow the compilation", address)
		}
	}

	progress = practice.Progress{Ended: true, Failed: "the build ended unexpectedly (exit status 1)", Build: &practice.Build{Step: practice.Compile, Over: true, Failed: true, Log: []string{"x.go:1: <b>no space</b>"}}}
	s.want(http.StatusOK, "/").says("can’t be compiled: the build ended unexpectedly", "x.go:1: <b>no space</b>", "make run").inert()
	for address, code := range map[string]int{"/c/practice": http.StatusBadGateway, "/learn": http.StatusOK, "/learn/verbs": http.StatusOK} {
		if p := s.want(code, address).says("can’t be compiled"); strings.Contains(p.body, `"pending":true`) || strings.Contains(p.body, `"Tone":"busy"`) {
			t.Errorf("%s waits for what doesn't come", address)
		}
	}
}

func TestHomeSaysWhichContextsAreOneCluster(t *testing.T) {
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{
		"admin": "https://Cluster.example.test", "viewer": "https://cluster.example.test:443/", "proxied": "https://cluster.example.test/k8s/clusters/c-1", "other": "https://other.example.test",
	})})
	must(t, err)
	p := newSite(t, clusters).want(http.StatusOK, "/").inert()
	for slug, want := range map[string]string{"admin": "The same cluster as viewer: the contexts have one API server.", "viewer": "The same cluster as admin:", "proxied": "", "other": ""} {
		got := text(p.all("li", "data-cluster="+slug)[0])
		if strings.Contains(got, "The same cluster") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", slug, got)
		}
	}
}

// A kubeconfig that can't be read any more is told on the pages of its clusters, which go on with what was read before.
func TestPagesSayThatTheKubeconfigBecameUnreadable(t *testing.T) {
	server := httptest.NewServer(answers(http.StatusOK, "application/json", `{}`))
	defer server.Close()
	file := kubeconfig(t, map[string]string{"odd": server.URL})
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: file})
	must(t, err)
	s := newSite(t, clusters)
	const trouble = "Fieldmark can’t read the kubeconfig now"
	if p := s.get("/c/odd/-/request"); strings.Contains(p.main(), trouble) {
		t.Fatal("told before")
	}
	must(t, os.WriteFile(file, []byte("clusters: [\n"), 0o600))
	for range 2 { // a change counts if a second look finds it, too
		clusters.Look()
	}
	for _, address := range []string{"/", "/c/odd/-/request"} {
		s.get(address).says(trouble, "is malformed", "Fieldmark uses the contexts that it read before.").inert()
	}
	if p := s.get("/learn"); strings.Contains(p.main(), trouble) {
		t.Error("the field guide says it, too")
	}
}

// The home page marks the current context, and /-/contexts changes with each change that the page shows.
func TestHomeFollowsTheKubeconfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	write := func(current string, names ...string) {
		text := "current-context: " + current + "\nclusters: [{name: k, cluster: {server: \"https://127.0.0.1:1\"}}]\nusers: [{name: u, user: {token: t}}]\ncontexts:\n"
		for _, name := range names {
			text += fmt.Sprintf("- {name: %s, context: {cluster: k, user: u}}\n", name)
		}
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("a", "a", "b")
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: path})
	must(t, err)
	s := newSite(t, clusters)
	contexts := func() string { return s.want(http.StatusOK, "/-/contexts").body }
	marked := func() (names []string) {
		for _, card := range s.want(http.StatusOK, "/").inert().all("li", "data-state=unreachable") {
			if words := text(card); strings.Contains(words, "current context") {
				names = append(names, strings.Fields(words)[0])
			}
		}
		return names
	}
	before := contexts()
	if got := marked(); len(got) != 1 || got[0] != "a" {
		t.Errorf("marked: %q", got)
	}
	for _, c := range []struct {
		current string
		names   []string
		marked  string
	}{{"b", []string{"a", "b"}, "b"}, {"b", []string{"a", "b", "c"}, "b"}, {"c", []string{"c"}, "c"}} {
		write(c.current, c.names...)
		clusters.Look()
		clusters.Look()
		after := contexts()
		if after == before {
			t.Errorf("%+v: nothing tells of the change", c)
		}
		before = after
		if got := marked(); len(got) != 1 || got[0] != c.marked {
			t.Errorf("%+v: marked: %q", c, got)
		}
		clusters.Look()
		if contexts() != before {
			t.Errorf("%+v: there was no change", c)
		}
	}
}
