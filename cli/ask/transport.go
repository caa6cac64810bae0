package ask

import (
	"context"
	"io"
	"net/http"

	"k8s.io/client-go/rest"
)

// Within makes a context end all requests, also those that client-go makes without a context: for discovery, schemas and lists.
func (c *Cluster) Within(ctx context.Context) { c.ctx = ctx }

// bound makes requests end with the cluster's context.
func (c *Cluster) bound(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
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
