// Package api makes single API requests on behalf of a session. They are bounded and follow no redirects. Errors say in words what went
// wrong.
package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// DefaultMaxBytes bounds a body when the request sets no bound of its own: 64 MiB.
const DefaultMaxBytes = 64 << 20

// maxErrorBytes bounds how much of the body is read if the response is an error.
const maxErrorBytes = 1 << 20

// Client sends requests to one API server with one credential. It has no state of its own and is safe to share.
type Client struct {
	target upstream.Target
}

// New makes a client. To record the requests, wrap target.Transport.
func New(target upstream.Target) *Client { return &Client{target: target} }

// Target is the API server that the client sends requests to.
func (c *Client) Target() upstream.Target { return c.target }

// Request is one API request.
type Request struct {
	// Method is the HTTP method; GET when empty.
	Method string
	// Path is an absolute, escaped path with its query: /api/v1/pods?limit=1.
	Path string
	// Accept is the Accept header; application/json when empty.
	Accept string
	// ContentType is the media type of Body.
	ContentType string
	Body        []byte
	// MaxBytes bounds the response's body, before and after decompression; DefaultMaxBytes when 0.
	MaxBytes int64
	// Gzip requests a compressed response. It helps on a slow network, and costs CPU time of the API server.
	Gzip bool
	// Header has further headers.
	Header http.Header
}

// Answer is the response to a request.
type Answer struct {
	// Status is the HTTP status code.
	Status int
	// MediaType is the Content-Type header with its parameters.
	MediaType string
	Header    http.Header
	// Body is decompressed. Stream leaves it empty.
	Body []byte
	// Warnings are the Warning headers, in order.
	Warnings []status.Warning
}

// Error is a response with a status code outside 200–299.
type Error struct {
	Status status.Status
	// MediaType and Header are those of the response.
	MediaType string
	Header    http.Header
}

// Error is the status in one line.
func (e *Error) Error() string { return e.Status.String() }

// Code is the HTTP status code of an *Error anywhere in err, or 0.
func Code(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Status.Code
	}
	return 0
}

// TooLarge is a response whose body is larger than the bound, before or after decompression.
type TooLarge struct {
	Limit int64
	// Compressed is true if only the decompressed body is larger than the bound.
	Compressed bool
}

// Error says which bound was exceeded.
func (e *TooLarge) Error() string {
	if e.Compressed {
		return fmt.Sprintf("the decompressed response is larger than %d bytes", e.Limit)
	}
	return fmt.Sprintf("the response is larger than %d bytes", e.Limit)
}

// Do sends one request and reads the whole response. Errors: *Error for a status code outside 200–299 (the Answer is returned, too,
// without a body), *Unreachable for no response, *TooLarge, *BadAnswer if the body can't be decoded, *BadRequest if the request can't
// be sent.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	body, answer, err := c.Stream(ctx, r)
	if err != nil {
		return answer, err
	}
	defer body.Close()
	answer.Body, err = readBounded(body, r.limit())
	if err != nil {
		return Answer{}, bodyError(err)
	}
	return answer, nil
}

// Exchange sends one request and reads the response, whatever its status code is. If the body is longer than MaxBytes, or breaks off, the Answer has
// its beginning, and whole is false. Errors: *Unreachable for no response, *BadAnswer if the body can't be decoded, *BadRequest if the request
// can't be sent.
func (c *Client) Exchange(ctx context.Context, r Request) (answer Answer, whole bool, err error) {
	resp, answer, err := c.sendRequest(ctx, r)
	if err != nil {
		return answer, false, err
	}
	defer resp.Body.Close()
	body, err := decoded(resp, r.limit())
	if err != nil {
		return answer, false, err
	}
	answer.Body, err = readBounded(body, r.limit())
	if bad, ok := errors.AsType[*BadAnswer](err); ok {
		return answer, false, bad
	}
	return answer, err == nil, nil
}

// Stream sends one request and returns when the response's headers have arrived. The body is decompressed, is bounded by MaxBytes
// (reading past it gives *TooLarge), and must be closed. Errors are those of Do.
func (c *Client) Stream(ctx context.Context, r Request) (io.ReadCloser, Answer, error) {
	resp, answer, err := c.sendRequest(ctx, r)
	if err != nil {
		return nil, answer, err
	}
	body, err := decoded(resp, r.limit())
	if err != nil {
		resp.Body.Close()
		return nil, answer, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer body.Close()
		return nil, answer, refusal(answer, body)
	}
	return body, answer, nil
}

// sendRequest sends one request. The Answer has no body yet.
func (c *Client) sendRequest(ctx context.Context, r Request) (*http.Response, Answer, error) {
	req, err := c.request(ctx, r)
	if err != nil {
		return nil, Answer{}, err
	}
	resp, err := c.target.Transport.RoundTrip(req)
	if err != nil {
		return nil, Answer{}, upstream.Unreach(err)
	}
	return resp, Answer{
		Status:    resp.StatusCode,
		MediaType: resp.Header.Get("Content-Type"),
		Header:    resp.Header,
		Warnings:  status.ParseWarnings(resp.Header.Values("Warning")),
	}, nil
}

func (r Request) limit() int64 {
	if r.MaxBytes > 0 {
		return r.MaxBytes
	}
	return DefaultMaxBytes
}

// refusal reads the response's Status. If the body breaks off, it uses the part that was read.
func refusal(answer Answer, body io.Reader) *Error {
	text, _ := io.ReadAll(io.LimitReader(body, maxErrorBytes))
	kind, _, _ := mime.ParseMediaType(answer.MediaType)
	if kind == "application/vnd.kubernetes.protobuf" || kind == "application/cbor" {
		text = nil // people can't read these formats
	}
	s := status.Parse(answer.Status, text)
	if answer.Status >= 300 && answer.Status <= 399 && !s.Told {
		s.Message = "the server responds with a redirect, which Fieldmark does not follow"
	}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 && s.RetryAfterSeconds == 0 {
		s.RetryAfterSeconds = seconds // an overloaded server sends it only in the header
	}
	return &Error{Status: s, MediaType: answer.MediaType, Header: answer.Header}
}

func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	u, err := c.url(r.Path)
	if err != nil {
		return nil, err
	}
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, &BadRequest{Why: "its method is malformed"}
	}
	req.Header = r.headers()
	return req, nil
}

func (r Request) headers() http.Header {
	h := r.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("User-Agent", "fieldmark")
	accept := r.Accept
	if accept == "" {
		accept = "application/json"
	}
	h.Set("Accept", accept)
	if r.ContentType != "" {
		h.Set("Content-Type", r.ContentType)
	}
	if r.Gzip {
		h.Set("Accept-Encoding", "gzip")
	}
	return h
}

// BadRequest is a request that can't be sent.
type BadRequest struct{ Why string }

// Error says what is wrong with the request.
func (e *BadRequest) Error() string { return "the request can't be sent: " + e.Why }

// url appends the path to the target's base URL. The result never points outside of that base.
func (c *Client) url(path string) (*url.URL, error) {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return nil, &BadRequest{Why: "its path must begin with one slash"}
	}
	ref, err := url.ParseRequestURI(path)
	if err != nil {
		return nil, &BadRequest{Why: "its path is malformed"}
	}
	if _, err := apipath.Parse(ref.EscapedPath()); err != nil {
		return nil, &BadRequest{Why: "its path is ambiguous"}
	}
	base := c.target.Base
	u := *base
	u.Path, u.RawPath = base.Path+ref.Path, base.EscapedPath()+ref.EscapedPath()
	u.RawQuery = ref.RawQuery
	return &u, nil
}
