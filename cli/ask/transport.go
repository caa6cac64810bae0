package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Within makes a context end all requests, also those that client-go makes without a context: for discovery, schemas and lists.
func (c *Cluster) Within(ctx context.Context) { c.ctx = ctx }

// Through makes all requests of the cluster, and of its other contexts, pass a transport that wrap makes for the API server's address. It is the last
// one before the connection. Call it before the first request.
func (c *Cluster) Through(wrap func(base *url.URL, next http.RoundTripper) http.RoundTripper) {
	c.through = wrap
}

// bound makes requests end with the cluster's context.
func (c *Cluster) bound(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	if wrap := c.through; wrap != nil {
		base, _, err := rest.DefaultServerUrlFor(config)
		config.Wrap(func(next http.RoundTripper) http.RoundTripper {
			if err != nil {
				return unsent{fmt.Errorf("reading the address of the API server: %w", err)}
			}
			return wrap(base, next)
		})
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return ending{next, c} })
	return config
}

type ending struct {
	next    http.RoundTripper
	cluster *Cluster
}

func (e ending) RoundTrip(request *http.Request) (*http.Response, error) {
	if e.cluster.ctx == nil {
		return e.next.RoundTrip(request)
	}
	ctx, cancel := context.WithCancel(request.Context())
	stop := context.AfterFunc(e.cluster.ctx, cancel)
	over := func() {
		stop()
		cancel()
	}
	response, err := e.next.RoundTrip(request.WithContext(ctx))
	if err != nil {
		over()
		return nil, err
	}
	response.Body = &body{response.Body, over}
	return response, nil
}

// body is a response's body that calls over when it is closed.
type body struct {
	io.ReadCloser
	over func()
}

func (b *body) Close() error {
	defer b.over()
	return b.ReadCloser.Close()
}

// unsent is a transport that sends nothing.
type unsent struct{ why error }

func (u unsent) RoundTrip(*http.Request) (*http.Response, error) { return nil, u.why }

// Stream sends a GET and returns the body while it arrives, such as the lines of a watch. Without a body, the status says why.
func (r *Requests) Stream(ctx context.Context, target string) (io.ReadCloser, *status.Status) {
	if !single(target) {
		return nil, &status.Status{Message: errPath.Error()}
	}
	body, err := r.client.Get().RequestURI(target).SetHeader("Accept", "application/json").Stream(ctx)
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		of := answer.Status()
		return nil, &status.Status{Code: int(of.Code), Reason: string(of.Reason), Message: of.Message}
	}
	if err != nil {
		return nil, &status.Status{Message: oneLine(err)}
	}
	return body, nil
}
