// Package kubelet simulates the kubelet of each node: the part of its API that the API server uses for logs, and for streams to containers.
package kubelet

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/fieldmark/fieldmark/practice/filesystem"
	"github.com/fieldmark/fieldmark/practice/shell"
)

const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

// kubelet answers for all nodes.
type kubelet struct {
	client     kubernetes.Interface
	log        *slog.Logger
	host       *shell.Host
	containers *containers
}

// Handler serves the requests of the client of that name, and refuses those of others. It reads pods with client.
func Handler(name string, client kubernetes.Interface, log *slog.Logger) http.Handler {
	k := &kubelet{client: client, log: log, host: shell.NewHost(), containers: &containers{files: map[string]*filesystem.FS{}}}
	mux := http.NewServeMux()
	for _, path := range []string{
		"/exec/{namespace}/{pod}/{container}",
		"/exec/{namespace}/{pod}/{uid}/{container}",
	} {
		mux.HandleFunc(path, k.serveExec)
	}
	for _, path := range []string{
		"/attach/{namespace}/{pod}/{container}",
		"/attach/{namespace}/{pod}/{uid}/{container}",
	} {
		mux.HandleFunc(path, k.serveAttach)
	}
	mux.HandleFunc("/portForward/{namespace}/{pod}", k.servePortForward)
	mux.HandleFunc("/portForward/{namespace}/{pod}/{uid}", k.servePortForward)
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", k.serveLogs)
	return only(name, log, mux)
}

// only accepts requests of one client. The listener has verified the client's
// certificate; only checks its name.
func only(client string, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := ""
		if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
			name = r.TLS.PeerCertificates[0].Subject.CommonName
		}
		if name != client {
			log.Warn("refused", "client", name, "path", r.URL.Path)
			http.Error(w, "only the API server may send requests to a simulated kubelet", http.StatusForbidden)
			return
		}
		log.Info("asked", "method", r.Method, "path", r.URL.Path)
		next.ServeHTTP(w, r)
	})
}

// fail sends an error as a kubelet does: its text, with a status code.
func fail(w http.ResponseWriter, err error) {
	code := http.StatusInternalServerError
	var r *refusal
	if errors.As(err, &r) {
		code = r.code
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(err.Error())) // the client may have gone
}
