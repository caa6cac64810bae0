package aggregated

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/practice/pki"
)

// farewell is how long requests may take to end when the server stops.
const farewell = time.Second

// API is a group that a server serves besides its own.
type API struct {
	Group, Version string
	Types          int    // how many types the group has
	Service        string // by which the API server finds it
	Handler        http.Handler
}

// Server listens on the loopback address.
type Server struct {
	http *http.Server
	port int
	apis []API
	end  context.CancelFunc
	done chan error
}

// Listen starts a server that accepts only requests of the API server: its
// certificate must be signed by the authority for front proxies, and have its name.
// Besides its own group, it serves those of others.
func Listen(certs *pki.Set, mayHold func(ctx context.Context, namespace string) error, log *slog.Logger, others ...API) (*Server, error) {
	config, err := tlsConfig(certs)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	ctx, end := context.WithCancel(context.Background())
	own := API{Group, Version, len(served), pki.AggregatedService, &handler{store: newStore(time.Now), mayHold: mayHold}}
	s := &Server{port: listener.Addr().(*net.TCPAddr).Port, apis: append([]API{own}, others...), end: end, done: make(chan error, 1)}
	s.http = &http.Server{
		Handler:           only(pki.FrontProxyName, log, s.byGroup(own.Handler)),
		TLSConfig:         config,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	go func() { s.done <- s.http.ServeTLS(listener, "", "") }()
	return s, nil
}

// byGroup passes a request to the handler of its group, or to another one if it names none of the groups.
func (s *Server) byGroup(otherwise http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		group, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/apis/"), "/")
		for _, api := range s.apis {
			if api.Group == group {
				api.Handler.ServeHTTP(w, r)
				return
			}
		}
		otherwise.ServeHTTP(w, r)
	})
}

func tlsConfig(certs *pki.Set) (*tls.Config, error) {
	cert, err := tls.X509KeyPair(certs.Aggregated.Cert, certs.Aggregated.Key)
	if err != nil {
		return nil, fmt.Errorf("reading the aggregated server's certificate: %w", err)
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM(certs.FrontProxyCA.Cert) {
		return nil, errors.New("no certificate of the authority for front proxies")
	}
	return &tls.Config{
		Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12,
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients,
	}, nil
}

// Close ends watches, gives other requests a moment, and stops.
func (s *Server) Close() error {
	s.end()
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		_ = s.http.Close()
	}
	if err := <-s.done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// only accepts requests of the client with that name, if they name a user. The
// listener has verified the client's certificate.
func only(client string, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS == nil || len(r.TLS.PeerCertificates) == 0 || r.TLS.PeerCertificates[0].Subject.CommonName != client {
			log.Warn("the aggregated API refused a client that is not the API server", "path", r.URL.Path)
			refuse(w, status(http.StatusUnauthorized, "Unauthorized", "only the API server may send requests"))
			return
		}
		if r.Header.Get("X-Remote-User") == "" {
			refuse(w, status(http.StatusUnauthorized, "Unauthorized", "the request names no user (X-Remote-User)"))
			return
		}
		next.ServeHTTP(w, r)
	})
}
