// Package robin is a reverse proxy as an ingress is one: TLS outside, plain HTTP inside, and each request goes to the next replica. No request,
// and no WebSocket, returns to a replica because an earlier one was there.
package robin

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// Proxy is a proxy that runs.
type Proxy struct {
	http *http.Server

	mu       sync.Mutex
	replicas []*url.URL
	next     int
	served   map[string]int
}

// Listen takes a free port of this machine, and returns the address at which browsers will find it. Serve serves there.
func Listen(ctx context.Context) (net.Listener, string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("listening for browsers: %w", err)
	}
	return listener, "https://" + listener.Addr().String(), nil
}

// Serve passes requests on to replicas, which are host:port each.
func Serve(listener net.Listener, secure *tls.Config, log *slog.Logger, replicas ...string) *Proxy {
	p := &Proxy{served: map[string]int{}}
	p.Lead(replicas...)
	handler := &httputil.ReverseProxy{
		Rewrite: p.rewrite, FlushInterval: -1,
		Transport: &patient{p, &http.Transport{MaxIdleConnsPerHost: 32}},
		ErrorLog:  slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	p.http = &http.Server{Handler: handler, TLSConfig: secure, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go func() { _ = p.http.ServeTLS(listener, "", "") }()
	return p
}

// Lead lets all further requests go to these replicas.
func (p *Proxy) Lead(replicas ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replicas = nil
	for _, address := range replicas {
		p.replicas = append(p.replicas, &url.URL{Scheme: "http", Host: address})
	}
}

// Served is how many requests each replica got.
func (p *Proxy) Served(address string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.served[address]
}

// Stop ends the proxy and its connections, except WebSockets: those end with their replicas.
func (p *Proxy) Stop() error {
	if err := p.http.Close(); err != nil {
		return fmt.Errorf("stopping the proxy: %w", err)
	}
	return nil
}

func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(p.turn(""))
	r.Out.Host = r.In.Host
	r.SetXForwarded()
}

// turn is the replica whose turn it is. Other requests take turns, too, so the one that could not be reached is named: it gets the request only if there is
// no other.
func (p *Proxy) turn(unreachable string) *url.URL {
	p.mu.Lock()
	defer p.mu.Unlock()
	replica := p.replicas[p.next%len(p.replicas)]
	if replica.Host == unreachable {
		p.next++
		replica = p.replicas[p.next%len(p.replicas)]
	}
	p.next++
	p.served[replica.Host]++
	return replica
}

// patient sends a request to another replica if one can't be reached. No byte was sent then, so the request is sent once.
type patient struct {
	proxy *Proxy
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (p *patient) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := p.next.RoundTrip(r)
	var network *net.OpError
	if err == nil || !errors.As(err, &network) || network.Op != "dial" {
		return response, err
	}
	r.URL.Host = p.proxy.turn(r.URL.Host).Host
	return p.next.RoundTrip(r)
}
