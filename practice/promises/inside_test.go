package promises

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ways are the protocols of kubectl's streams.
var ways = map[string]string{"WebSocket": "true", "SPDY": "false"}

// inside are the pods in which the tests below look around.
var inside = []corev1.Pod{
	{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: "prepare", Image: "example.com/prepare:1"}},
			Containers: []corev1.Container{
				{Name: "app", Image: "example.com/web:1", Ports: []corev1.ContainerPort{{ContainerPort: 8080}}, Env: []corev1.EnvVar{{Name: "COLOR", Value: "blue"}}},
				{Name: "queue", Image: "example.com/mailer:1", Stdin: true, Args: []string{"cat"}},
				{Name: "bare", Image: "gcr.io/distroless/static"},
			},
		},
	},
	{
		ObjectMeta: metav1.ObjectMeta{Name: "crashing", Annotations: map[string]string{"practice.fieldmark.dev/crash": "Error", "practice.fieldmark.dev/crash-after": "2s"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "example.com/mailer:1"}}},
	},
	{
		ObjectMeta: metav1.ObjectMeta{Name: "waiting", Annotations: map[string]string{"practice.fieldmark.dev/waiting": "ImagePullBackOff"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "example.com/mailer:1"}}},
	},
}

// podsToLookInto creates the pods in a namespace of their own, once they run or wait.
func (p *program) podsToLookInto(t *testing.T, namespace string) {
	t.Helper()
	client := p.client(t, admin)
	p.mustKubectl(t, "", "create", "namespace", namespace)
	p.atTheEnd(t, "delete", "namespace", namespace, "--wait=false")
	for i := range inside {
		eventually(t, "the pod is created", func() error { // once its namespace has a service account
			_, err := client.CoreV1().Pods(namespace).Create(t.Context(), &inside[i], metav1.CreateOptions{})
			return err
		})
		eventually(t, inside[i].Name+" has a status", func() error {
			pod, err := client.CoreV1().Pods(namespace).Get(t.Context(), inside[i].Name, metav1.GetOptions{})
			if err == nil && len(pod.Status.ContainerStatuses) == 0 {
				err = errors.New("no status")
			}
			return err
		})
	}
}

// atTheEnd runs kubectl when the test has ended.
func (p *program) atTheEnd(t *testing.T, args ...string) {
	t.Helper()
	bins, err := theBinaries()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if out, err := exec.CommandContext(ctx, bins.kubectl, append([]string{"--kubeconfig", p.kubeconfig()}, args...)...).CombinedOutput(); err != nil {
			t.Errorf("kubectl %v: %v\n%s", args, err, out)
		}
	})
}

// commands are what is run in containers. Each has arguments of kubectl, input, and what the output must match.
var commands = []struct {
	args     []string
	in, want string
}{
	{[]string{"exec", "web", "-c", "app", "--", "echo", "a;b&c=d%2fe+½/../#?"}, "", `^a;b&c=d%2fe\+½/\.\./#\?\n$`},
	{[]string{"exec", "web", "--", "hostname"}, "", `web\n$`},
	{[]string{"exec", "web", "-c", "app", "--", "sh", "-c", "env | grep COLOR"}, "", `^COLOR=blue\n$`},
	{[]string{"exec", "web", "-c", "app", "--", "cat", "/etc/passwd"}, "", `^root:x:0:0`},
	{[]string{"exec", "web", "-c", "app", "--", "sh", "-c", "exit 42"}, "", `exit code 42\n$`},
	{[]string{"exec", "-i", "web", "-c", "app", "--", "cat"}, "and back", `^and back$`},
	{[]string{"exec", "-i", "web", "-c", "app", "--", "sh"}, "cd /etc\ncat hostname\n", `^web\n$`},
	{[]string{"exec", "web", "-c", "app", "--", "wget", "-qO-", "localhost:8080/healthz"}, "", `^ok\n$`},
	{[]string{"exec", "web", "-c", "bare", "--", "sh"}, "", `exec: "sh": executable file not found in \$PATH`},
	{[]string{"exec", "web", "-c", "app", "--", "cat", "/var/run/secrets/kubernetes.io/serviceaccount/namespace"}, "", `^inside$`},
	{[]string{"attach", "-i", "web", "-c", "queue"}, "to the queue\n", `to the queue\n$`},
	{[]string{"exec", "waiting", "--", "true"}, "", `container not found \("app"\)`},
}

func TestCommandsInContainers(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "inside")
	for name, webSocket := range ways {
		t.Setenv("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", webSocket)
		for _, c := range commands {
			out, _ := p.kubectl(t, c.in, append([]string{"--namespace=inside"}, c.args...)...)
			if !regexp.MustCompile(c.want).MatchString(out) {
				t.Errorf("%s, %s: %q", name, c.args, out)
			}
		}
	}
}

func TestLogsOfContainers(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "logged")
	eventually(t, "it has crashed", func() error {
		out, err := p.kubectl(t, "", "--namespace=logged", "logs", "crashing", "--previous")
		if err == nil && !strings.HasSuffix(out, `"msg":"exiting","code":1,"reason":"Error"}`+"\n") {
			err = fmt.Errorf("it ends with %q", out[max(0, len(out)-200):])
		}
		return err
	})
	for _, c := range []struct{ args, want string }{
		{"web -c app", `\[notice\] 1#1: listening on 0\.0\.0\.0:8080\n`},
		{"web -c app --tail=1", `^[^\n]+\n$`},
		{"web -c app --limit-bytes=7", `^\d{4}/\d\d$`},
		{"web -c app --timestamps --tail=1", `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z `},
		{"web -c app --since-time=2999-01-01T00:00:00Z", `^$`},
		{"web -c app --since=10m --tail=3", `^([^\n]+\n){3}$`},
		{"web -c prepare", `done\n$`},
		// kubectl goes through the containers in any order.
		{"web --all-containers --prefix", `(?s)\[pod/web/prepare\] .*\[pod/web/app\] |\[pod/web/app\] .*\[pod/web/prepare\] `},
		{"--selector=app=web -c app --tail=1", `^[^\n]+\n$`},
		{"waiting", `\(BadRequest\): container "app" in pod "waiting" is waiting to start: trying and failing to pull image\n$`},
		{"web -c app --previous", `\(BadRequest\): previous terminated container "app" in pod "web" not found\n$`},
		{"--namespace=shop job/import-products", `"msg":"all items are done","code":0}\n$`},
		{"--namespace=shop carts-db-0", `database system is ready to accept connections\n`},
		{"--namespace=platform daemonset/node-agent", `"Starting" program="node-agent"`},
	} {
		out, _ := p.kubectl(t, "", append([]string{"logs", "--namespace=logged"}, strings.Fields(c.args)...)...)
		if !regexp.MustCompile(c.want).MatchString(out) {
			t.Errorf("%s: %q", c.args, out)
		}
	}
}

func TestAFollowedLogGrowsAndEndsWithItsPod(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "followed")
	out := p.begin(t, "logs", "--namespace=followed", "--follow", "web", "-c", "app", "--tail=0")
	eventually(t, "it grows", func() error {
		if strings.Count(out.String(), "\n") < 2 {
			return fmt.Errorf("it has %q", out.String())
		}
		return nil
	})
	p.mustKubectl(t, "", "delete", "pod", "--namespace=followed", "web", "--wait=false")
	eventually(t, "it ends", func() error {
		if !strings.HasSuffix(out.String(), "exit with code 143\n") {
			return fmt.Errorf("it ends with %q", out.String())
		}
		return nil
	})
}

func TestEphemeralContainersRunUntilTheirShellEnds(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "debugged")
	out := p.mustKubectl(t, "echo debugging $HOSTNAME; exit 3\n", "debug", "--namespace=debugged", "web", "-i", "--image=busybox", "--container=look", "--quiet")
	if !strings.Contains(out, "debugging web\n") {
		t.Errorf("%q", out)
	}
	eventually(t, "its end is written", func() error {
		pod, err := p.client(t, admin).CoreV1().Pods("debugged").Get(t.Context(), "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if s := pod.Status.EphemeralContainerStatuses; len(s) != 1 || s[0].State.Terminated == nil || s[0].State.Terminated.ExitCode != 3 {
			return fmt.Errorf("statuses: %+v", s)
		}
		return nil
	})
}

func TestFilesAreCopied(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "copied")
	here, back := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "back")
	content := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	if err := os.WriteFile(here, content, 0o600); err != nil {
		t.Fatal(err)
	}
	p.mustKubectl(t, "", "cp", here, "copied/web:/tmp/there", "-c", "app")
	p.mustKubectl(t, "", "cp", "copied/web:/tmp/there", back, "-c", "app")
	if got, err := os.ReadFile(back); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes of %d, %v", len(got), len(content), err)
	}
}

// recording is the output of a command that runs.
type recording struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *recording) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *recording) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// begin runs kubectl until the test ends.
func (p *program) begin(t *testing.T, args ...string) *recording {
	t.Helper()
	bins, err := theBinaries()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out := &recording{}
	cmd := exec.CommandContext(ctx, bins.kubectl, args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+p.kubeconfig(), "HOME="+t.TempDir())
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was ended on purpose
	})
	return out
}

var forwardedPort = regexp.MustCompile(`Forwarding from (127\.0\.0\.1:\d+) -> (\d+)`)

func TestForwardedPortsAnswer(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "forwarded")
	for name, webSocket := range ways {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KUBECTL_PORT_FORWARD_WEBSOCKETS", webSocket)
			out := p.begin(t, "port-forward", "--namespace=forwarded", "--address=127.0.0.1", "pod/web", ":8080", ":81")
			eventually(t, "both ports are open", func() error {
				if n := len(forwardedPort.FindAllString(out.String(), -1)); n != 2 {
					return fmt.Errorf("%d ports: %s", n, out)
				}
				return nil
			})
			ports := forwardedPort.FindAllStringSubmatch(out.String(), -1)
			var all sync.WaitGroup
			for n := range 4 {
				all.Go(func() {
					sent := strings.Repeat(fmt.Sprint("request ", n), 10_000)
					if got, err := post(t.Context(), "http://"+ports[0][1]+"/echo", sent); err != nil || got != sent {
						t.Errorf("%d bytes of %d came back, %v", len(got), len(sent), err)
					}
				})
			}
			all.Wait()
			if _, err := post(t.Context(), "http://"+ports[1][1]+"/", ""); err == nil {
				t.Error("a port on which nothing listens answers")
			}
			eventually(t, "kubectl says why", func() error {
				if !strings.Contains(out.String(), "dial tcp4 127.0.0.1:81: connect: connection refused") {
					return errors.New(out.String())
				}
				return nil
			})
		})
	}
}

func post(ctx context.Context, address, body string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	got, err := io.ReadAll(response.Body)
	return string(got), err
}

func TestRolloutAndDrain(t *testing.T) {
	p := sharedCluster(t)
	run := func(want string, args ...string) {
		t.Helper()
		if out := p.mustKubectl(t, "", args...); !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%v: %q", args, out)
		}
	}
	p.atTheEnd(t, "uncordon", "node-2")
	run("", "create", "namespace", "rolled")
	p.atTheEnd(t, "delete", "namespace", "rolled", "--wait=false")
	run("created", "create", "deployment", "web", "--namespace=rolled", "--image=example.com/web:1", "--replicas=2")
	run("successfully rolled out", "rollout", "status", "--namespace=rolled", "deployment/web", "--timeout=60s")
	run("restarted", "rollout", "restart", "--namespace=rolled", "deployment/web")
	run("successfully rolled out", "rollout", "status", "--namespace=rolled", "deployment/web", "--timeout=60s")
	run("rolled back", "rollout", "undo", "--namespace=rolled", "deployment/web")
	run("node/node-2 drained", "drain", "node-2", "--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=60s")
	eventually(t, "no pod but those of DaemonSets is left on the node", func() error {
		pods, err := p.client(t, admin).CoreV1().Pods("rolled").List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=node-2"})
		if err == nil && len(pods.Items) > 0 {
			err = fmt.Errorf("%d pods", len(pods.Items))
		}
		return err
	})
}

// TestEscape_WhatNeverEndsEndsWithItsClient is about a command without input and output: only the end of the connection tells that its client has gone.
func TestEscape_WhatNeverEndsEndsWithItsClient(t *testing.T) {
	p := sharedCluster(t)
	p.podsToLookInto(t, "endless")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // long enough for the command to begin
	defer cancel()
	bins, err := theBinaries()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, bins.kubectl, "--kubeconfig", p.kubeconfig(), "exec", "--namespace=endless", "web", "-c", "app", "--",
		"sh", "-c", "while :; do date +%s > /tmp/now; sleep 0.05; done")
	_ = cmd.Run() // it is ended
	now := func() string {
		out, _ := p.kubectl(t, "", "exec", "--namespace=endless", "web", "-c", "app", "--", "ls", "-l", "/tmp/now")
		return out
	}
	if !strings.Contains(now(), "/tmp/now") {
		t.Fatal("the command didn't begin")
	}
	read := func() string {
		out, _ := p.kubectl(t, "", "exec", "--namespace=endless", "web", "-c", "app", "--", "cat", "/tmp/now")
		return out
	}
	eventually(t, "it writes no more", func() error {
		before := read()
		time.Sleep(1500 * time.Millisecond) // the file has a time in seconds
		if read() != before {
			return errors.New("it still writes")
		}
		return nil
	})
}
