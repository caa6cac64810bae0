package cluster

import (
	"fmt"
	"net/http"
	"strings"

	// The auth providers that client-go still has (oidc).
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/transport"

	"github.com/fieldmark/fieldmark/server/upstream"
)

// build makes the target of the kubeconfig's context, or of a person at a site. Errors are *Problem.
func (c *Cluster) build() (*upstream.Target, error) {
	if c.site != nil {
		return c.personal()
	}
	known := c.kubeconfig.Load().Config
	if p := check(known, c.name); p != nil {
		return nil, p
	}
	config, err := clientcmd.NewNonInteractiveClientConfig(*known, c.name, &clientcmd.ConfigOverrides{}, c.access).ClientConfig()
	if err != nil {
		return nil, unusableContext(err)
	}
	config.UserAgent = "" // the client's own User-Agent is sent, because field managers are named after it
	from := sourceOf(config)
	if config.ExecProvider != nil {
		says := sayingPath()
		c.saying.Store(&says)
		config.ExecProvider = c.settings.throughUs(config.ExecProvider, says)
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, unusableContext(err)
	}
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), ""
	wire, err := c.wire(config, from)
	if err != nil {
		return nil, unusableContext(err)
	}
	c.settings.log.Debug("context ready to use", "context", c.name, "server", base.Host)
	return upstream.New(base, wire), nil
}

// wire returns how to connect and what to add to requests. Both are as in client-go.
func (c *Cluster) wire(config *rest.Config, from source) (upstream.Config, error) {
	if config.AuthProvider != nil { // client-go keeps an auth provider's tokens for the whole process, by the address
		config = rest.CopyConfig(config)
		config.Host += fmt.Sprintf("#%x", c.login)
	}
	tc, err := config.TransportConfig()
	if err != nil {
		return upstream.Config{}, fmt.Errorf("reading the connection settings: %w", err)
	}
	tlsConfig, err := transport.TLSConfigFor(tc)
	if err != nil {
		return upstream.Config{}, fmt.Errorf("preparing TLS: %w", err)
	}
	// This first build finds the errors that Wrap below could have.
	if _, err := transport.HTTPWrappersForConfig(tc, nil); err != nil {
		return upstream.Config{}, fmt.Errorf("preparing the credentials: %w", err)
	}
	out := upstream.Config{TLS: tlsConfig, Proxy: tc.Proxy}
	if out.Proxy == nil {
		out.Proxy = http.ProxyFromEnvironment
	}
	if tc.DialHolder != nil {
		out.Dial = tc.DialHolder.Dial
	}
	out.Wrap = func(rt http.RoundTripper) http.RoundTripper { return c.authenticated(tc, from, rt) }
	return out, nil
}

// authenticated adds the context's credentials, and no others.
func (c *Cluster) authenticated(tc *transport.Config, from source, rt http.RoundTripper) http.RoundTripper {
	wrapped, err := transport.HTTPWrappersForConfig(tc, passage{rt})
	if err != nil {
		return broken{unusableContext(err)}
	}
	return ownOnly{written: from != source{}, next: newGate(c, from, wrapped)}
}

// unusableContext is a Problem with client-go's message, for errors that check doesn't find.
func unusableContext(err error) *Problem {
	return &Problem{
		Text:   fmt.Sprintf("the context can't be used (%s)", oneLine(err)),
		Advice: "Correct the context, its cluster or its user in the kubeconfig. To see them, run kubectl config view.",
	}
}

// broken is the transport if the real one could not be made.
type broken struct{ err error }

// RoundTrip fails.
func (b broken) RoundTrip(*http.Request) (*http.Response, error) { return nil, b.err }
