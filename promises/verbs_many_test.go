package promises

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// gate passes requests on to the practice cluster as its admin, and counts those that are under way.
type gate struct {
	*httptest.Server
	// shut is called with each request about an object, and its number. Requests wait for it.
	shut func(r *http.Request, number int)

	mu                sync.Mutex
	now, most, number int
	methods           []string
}

// reach is the API server of a kubeconfig, and the transport to it.
func reach(t *testing.T, kubeconfig string) (to *url.URL, transport http.RoundTripper) {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	fine(t, err)
	transport, err = rest.TransportFor(config)
	fine(t, err)
	to, err = url.Parse(config.Host)
	fine(t, err)
	return to, transport
}

func openGate(t *testing.T, shut func(*http.Request, int)) *gate {
	t.Helper()
	kubeconfig := practiceKubeconfig(t)
	to, transport := reach(t, kubeconfig)
	g := &gate{shut: shut}
	next := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, ErrorHandler: func(http.ResponseWriter, *http.Request, error) {}}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := g.begin(r)
		defer g.end()
		if g.shut != nil && strings.Contains(r.URL.Path, "/namespaces/") {
			g.shut(r, number)
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *gate) begin(r *http.Request) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now++
	g.most = max(g.most, g.now)
	g.number++
	if !slices.Contains(g.methods, r.Method) {
		g.methods = append(g.methods, r.Method)
	}
	return g.number
}

func (g *gate) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now--
}

// said is what kubectl says on the practice cluster, and how it ends.
func said(stdin string, args ...string) (string, error) {
	c := exec.Command(os.Getenv(kubectlEnv), append([]string{"--kubeconfig", os.Getenv(practiceEnv)}, args...)...)
	c.Stdin = strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	return string(out), err
}

// kubectl runs kubectl on the practice cluster.
func kubectl(t *testing.T, stdin string, args ...string) {
	t.Helper()
	if out, err := said(stdin, args...); err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// alone gives the test a practice cluster of its own: while an aggregated API is unreachable there, discovery says so to everybody.
func alone(t *testing.T) {
	t.Helper()
	practiceKubeconfig(t)
	folder := t.TempDir()
	kubeconfig := filepath.Join(folder, "kubeconfig")
	up := exec.Command(os.Getenv("FIELDMARK_PRACTICE_BIN"), "up", "--ephemeral", "--die-with-stdin", "--progress", "json",
		"--dir", filepath.Join(folder, "cluster"), "--kubeconfig-out", kubeconfig)
	alive, err := up.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	progress, err := up.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := up.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = alive.Close()
		_, _ = io.Copy(io.Discard, progress)
		if err := up.Wait(); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewScanner(progress)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"step":"ready","state":"done"`) {
			t.Setenv(practiceEnv, kubeconfig)
			return
		}
	}
	t.Fatal("the practice cluster ends before it is ready")
}

// space makes a namespace of the test's own.
func space(t *testing.T) string {
	t.Helper()
	practiceKubeconfig(t)
	name := "check-" + strings.ToLower(rand.Text()[:8])
	kubectl(t, "", "create", "namespace", name)
	t.Cleanup(func() { kubectl(t, "", "delete", "namespace", name, "--wait=false") })
	return name
}

func configMap(namespace, name string, more ...string) string {
	return "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  namespace: " + namespace + "\n" + strings.Join(more, "")
}

// unreachable is an API that is registered, and served by nobody.
const unreachable = `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.unreachable.example.com}
spec: {group: unreachable.example.com, version: v1, groupPriorityMinimum: 10, versionPriority: 10, insecureSkipTLSVerify: true, service: {namespace: default, name: nosuch}}
`

const crd = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.check.example.com}
spec:
  group: check.example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: check.example.com/v1
kind: Gadget
metadata: {name: g, namespace: default}
`

// odd are documents that need care, with the findings that they must have.
func odd(namespace string) (text string, want map[string]string) {
	text = crd +
		"---\napiVersion: v1\nkind: Namespace\nmetadata: {name: check-new}\n" + configMap("check-new", "in-new") +
		"---\napiVersion: v1\nkind: Pod\nmetadata: {generateName: made-, namespace: " + namespace + "}\nspec: {containers: [{name: a, image: a}]}\n" +
		"---\napiVersion: v1\nkind: Pod\nmetadata: {name: hook, namespace: " + namespace + ", annotations: {helm.sh/hook: test}}\nspec: {restartPolicy: Never, containers: [{name: a, image: a}]}\n" +
		configMap(namespace, "twice", "data: {a: one}\n") + configMap(namespace, "twice", "data: {a: two}\n") +
		"---\napiVersion: v1\nkind: Secret\nmetadata: {name: hidden, namespace: " + namespace + "}\nstringData: {password: " + canary.Song + "}\n"
	for range 3 {
		text += "---\napiVersion: unreachable.example.com/v1\nkind: Thing\nmetadata: {name: far, namespace: " + namespace + "}\n"
	}
	return text, map[string]string{
		"Gadget g":              "unserved: Apply that document first",
		"Namespace check-new":   "created: ",
		"ConfigMap in-new":      "created: The namespace check-new doesn't exist yet",
		"Pod made-":             "invalid: Use kubectl create",
		"Pod hook":              "created: ",
		"ConfigMap twice":       "conflict: ",
		"Secret hidden":         "conflict: ",
		"ConfigMap ordinary-99": "created: ",
	}
}

func TestFiveHundredDocuments(t *testing.T) {
	alone(t)
	namespace := space(t)
	kubectl(t, unreachable, "apply", "-f", "-")
	kubectl(t, configMap(namespace, "twice", "data: {a: zero}\n")+"---\napiVersion: v1\nkind: Secret\nmetadata: {name: hidden, namespace: "+namespace+"}\nstringData: {password: other-"+canary.Song+"}\n",
		"apply", "--server-side", "--field-manager", "somebody", "-f", "-")
	text, want := odd(namespace)
	var all strings.Builder
	for i := range 488 {
		if i == 250 {
			all.WriteString(text)
		}
		all.WriteString(configMap(namespace, fmt.Sprint("ordinary-", i), "data: {a: b}\n"))
	}
	g := openGate(t, nil)
	for _, form := range []string{"text", "json", "yaml", "markdown", "sarif"} {
		input := text
		if form == "json" {
			input = all.String()
		}
		code, out, errs := onPractice(t, input, "check", "-f", "-", "--manager", "me", "-o", form, "-s", g.URL, "--ways")
		if code != 2 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "Thing far, and 2 documents more: the API server failed to list the types of unreachable.example.com/v1 (") {
			t.Errorf("%s: %d %s", form, code, errs)
		}
		if canary.Escapes(out + errs) {
			t.Errorf("a secret is in %s", form)
		}
		switch form {
		case "json":
			schematest.Valid(t, "check.v1.json", []byte(out))
			judged(t, out, want)
		case "sarif":
			schematest.SARIF(t, []byte(out))
		case "text":
			if !strings.Contains(out, "\n12 documents: ") || !strings.HasSuffix(out, "; 3 not judged\n") {
				t.Errorf("%.2000s", out)
			}
		}
	}
	if g.most > 8 || g.most < 2 || !slices.Equal(slices.Sorted(slices.Values(g.methods)), []string{"GET", "PATCH"}) {
		t.Errorf("%d requests at the same time; %v", g.most, g.methods)
	}
}

// judged looks at the findings of the odd documents.
func judged(t *testing.T, out string, want map[string]string) {
	t.Helper()
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Documents != 500 || r.Unjudged != 3 {
		t.Error(err, r.Documents, r.Unjudged)
	}
	found := map[string][]string{}
	for _, f := range r.Findings {
		about := f.Object.Kind + " " + f.Object.Name
		found[about] = append(found[about], string(f.Kind)+": "+f.Why)
	}
	for about, w := range want {
		kind, why, _ := strings.Cut(w, ": ")
		if !slices.ContainsFunc(found[about], func(f string) bool { return strings.HasPrefix(f, kind) && strings.Contains(f, why) }) {
			t.Errorf("%s: %q, want %s", about, found[about], w)
		}
	}
	if len(found) < 488 {
		t.Errorf("%d objects have findings", len(found))
	}
}

func TestWithoutTheRightToPatch(t *testing.T) {
	namespace := space(t)
	kubectl(t, configMap(namespace, "owned", "data: {a: zero}\n"), "apply", "--server-side", "--field-manager", "somebody", "-f", "-")
	kubectl(t, "", "create", "rolebinding", "readers", "--clusterrole=view", "--user=only-reads", "-n", namespace)
	code, out, errs := onPractice(t, configMap(namespace, "owned", "data: {a: one}\n"), "check", "-f", "-", "--manager", "me", "-o", "json", "--as", "only-reads", "--fail-on", "unknown")
	schematest.Valid(t, "check.v1.json", []byte(out))
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); code != 1 || err != nil || errs != "" || len(r.Findings) != 2 {
		t.Fatal(code, err, errs, out)
	}
	if f := r.Findings[1]; f.Kind != check.Unknown || f.Path != ".data.a" || f.Line != 7 || len(f.Owners) != 1 || f.Owners[0].Name != "somebody" {
		t.Errorf("%+v", f)
	}
}

// SIGINT ends the real program amid its work: no half report, and no request that goes on.
func TestInterrupted(t *testing.T) {
	program := os.Getenv(fieldmarkEnv)
	var all strings.Builder
	for i := range 500 {
		all.WriteString(configMap("default", fmt.Sprint("ordinary-", i)))
	}
	var once sync.Once
	begun, over := make(chan struct{}), make(chan struct{}, 100)
	g := openGate(t, func(r *http.Request, number int) {
		if number < 200 || r.Method != http.MethodGet { // a server sees the end of a request once it has read its body
			return
		}
		once.Do(func() { close(begun) })
		<-r.Context().Done() // the program has ended the request
		over <- struct{}{}
	})
	c := exec.Command(program, "check", "--kubeconfig", os.Getenv(practiceEnv), "--cache-dir", t.TempDir(), "-s", g.URL, "-f", "-")
	c.Stdin = strings.NewReader(all.String())
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-over
	err := c.Wait()
	ended, is := errors.AsType[*exec.ExitError](err)
	if !is || ended.ExitCode() != 130 || stdout.Len() > 0 || stderr.String() != "fieldmark: interrupted; no results are shown, because they would be incomplete\n" {
		t.Errorf("%v\n%s\n%s", err, &stdout, &stderr)
	}
}

// SIGINT ends a program that still reads.
func TestInterruptedWhileItReads(t *testing.T) {
	program := os.Getenv(fieldmarkEnv)
	if program == "" {
		t.Skip("needs the program: make test-cluster")
	}
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(kubeconfig, []byte("apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "check", "--kubeconfig", kubeconfig, "-s", "http://127.0.0.1:1", "-f", "-")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: once all is written, the program has begun to read.
	if _, err := in.Write([]byte(strings.Repeat("# nothing yet\n", 100_000))); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	ended, is := errors.AsType[*exec.ExitError](c.Wait())
	if !is || ended.ExitCode() != 130 || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("%v %s", ended, &stderr)
	}
}

// With -v=6 each request is shown, and each is one that kubectl's get, list or a dry run of apply would make.
func TestEachRequestIsShown(t *testing.T) {
	g := openGate(t, nil)
	shown := 0
	for _, verb := range []string{"check -f -", "blame configmaps -n shop"} {
		args := append(strings.Fields(verb), "-v=6", "--kubeconfig", os.Getenv(practiceEnv), "--cache-dir", t.TempDir(), "-s", g.URL)
		c := exec.Command(os.Getenv(fieldmarkEnv), args...)
		c.Stdin = strings.NewReader(configMap("shop", "brand-new"))
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Run(); err != nil {
			t.Fatal(err, &stderr)
		}
		for line := range strings.Lines(stderr.String()) {
			_, asked, is := strings.Cut(line, `"Response" verb="`)
			if !is {
				continue
			}
			shown++
			if !strings.HasPrefix(asked, "GET") && (!strings.HasPrefix(asked, "PATCH") || !strings.Contains(asked, "dryRun=All")) {
				t.Error(line)
			}
		}
	}
	if shown == 0 || shown != g.number {
		t.Errorf("%d requests were shown, and %d were made", shown, g.number)
	}
}
