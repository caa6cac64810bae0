package proxy

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"strings"
)

type callKey struct{}

// upgrade passes on a request that changes the protocol of its connection (exec, attach, port-forward, watch over WebSocket).
// Whatever the response is, neither of the two connections carries another request after it (threat: failed upgrade).
func (p *Proxy) upgrade(w http.ResponseWriter, r *http.Request, c *call) {
	c.header = w.Header()
	c.in = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	p.upgrader.ServeHTTP(w, c.in)
}

func (p *Proxy) newUpgrader() *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite:        p.rewrite,
		Transport:      sender{p},
		ModifyResponse: p.modify,
		FlushInterval:  -1,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			w.Header().Set("Connection", "close")
			p.refuse(w, r, callOf(r), err)
		},
		ErrorLog: slog.NewLogLogger(p.opt.Log.Handler(), slog.LevelDebug),
	}
}

func callOf(r *http.Request) *call { return r.Context().Value(callKey{}).(*call) }

// rewrite runs after ReverseProxy has removed the hop-by-hop headers, and before the credentials are added. So a client that lists
// Authorization in Connection removes only its own credentials (threat: hop-by-hop smuggling).
func (p *Proxy) rewrite(pr *httputil.ProxyRequest) {
	c := callOf(pr.In)
	pr.Out.URL = aim(c.target.Base, c.path, pr.In.URL.RawQuery)
	pr.Out.Host = c.target.Base.Host
	upgrade := pr.Out.Header.Get("Upgrade")
	pr.Out.Header = outgoing(pr.Out.Header)
	pr.Out.Trailer = nil
	pr.Out.Header.Set("Connection", "Upgrade")
	pr.Out.Header.Set("Upgrade", upgrade)
	if strings.EqualFold(upgrade, "websocket") && !c.path.IsWorkloadProxy() {
		// The API server refuses a watch over WebSocket without an Origin. The guard has checked the client's Origin,
		// which is foreign to the API server. A workload gets no Origin, because it may have its own rules for it.
		pr.Out.Header.Set("Origin", c.target.Base.Scheme+"://"+c.target.Base.Host)
	}
}

func (p *Proxy) modify(resp *http.Response) error {
	clean := http.Header{}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		// For the response to a POST, Response.Write would add a Content-Length of zero, which a 101 must not have.
		resp.Request.Method = http.MethodGet
		switched(clean, resp.Header)
	} else {
		incoming(clean, resp, callOf(resp.Request))
		clean.Set("Connection", "close")
	}
	clean["Cache-Control"] = noStore
	p.number(clean, resp.Header)
	for name := range clean { // ReverseProxy would add its values to those that the guard has set
		delete(callOf(resp.Request).header, name)
	}
	resp.Header = clean
	return nil
}

// switched copies the headers of a 101 response that the client may have to dst.
func switched(dst, src http.Header) {
	forward(dst, src)
	dst["Connection"] = []string{"Upgrade"}
	dst["Upgrade"] = src["Upgrade"]
}

// sender sends the request of a call.
type sender struct{ p *Proxy }

// RoundTrip implements http.RoundTripper. It hides two things from ReverseProxy, which would pass both on: interim
// responses (1xx), which ReverseProxy receives through its own context, and trailers. An upgrade needs neither.
func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	c := callOf(r)
	resp, err := s.p.sendRequest(r.WithContext(c.in.Context()), c)
	if err != nil {
		return nil, err
	}
	plain := *resp // the transport writes later trailers into the original
	plain.Trailer = nil
	return &plain, nil
}
