// Package proxy passes API requests through to the API server of a cluster. Method, path, query and body don't change. Only listed
// headers pass. The cluster's credentials replace everything that the client says about its identity.
package proxy

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/guard/status"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Prefix is the part of the URL space that is the API of the clusters.
const Prefix = "/clusters/"

// Options say where the proxy sends requests, and which functions it calls.
type Options struct {
	// Resolve finds the way to a cluster. An error with a method HTTPStatus() int decides the status of the
	// refusal, and its text is shown; any other error is a 502 and goes to the log only.
	Resolve func(ctx context.Context, cluster string) (*upstream.Target, error)
	// Clusters returns the names of all clusters, for the message of a 404. Optional.
	Clusters func() []string
	// Tap records every request. Optional.
	Tap *wiretap.Log
	// Session returns the id of the request's session, in whose wire log the request is recorded, and whether it is that of a browser. Optional.
	Session func(ctx context.Context) (id string, browser bool)
	// As says what to do instead of impersonating somebody with headers, in whole sentences. The default is about the contexts of a kubeconfig.
	As string
	// Log receives errors that clients must not see. Optional.
	Log *slog.Logger
}

// Proxy is the handler below Prefix.
type Proxy struct {
	opt      Options
	upgrader *httputil.ReverseProxy
	pieces   sync.Pool // of responses that the client waits for as a whole
	events   sync.Pool // of responses that last
}

// New makes the handler.
func New(opt Options) *Proxy {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Session == nil {
		opt.Session = func(context.Context) (string, bool) { return "", false }
	}
	if opt.As == "" {
		opt.As = "It sends every request as the user of the cluster's own context. Use a context whose user has act-as instead."
	}
	p := &Proxy{opt: opt}
	p.pieces.New = func() any { b := make([]byte, piece); return &b }
	p.events.New = func() any { b := make([]byte, events); return &b }
	p.upgrader = p.newUpgrader()
	return p
}

// call is one request that the proxy passes on.
type call struct {
	cluster string
	path    apipath.Path
	target  *upstream.Target
	via     http.RoundTripper

	// Only for an upgrade: the client's request, and the headers of the response to it.
	in     *http.Request
	header http.Header
}

// ServeHTTP implements http.Handler. Its request path is Prefix, the cluster's name, and the API path.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := p.call(r)
	if err != nil {
		p.refuse(w, r, c, err)
		return
	}
	if r.Header.Get("Upgrade") != "" {
		p.upgrade(w, r, c)
		return
	}
	p.pass(w, r, c)
}

func (p *Proxy) call(r *http.Request) (*call, error) {
	cluster, rest, err := Split(r.URL.EscapedPath())
	c := &call{cluster: cluster}
	if err != nil {
		return c, &failure{http.StatusBadRequest, err.Error()}
	}
	if c.path, err = apipath.Parse(rest); err != nil {
		return c, &failure{http.StatusBadRequest, err.Error()}
	}
	if impersonates(r.Header) {
		return c, &failure{http.StatusForbidden, "Fieldmark refuses impersonation (Impersonate-* headers, kubectl --as). " + p.opt.As}
	}
	if c.target, err = p.opt.Resolve(r.Context(), cluster); err != nil {
		return c, err
	}
	c.via = c.target.Transport
	if p.opt.Tap != nil {
		who := wiretap.Who{Cluster: cluster, Origin: wiretap.Client, Reread: r.Header[rereadHeader] != nil}
		var browser bool
		if who.Session, browser = p.opt.Session(r.Context()); browser {
			who.Origin = wiretap.Browser
		}
		c.via = p.opt.Tap.Transport(c.via, who)
	}
	return c, nil
}

// Split splits an escaped request path below Prefix into the cluster's name and the API path. If there is no API path, it is the root.
func Split(escaped string) (cluster, rest string, err error) {
	after, ok := strings.CutPrefix(escaped, Prefix)
	if !ok {
		return "", "", errors.New("the path must begin with " + Prefix)
	}
	cluster, rest, _ = strings.Cut(after, "/")
	cluster, err = url.PathUnescape(cluster)
	if err != nil || cluster == "" || strings.ContainsAny(cluster, "/\\%;\x00") {
		return "", "", errors.New("the path doesn't name a cluster")
	}
	return cluster, "/" + rest, nil
}

// aim is the URL of a request at the API server. It has the canonical path, so the path that is sent is the one that was checked.
func aim(base *url.URL, path apipath.Path, rawQuery string) *url.URL {
	escaped := path.String()
	u := &url.URL{Scheme: base.Scheme, Host: base.Host, RawQuery: rawQuery}
	u.Path = base.Path + escaped
	if strings.IndexByte(escaped, '%') >= 0 || base.RawPath != "" {
		u.RawPath = base.EscapedPath() + escaped
		if plain, err := url.PathUnescape(escaped); err == nil {
			u.Path = base.Path + plain
		}
	}
	return u
}

type failure struct {
	code  int
	words string
}

func (f *failure) Error() string   { return f.words }
func (f *failure) HTTPStatus() int { return f.code }

// refuse responds to a request to which the API server sent no response.
func (p *Proxy) refuse(w http.ResponseWriter, r *http.Request, c *call, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		panic(http.ErrAbortHandler) // the client is gone; there is nobody to tell
	}
	var told interface {
		error
		HTTPStatus() int
	}
	if !errors.As(err, &told) {
		unreachable := upstream.Unreach(err)
		told = &failure{unreachable.HTTPStatus(), unreachable.Words()}
		p.opt.Log.Warn("no response from the API server", "cluster", c.cluster, "path", c.path.String(), "error", err)
	}
	words := told.Error()
	if told.HTTPStatus() == http.StatusNotFound && p.opt.Clusters != nil {
		words += " " + p.known()
	}
	w.Header()["Content-Security-Policy"] = sandboxed
	if saysMore(told.HTTPStatus()) && aboutAPI(c.path) && r.Header["Sec-Fetch-Mode"] == nil { // browsers send it, and our pages read a Status everywhere
		status.WriteText(w, told.HTTPStatus(), words)
		return
	}
	status.Write(w, told.HTTPStatus(), words)
}

// aboutAPI tells whether a path is about the API itself: discovery, OpenAPI, the version. client-go asks for these by Request.Raw, whose errors are made without
// the Status in the body.
func aboutAPI(p apipath.Path) bool {
	document := p.Kind == apipath.KindNonResource && (strings.HasPrefix(p.Rest, "/openapi/") || p.Rest == "/version")
	return document || p.Kind == apipath.KindGroupList || p.Kind == apipath.KindDiscovery
}

// saysMore tells whether client-go prints a text that comes with the code. With all other codes it prints sentences of its own.
func saysMore(code int) bool {
	return code == http.StatusForbidden || code == http.StatusInternalServerError || code == http.StatusBadGateway
}

func (p *Proxy) known() string {
	names := p.opt.Clusters()
	if len(names) == 0 {
		return "Fieldmark knows no clusters."
	}
	return "Known clusters: " + strings.Join(names, ", ") + "."
}
