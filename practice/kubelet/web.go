package kubelet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// longestEcho is how much of a body a simulated web server sends back.
const longestEcho = 16 << 20

// listens returns the container that listens on a port of a pod, if it runs.
func listens(pod *corev1.Pod, port int32) *corev1.Container {
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		status := statusOf(pod, c.Name)
		if status == nil || status.State.Running == nil {
			continue
		}
		if slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.ContainerPort == port }) {
			return c
		}
	}
	return nil
}

// site is what a simulated web server serves.
func site(pod *corev1.Pod, c *corev1.Container, port int32) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n") // the client may have gone
	})
	mux.HandleFunc("POST /echo", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, io.LimitReader(r.Body, longestEcho)) // the same
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = fmt.Fprintf(w, "%s %s\npod: %s/%s\ncontainer: %s (%s), port %d\n", r.Method, r.URL.Path, pod.Namespace, pod.Name, c.Name, c.Image, port)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "simulated")
		mux.ServeHTTP(w, r)
	})
}

// PortForward lets a client talk with a simulated web server.
func (s *streams) PortForward(ctx context.Context, name, _ string, port int32, stream io.ReadWriteCloser) error {
	defer func() { _ = stream.Close() }()
	pod, err := s.pod(s.ctx, s.namespace, name)
	if err != nil {
		return err
	}
	c := listens(pod, port)
	if c == nil {
		return fmt.Errorf("failed to execute portforward in network namespace %q: failed to connect to localhost:%d inside namespace %q, "+
			"IPv4: dial tcp4 127.0.0.1:%d: connect: connection refused", netns(pod), port, pod.UID, port)
	}
	server := &http.Server{Handler: site(pod, c, port), ReadHeaderTimeout: idleTimeout, BaseContext: func(net.Listener) context.Context { return ctx }}
	conn, other := net.Pipe()
	go func() {
		_, _ = io.Copy(other, stream)      // until the client sends no more
		server.SetKeepAlivesEnabled(false) // what is being answered is still sent
	}()
	go func() { _ = server.Serve(&oneConn{conn: conn}) }() // ends with errServed
	_, err = io.Copy(stream, other)
	if err != nil {
		return fmt.Errorf("serving port %d: %w", port, err)
	}
	return nil
}

// netns is where the network of a pod would be.
func netns(pod *corev1.Pod) string { return "/var/run/netns/cni-" + string(pod.UID) }

// errServed ends a listener whose only connection was taken.
var errServed = errors.New("there is no other connection")

// oneConn is a listener with one connection.
type oneConn struct{ conn net.Conn }

// Accept implements net.Listener.
func (l *oneConn) Accept() (net.Conn, error) {
	conn := l.conn
	if l.conn = nil; conn == nil {
		return nil, errServed
	}
	return conn, nil
}

// Close implements net.Listener.
func (*oneConn) Close() error { return nil }

// Addr implements net.Listener.
func (*oneConn) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// fetch returns what a web server of the cluster returns for an address, as it is seen from a pod. It never asks a server outside of the cluster.
func (k *kubelet) fetch(ctx context.Context, from *corev1.Pod, address string) (code int, body string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" {
		return 0, "", errors.New("only http addresses of the cluster work here")
	}
	port := intstr.FromInt32(80)
	if u.Port() != "" {
		n, err := strconv.ParseInt(u.Port(), 10, 32)
		if err != nil {
			return 0, "", fmt.Errorf("the port: %w", err)
		}
		port = intstr.FromInt32(int32(n))
	}
	pod, target, err := k.resolve(ctx, from, u.Hostname(), port)
	if err != nil {
		return 0, "", err
	}
	c := listens(pod, target)
	if c == nil {
		return 0, "", fmt.Errorf("can't connect to %s: Connection refused", u.Host)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0, "", fmt.Errorf("the address: %w", err)
	}
	w := &response{header: http.Header{}, code: http.StatusOK}
	site(pod, c, target).ServeHTTP(w, request)
	return w.code, w.body.String(), nil
}

// response keeps what a handler writes.
type response struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(code int) { r.code = code }

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	r.body.Write(p) // a buffer takes everything
	return len(p), nil
}

// resolve finds the pod and its port behind a host name or an address of the cluster.
func (k *kubelet) resolve(ctx context.Context, from *corev1.Pod, host string, port intstr.IntOrString) (*corev1.Pod, int32, error) {
	unknown := fmt.Errorf("bad address '%s'", host)
	if host == "localhost" || host == "127.0.0.1" || host == from.Status.PodIP {
		return from, port.IntVal, nil
	}
	namespace, name := from.Namespace, strings.TrimSuffix(strings.TrimSuffix(host, ".cluster.local"), ".svc")
	if before, after, dotted := strings.Cut(name, "."); dotted {
		name, namespace = before, after
	}
	service, err := k.client.CoreV1().Services(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil || len(service.Spec.Selector) == 0 {
		return nil, 0, unknown
	}
	at := slices.IndexFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Port == port.IntVal })
	if at < 0 {
		return nil, 0, fmt.Errorf("can't connect to %s: Connection refused", host)
	}
	pods, err := k.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: labels.SelectorFromSet(service.Spec.Selector).String()})
	if err != nil {
		return nil, 0, unknown
	}
	for i := range pods.Items {
		if target := targetPort(&pods.Items[i], service.Spec.Ports[at]); listens(&pods.Items[i], target) != nil {
			return &pods.Items[i], target, nil
		}
	}
	return nil, 0, fmt.Errorf("can't connect to %s: No route to host", host)
}

// targetPort returns the port of a pod that a port of a service leads to.
func targetPort(pod *corev1.Pod, p corev1.ServicePort) int32 {
	if p.TargetPort.Type == intstr.Int {
		if p.TargetPort.IntVal == 0 {
			return p.Port
		}
		return p.TargetPort.IntVal
	}
	for i := range pod.Spec.Containers {
		for _, port := range pod.Spec.Containers[i].Ports {
			if port.Name == p.TargetPort.StrVal {
				return port.ContainerPort
			}
		}
	}
	return 0
}
