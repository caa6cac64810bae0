package tools

import (
	"context"
	"io"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Cluster makes requests to one API server. All of them pass a gate, which refuses everything but reads and dry runs. It is safe for concurrent use.
type Cluster interface {
	// Send sends a GET, or a dry run. If there is no body, the status says why; its code is 0 if there was no response.
	Send(ctx context.Context, a inquiry.Ask) (body []byte, no *status.Status)
	// Ask sends a GET of an object, or a dry run of a write. A refusal is a response.
	Ask(ctx context.Context, a check.Ask) (check.Response, error)
	// Stream sends a GET, and returns the body while it arrives.
	Stream(ctx context.Context, target string) (io.ReadCloser, *status.Status)
	// Catalog is what the cluster serves. If it is fresh, nothing that was remembered is used.
	Catalog(ctx context.Context, fresh bool) (discovery.Catalog, error)
	// Schema is the schema of a type; nil: it isn't known.
	Schema(ctx context.Context, of discovery.Type) *schema.Schema
	// Namespace is the namespace of calls that name none.
	Namespace() string
}

// Clusters are the clusters that an assistant may ask.
type Clusters interface {
	// List names them. It makes no request.
	List(ctx context.Context) ([]Named, error)
	// Open is the cluster of a name; empty: the usual one.
	Open(ctx context.Context, name string) (Cluster, error)
}

// Named is the name of a cluster.
type Named struct {
	Name  string `json:"name"`
	Usual bool   `json:"usual,omitempty"` // calls that name no cluster ask this one
}

// Redact takes credentials out of texts and documents. It is a value, because the terminal can't import the server's package.
type Redact struct {
	Body  func(body []byte, mediaType string, cut bool) (clean []byte, redacted bool, withheld string)
	Names func(name string) bool // tells whether a value of this name is a credential
	Text  func(text string) string
	Mark  string // stands where a value was
}

// missing tells that a part isn't there. Then no text can be shown.
func (r Redact) missing() bool { return r.Body == nil || r.Names == nil || r.Text == nil }

// get sends a GET that must succeed.
func get(ctx context.Context, c Cluster, target, accept string) ([]byte, error) {
	ask, err := asking(http.MethodGet, target)
	if err != nil {
		return nil, err
	}
	ask.Accept = accept
	body, no := c.Send(ctx, ask)
	if no != nil {
		return nil, refusedBy(no)
	}
	return body, nil
}
