package chart

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// pod is Fieldmark with the arguments, the environment and the mounts of a pod. Where a pod has /etc/fieldmark, it has root/etc/fieldmark,
// so the paths in arguments and in the settings are changed to these. Its ports are free ones of this machine.
type pod struct {
	root  string
	ports map[string]string // by their names in the pod
	cmd   *exec.Cmd
	log   *bytes.Buffer
	ended chan error
}

// TestFieldmarkStartsAsInThePod starts the program as each file of values has it, looks at its probes, and stops it as a kubelet does.
func TestFieldmarkStartsAsInThePod(t *testing.T) {
	needs(t)
	for file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			all := render(t, "team", file, "--set", "drainSeconds=2")
			deployment := all["Deployment/"+name]
			p := started(t, all, deployment)
			for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
				get, _, err := unstructured.NestedMap(container(t, deployment), probe, "httpGet")
				if err != nil {
					t.Fatal(err)
				}
				p.reaches(t, get["port"].(string), get["path"].(string), http.StatusOK)
			}
			p.reaches(t, "metrics", "/metrics", http.StatusOK)
			p.reaches(t, "http", "/clusters/in-cluster/api/v1/namespaces", http.StatusUnauthorized)
			p.stops(t, at[float64](t, deployment, "spec.template.spec.terminationGracePeriodSeconds"))
		})
	}
}

func started(t *testing.T, all objects, deployment unstructured.Unstructured) *pod {
	t.Helper()
	p := &pod{root: t.TempDir(), ports: map[string]string{}, log: &bytes.Buffer{}, ended: make(chan error, 1)}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv(kubeconfigEnv))
	if err != nil {
		t.Fatal(err)
	}
	if err := rest.LoadTLSFiles(config); err != nil {
		t.Fatal(err)
	}
	p.mount(t, all, deployment, string(config.CAData))
	c := container(t, deployment)
	p.cmd = exec.CommandContext(t.Context(), os.Getenv("FIELDMARK_BIN"), p.arguments(t, c)...)
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = p.root, p.log, p.log
	p.cmd.Env = environment(t, c, config.Host)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	return p
}

// arguments are the container's, with free ports.
func (p *pod) arguments(t *testing.T, c map[string]any) []string {
	t.Helper()
	var args []string
	for _, a := range c["args"].([]any) {
		args = append(args, p.inside(a.(string)))
	}
	for _, one := range c["ports"].([]any) {
		port := one.(map[string]any)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_, free, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		p.ports[port["name"].(string)] = free
		was, changed := fmt.Sprintf("=0.0.0.0:%v", port["containerPort"]), false
		for i := range args {
			changed = changed || strings.HasSuffix(args[i], was)
			args[i] = strings.Replace(args[i], was, "=127.0.0.1:"+free, 1)
		}
		if !changed {
			t.Errorf("no argument has the port %v of %v", port["containerPort"], args)
		}
	}
	return args
}

// inside changes the paths of the pod's mounts in a text.
func (p *pod) inside(text string) string {
	for _, path := range []string{"/etc/fieldmark", "/var/run/secrets"} {
		text = strings.ReplaceAll(text, path, p.root+path)
	}
	return text
}

// environment is the container's, with what a kubelet adds.
func environment(t *testing.T, c map[string]any, server string) []string {
	t.Helper()
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"KUBERNETES_SERVICE_HOST=" + address.Hostname(), "KUBERNETES_SERVICE_PORT=" + address.Port()}
	more, _ := c["env"].([]any)
	for _, one := range more {
		variable := one.(map[string]any)
		all = append(all, fmt.Sprintf("%v=%v", variable["name"], variable["value"]))
	}
	return all
}

// mount makes the files that the container sees: those of ConfigMaps and Secrets of the chart and of existing, and those of the account.
func (p *pod) mount(t *testing.T, all objects, deployment unstructured.Unstructured, authority string) {
	t.Helper()
	volumes := map[string]map[string]any{}
	for _, v := range at[[]any](t, deployment, "spec.template.spec.volumes") {
		volume := v.(map[string]any)
		volumes[volume["name"].(string)] = volume
	}
	for _, m := range container(t, deployment)["volumeMounts"].([]any) {
		mount := m.(map[string]any)
		folder := filepath.Join(p.root, mount["mountPath"].(string))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		volume := volumes[mount["name"].(string)]
		if source, ok := volume["configMap"].(map[string]any); ok {
			for key, content := range entries(t, all, "configMap", source["name"].(string), authority) {
				p.write(t, filepath.Join(folder, key), content, 0o644)
			}
		}
		projected, _ := volume["projected"].(map[string]any)
		sources, _ := projected["sources"].([]any)
		for _, source := range sources {
			p.project(t, all, folder, source.(map[string]any), fs.FileMode(projected["defaultMode"].(float64)), authority)
		}
	}
}

// project writes the files of one source of a projected volume.
func (p *pod) project(t *testing.T, all objects, folder string, source map[string]any, mode fs.FileMode, authority string) {
	t.Helper()
	for kind, s := range source {
		from := s.(map[string]any)
		if kind == "serviceAccountToken" {
			p.write(t, filepath.Join(folder, from["path"].(string)), "the account's token", mode)
			continue
		}
		data := entries(t, all, kind, from["name"].(string), authority)
		for _, i := range from["items"].([]any) {
			item := i.(map[string]any)
			content, ok := data[item["key"].(string)]
			if !ok {
				t.Errorf("the %s %s has no entry %s", kind, from["name"], item["key"])
			}
			p.write(t, filepath.Join(folder, item["path"].(string)), content, mode)
		}
	}
}

func (p *pod) write(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if filepath.Base(path) == "config.yaml" {
		content = p.inside(content)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// entries are those of a ConfigMap or a Secret, by their keys.
func entries(t *testing.T, all objects, kind, name, authority string) map[string]string {
	t.Helper()
	if name == "kube-root-ca.crt" || name == "issuer-ca" {
		return map[string]string{"ca.crt": authority}
	}
	if data, ok := existing[strings.ToLower(kind)][name]; ok {
		return data
	}
	o, ok := all[strings.ToUpper(kind[:1])+kind[1:]+"/"+name]
	if !ok {
		t.Fatalf("there is no %s %s", kind, name)
	}
	data := map[string]string{}
	for key, value := range at[map[string]any](t, o, "data") {
		text := value.(string)
		if kind == "secret" {
			plain, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			text = string(plain)
		}
		data[key] = text
	}
	return data
}

// reaches waits until a request gets the expected status code.
func (p *pod) reaches(t *testing.T, port, path string, want int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		code, err := p.ask(t.Context(), port, path)
		if err == nil && code == want {
			return
		}
		select {
		case err := <-p.ended:
			t.Fatalf("Fieldmark ended: %v\n%s", err, p.log)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s of the port %s: %d (%v), not %d", path, port, code, err, want)
		}
	}
}

func (p *pod) ask(ctx context.Context, port, path string) (int, error) {
	host := ""
	if port == "http" {
		public, below, _ := strings.Cut(strings.TrimPrefix(p.argument("--public-url="), "https://"), "/")
		if host = public; below != "" {
			path = "/" + below + path
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+p.ports[port]+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	r.Host = host // empty: that of the URL
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// stops sends SIGTERM. The program isn't ready from then on, and ends by itself before a kubelet would kill it.
func (p *pod) stops(t *testing.T, grace float64) {
	t.Helper()
	begun := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.reaches(t, "metrics", "/readyz", http.StatusServiceUnavailable)
	select {
	case err := <-p.ended:
		if err != nil {
			t.Errorf("it ended with %v\n%s", err, p.log)
		}
		t.Logf("it ended %v after SIGTERM", time.Since(begun).Round(time.Millisecond))
	case <-time.After(time.Duration(grace * float64(time.Second))):
		t.Errorf("it still runs %v s after SIGTERM", grace)
	}
}

// argument is the value of an argument.
func (p *pod) argument(flag string) string {
	i := slices.IndexFunc(p.cmd.Args, func(a string) bool { return strings.HasPrefix(a, flag) })
	return strings.TrimPrefix(p.cmd.Args[i], flag)
}
