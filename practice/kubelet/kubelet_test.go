package kubelet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
)

// started is when the pod of the tests started: long enough ago for a log.
var started = metav1.NewTime(time.Now().Add(-10 * time.Minute).Truncate(time.Second))

// pod has a container that runs and crashed before, an init container that is done, one that waits, and one that runs without a shell.
func pod() *corev1.Pod {
	never := metav1.NewTime(started.Add(-time.Minute))
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u1"},
		Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: "prepare", Image: "example.com/init:1"}},
			Containers: []corev1.Container{
				{Name: "app", Image: "example.com/web:1", Ports: []corev1.ContainerPort{{ContainerPort: 8080}}, Env: []corev1.EnvVar{{Name: "COLOR", Value: "blue"}}},
				{Name: "late", Image: "example.com/late:1"},
				{Name: "bare", Image: "gcr.io/distroless/static"},
			},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: "10.0.0.1",
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "prepare", State: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{StartedAt: never, FinishedAt: never, Reason: "Completed"},
			}}},
			ContainerStatuses: []corev1.ContainerStatus{
				{Name: "app", State: runs, RestartCount: 1, LastTerminationState: corev1.ContainerState{
					Terminated: &corev1.ContainerStateTerminated{StartedAt: never, FinishedAt: started, ExitCode: 3, Reason: "Error"},
				}},
				{Name: "late", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}},
				{Name: "bare", State: runs},
			},
		},
	}
}

// ask sends a request as the client of that name; no name means no certificate.
func ask(ctx context.Context, client, path string, cluster kubernetes.Interface) (int, string) {
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	request.TLS = &tls.ConnectionState{}
	if client != "" {
		request.TLS.PeerCertificates = []*x509.Certificate{{Subject: pkix.Name{CommonName: client}}}
	}
	recorder := httptest.NewRecorder()
	Handler("api", cluster, slog.New(slog.DiscardHandler)).ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

// logOf returns a log of the pod.
func logOf(t *testing.T, query string) (int, string) {
	t.Helper()
	return ask(t.Context(), "api", "/containerLogs/shop/web/"+query, fake.NewClientset(pod()))
}

func TestOnlyTheAPIServerIsAnswered(t *testing.T) {
	for client, code := range map[string]int{"api": http.StatusOK, "practice-viewer": http.StatusForbidden, "": http.StatusForbidden} {
		if got, _ := ask(t.Context(), client, "/containerLogs/shop/web/app", fake.NewClientset(pod())); got != code {
			t.Errorf("%q: got %d, want %d", client, got, code)
		}
	}
}

func TestLogOptionsAgree(t *testing.T) {
	since := started.Add(5 * time.Minute)
	_, stamped := logOf(t, "app?timestamps=true")
	lines := strings.SplitAfter(strings.TrimSuffix(stamped, "\n"), "\n")
	plain, after := "", ""
	for _, line := range lines {
		at, text, _ := strings.Cut(line, " ")
		plain += text
		when, err := time.Parse(time.RFC3339Nano, at)
		if err != nil || len(at) != len("2026-01-01T00:00:00.000000000Z") {
			t.Fatalf("the time %q: %v", at, err)
		}
		if !when.Before(since) {
			after += text
		}
	}
	plain, after = plain+"\n", after+"\n"
	for query, want := range map[string]string{
		"app":                    plain,
		"app?tailLines=3":        strings.Join(strings.SplitAfter(plain, "\n")[len(lines)-3:], ""),
		"app?tailLines=0":        "",
		"app?limitBytes=50":      plain[:50],
		"app?tailLines=1000000":  plain,
		"app?sinceSeconds=10000": plain,
		"app?sinceTime=" + since.UTC().Format(time.RFC3339): after,
	} {
		// The log may have grown since it was read first.
		if _, got := logOf(t, query); !strings.HasPrefix(got, want) && !strings.Contains(query, "tailLines=3") {
			t.Errorf("%s: %d bytes that don't begin with %d others", query, len(got), len(want))
		}
	}
	_, last := logOf(t, "app?tailLines=3")
	if strings.Count(last, "\n") != 3 {
		t.Errorf("the last lines: %q", last)
	}
	_, out := logOf(t, "app?stream=Stdout")
	_, errs := logOf(t, "app?stream=Stderr")
	if n := strings.Count(out+errs, "\n") - strings.Count(plain, "\n"); n < 0 || n > 3 || out == "" || errs == "" {
		t.Errorf("both streams together have %d lines more", n)
	}
}

func TestLogsSayWhyThereAreNone(t *testing.T) {
	for query, want := range map[string]string{
		"late":               `400 container "late" in pod "web" is waiting to start: trying and failing to pull image`,
		"none":               `404 container "none" not found in pod "web"`,
		"bare?previous=true": `400 previous terminated container "bare" in pod "web" not found`,
		"app?tailLines=many": `400 tailLines: strconv.ParseInt: parsing "many": invalid syntax`,
		"app?stream=none":    `400 stream: there is no stream "none"`,
		"../gone/app":        `404 pod "gone" does not exist`,
	} {
		code, text := logOf(t, query)
		if strings.HasPrefix(query, "..") {
			code, text = ask(t.Context(), "api", "/containerLogs/shop/gone/app", fake.NewClientset(pod()))
		}
		if got := fmt.Sprint(code, " ", text); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
}

func TestThePreviousLogEndsWithTheCrash(t *testing.T) {
	_, previous := logOf(t, "app?previous=true")
	if !strings.HasSuffix(previous, "fatal: exit with code 3 (Error)\n") {
		t.Errorf("it ends with %q", previous[max(0, len(previous)-200):])
	}
	if _, now := logOf(t, "app"); strings.Contains(now, "fatal:") || strings.HasPrefix(previous, now[:100]) {
		t.Error("the new run has the log of the previous one")
	}
	if _, text := logOf(t, "prepare"); !strings.HasSuffix(text, "done\n") {
		t.Errorf("the init container: %q", text)
	}
}

func TestAFollowedLogEndsWithItsContainer(t *testing.T) {
	for name, end := range map[string]func(ctx context.Context, cluster kubernetes.Interface) error{
		"crashed": func(ctx context.Context, cluster kubernetes.Interface) error {
			p := pod()
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				StartedAt: started, FinishedAt: metav1.Now(), ExitCode: 7, Reason: "Error",
			}}
			_, err := cluster.CoreV1().Pods("shop").UpdateStatus(ctx, p, metav1.UpdateOptions{})
			return err
		},
		"deleted": func(ctx context.Context, cluster kubernetes.Interface) error {
			return cluster.CoreV1().Pods("shop").Delete(ctx, "web", metav1.DeleteOptions{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pod()
			p.Annotations = map[string]string{RateAnnotation: "100"}
			cluster := fake.NewClientset(p)
			texts := make(chan string)
			go func() {
				_, text := ask(t.Context(), "api", "/containerLogs/shop/web/app?follow=true&tailLines=1", cluster)
				texts <- text
			}()
			time.Sleep(followInterval * 3) // time for the log to grow; it is looked at in this interval
			if err := end(t.Context(), cluster); err != nil {
				t.Fatal(err)
			}
			text := <-texts
			words := map[string]string{"crashed": "exit with code 7 (Error)\n", "deleted": "exit with code 143\n"}[name]
			if strings.Count(text, "\n") < 20 || !strings.HasSuffix(text, words) {
				t.Errorf("%d lines, the last: %q", strings.Count(text, "\n"), text[max(0, len(text)-200):])
			}
		})
	}
}

func TestAnnotationsAreForAllContainersOrForOne(t *testing.T) {
	p := pod()
	p.Annotations = map[string]string{
		StyleAnnotation: "text", StyleAnnotation + ".app": "endless", RateAnnotation: "1", RateAnnotation + ".app": "3",
	}
	cluster := fake.NewClientset(p)
	of := func(container, query string) string {
		_, text := ask(t.Context(), "api", "/containerLogs/shop/web/"+container+query, cluster)
		return text
	}
	if text := of("app", "?tailLines=3&timestamps=true"); strings.Contains(text, "\n") || strings.Count(text, "Z ") != 1 || len(text) < 40_000 {
		t.Errorf("a line without an end: %d bytes, %d times, %q …", len(text), strings.Count(text, "Z "), text[:min(100, len(text))])
	}
	if text := of("bare", "?tailLines=2"); strings.Count(text, " [orders] ") != 2 {
		t.Errorf("the other container: %q", text)
	}
	stretch := func(container string) int { return len(of(container, "")) }
	if n := stretch("app") / (16 << 10); n < 3*590 {
		t.Errorf("%d chunks in ten minutes at three a second", n)
	}
}
