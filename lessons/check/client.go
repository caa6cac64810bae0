package check

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Bounds of one request.
const (
	patience = time.Minute
	mostBody = 128 << 20
)

// Client sends requests through the proxy of a Fieldmark server.
type Client struct {
	server string            // the address of Fieldmark, without a slash at its end
	token  string            // its launch token
	slugs  map[string]string // the slugs of the clusters, by the user of a request; "" is the normal user
	http   *http.Client
}

// viewer is the user with almost no permissions. The name of its context ends with this.
const viewer = "viewer"

// pageType is the media type for the model of a page.
const pageType = "application/vnd.fieldmark.page+json"

// Connect returns a client for a cluster of the Fieldmark at an address such as http://127.0.0.1:8080.
func Connect(ctx context.Context, server, token, cluster string) (*Client, error) {
	c := &Client{
		server: strings.TrimSuffix(server, "/"), token: token, slugs: map[string]string{},
		http: &http.Client{
			Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8, ResponseHeaderTimeout: patience},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	var home struct {
		Shell struct {
			Clusters []struct{ Slug, Name string }
		}
	}
	if err := c.get(ctx, c.server+"/", pageType, &home); err != nil {
		return nil, fmt.Errorf("there is no Fieldmark at %s, or its token is a different one: %w", server, err)
	}
	for _, known := range home.Shell.Clusters {
		switch known.Name {
		case cluster:
			c.slugs[""] = known.Slug
		case cluster + "-" + viewer:
			c.slugs[viewer] = known.Slug
		}
	}
	if c.slugs[""] == "" {
		return nil, fmt.Errorf("the Fieldmark at %s has no cluster %s", server, cluster)
	}
	return c, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Context is the name of the cluster's context in the kubeconfig that Fieldmark writes.
func (c *Client) Context() string { return c.slugs[""] }

// slug is the cluster for requests of a user: each user has its own context.
func (c *Client) slug(as string) string { return c.slugs[as] }

// startRequest replaces the variables of a request, sends it, and returns after the response headers have arrived.
func (c *Client) startRequest(ctx context.Context, q lesson.Request) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, q.Method, c.server+"/clusters/"+c.slug(q.As)+q.Target, strings.NewReader(q.Body))
	if err != nil {
		return nil, fmt.Errorf("the request can't be made: %w", err)
	}
	for _, h := range q.Header {
		r.Header.Add(h.Name, h.Value)
	}
	if r.Header.Get("Accept-Encoding") == "" && !q.Watch {
		r.Header.Set("Accept-Encoding", "gzip") // like browsers
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("the request got no response: %w", err)
	}
	return answer, nil
}

// sendRequest sends a request and reads the whole response.
func (c *Client) sendRequest(ctx context.Context, q lesson.Request) (lesson.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := c.startRequest(ctx, q)
	if err != nil {
		return lesson.Answer{}, err
	}
	defer r.Body.Close()
	a := headOf(r)
	wire := &counted{reader: r.Body}
	body, err := unpacked(r, wire)
	if err != nil {
		return a, err
	}
	keep := q.Keep
	if keep == 0 {
		keep = mostBody
	}
	if a.Body, err = io.ReadAll(io.LimitReader(body, keep)); err != nil {
		return a, fmt.Errorf("the response broke off: %w", err)
	}
	rest, err := io.Copy(io.Discard, body)
	if err != nil {
		return a, fmt.Errorf("the response broke off: %w", err)
	}
	if rest > 0 && q.Keep == 0 {
		return a, fmt.Errorf("the response has more than %d bytes; limit it with keep=", mostBody)
	}
	a.Size, a.Wire = int64(len(a.Body))+rest, wire.n
	return a, nil
}

// headOf is a response whose headers have arrived.
func headOf(r *http.Response) lesson.Answer {
	a := lesson.Answer{Status: r.StatusCode}
	for name, values := range r.Header {
		for _, value := range values {
			a.Header = append(a.Header, lesson.Header{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(a.Header, func(x, y lesson.Header) int { return strings.Compare(x.Name, y.Name) })
	return a
}

// unpacked reads the decompressed body.
func unpacked(r *http.Response, body io.Reader) (io.Reader, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return body, nil
	}
	plain, err := gzip.NewReader(body)
	if errors.Is(err, io.EOF) { // an empty body isn't compressed
		return bytes.NewReader(nil), nil
	}
	if err != nil {
		return nil, fmt.Errorf("the response can't be decompressed: %w", err)
	}
	return plain, nil
}

// counted counts the bytes that are read.
type counted struct {
	reader io.Reader
	n      int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.n += int64(n)
	return n, err
}

// stream is a watch that stays open.
type stream struct {
	stop func()
	done chan struct{}

	mu     sync.Mutex
	answer lesson.Answer
	most   int64
}

// watch sends a request for a stream, and returns after the response headers have arrived.
func (c *Client) watch(ctx context.Context, q lesson.Request) (*stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	r, err := c.startRequest(ctx, q)
	if err != nil {
		cancel()
		return nil, err
	}
	s := &stream{stop: cancel, done: make(chan struct{}), answer: headOf(r), most: q.Keep}
	if s.most == 0 {
		s.most = mostBody
	}
	body, err := unpacked(r, r.Body)
	if err != nil {
		cancel()
		_ = r.Body.Close()
		return nil, err
	}
	s.answer.Open = true
	go s.readBody(r.Body, body)
	return s, nil
}

func (s *stream) readBody(closer io.Closer, body io.Reader) {
	defer close(s.done)
	defer closer.Close()
	chunk := make([]byte, 32<<10)
	for {
		n, err := body.Read(chunk)
		s.addPart(chunk[:n], err != nil)
		if err != nil {
			return
		}
	}
}

func (s *stream) addPart(part []byte, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer.Size += int64(len(part))
	s.answer.Wire += int64(len(part))
	room := max(0, s.most-int64(len(s.answer.Body)))
	s.answer.Body = append(s.answer.Body, part[:min(int64(len(part)), room)]...)
	s.answer.Open = !last
}

// now is the part of the response that has arrived.
func (s *stream) now() lesson.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.answer
	a.Body = bytes.Clone(a.Body)
	return a
}

// stopWatch stops the watch and waits until it has stopped.
func (s *stream) stopWatch() {
	s.stop()
	<-s.done
}
