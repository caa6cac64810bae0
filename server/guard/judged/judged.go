// Package judged carries the guard's judgement of an API request to the place that sends the request.
//
//	guard ── Of, Into ──▶ context of the request ──▶ From, Check ── proxy ──▶ API server
//
// Everything between the two may rewrite the request. Check finds a rewrite that changed what the guard had judged, so that
// a fault of this kind ends in a refusal and not in another request than the one that was allowed.
package judged

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// fields are the headers by which the guard judges what a request does: how its body is read, and what its connection becomes.
var fields = [...]string{"Content-Type", "Content-Encoding", "Upgrade"}

// Request is what the guard judged about an API request. It doesn't change.
type Request struct {
	method  string
	cluster string
	target  string // canonical path and query
	values  [len(fields)][]string
	length  int64
	digest  *[sha256.Size]byte // nil if the guard didn't judge the body
}

// Of notes what the guard judged: the request r, whose API path is path.
func Of(r *http.Request, path apipath.Path) *Request {
	j := &Request{method: r.Method, cluster: cluster(r.URL.EscapedPath()), target: target(path.String(), r.URL.RawQuery), length: r.ContentLength}
	for i, name := range fields {
		j.values[i] = slices.Clone(r.Header[name])
	}
	if b, ok := r.Body.(*body); ok {
		j.digest = &b.digest
	}
	return j
}

// cluster is the cluster's name in the path /clusters/{name}/….
func cluster(escaped string) string {
	_, after, _ := strings.Cut(strings.TrimPrefix(escaped, "/"), "/")
	name, _, _ := strings.Cut(after, "/")
	plain, err := url.PathUnescape(name)
	if err != nil {
		return ""
	}
	return plain
}

func target(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// Body is a request body that the guard has read and judged.
func Body(content []byte) io.ReadCloser {
	return &body{*bytes.NewReader(content), sha256.Sum256(content)}
}

type body struct {
	bytes.Reader
	digest [sha256.Size]byte
}

// Close implements io.Closer.
func (*body) Close() error { return nil }

type key struct{}

// Into gives a context that carries j.
func (j *Request) Into(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, j) }

// From is what the guard judged about the request with this context. It is nil if the guard didn't judge the request.
func From(ctx context.Context) *Request {
	j, _ := ctx.Value(key{}).(*Request)
	return j
}

// Check compares out, which is about to be sent to base for the named cluster, with what the guard judged. It names the part that
// differs; the name holds nothing that the client sent. If nothing differs, it gives the request to send: Check reads a body that
// the guard judged, and puts what it read in the place of the body.
func (j *Request) Check(out *http.Request, base *url.URL, cluster string) (send *http.Request, differs string) {
	if j == nil {
		return nil, "everything, because the guard never saw this request"
	}
	if differs = j.differs(out, base, cluster); differs != "" {
		return nil, differs
	}
	if j.digest == nil {
		return out, ""
	}
	return j.checkBody(out)
}

func (j *Request) differs(out *http.Request, base *url.URL, cluster string) string {
	switch {
	case out.Method != j.method:
		return "method"
	case cluster != j.cluster:
		return "cluster"
	case out.URL.Scheme != base.Scheme || out.URL.Host != base.Host || out.Host != base.Host:
		return "server"
	case out.URL.RequestURI() != base.EscapedPath()+j.target:
		return "path or query"
	case out.ContentLength != j.length || len(out.TransferEncoding) > 0:
		return "length of the body"
	case (out.Body == nil || out.Body == http.NoBody) != (j.length == 0):
		return "body"
	}
	for i, name := range fields {
		if !slices.Equal(out.Header[name], j.values[i]) {
			return name
		}
	}
	return ""
}

// checkBody reads the body, which is as short as the guard wants bodies that it judges.
func (j *Request) checkBody(out *http.Request) (send *http.Request, differs string) {
	content, err := io.ReadAll(io.LimitReader(out.Body, j.length+1))
	if err != nil || int64(len(content)) != j.length || sha256.Sum256(content) != *j.digest {
		return nil, "body"
	}
	_ = out.Body.Close()
	same := *out
	same.Body = io.NopCloser(bytes.NewReader(content))
	return &same, ""
}
