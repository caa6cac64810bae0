package cluster

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// Credential is what one request to a site is sent with.
type Credential struct {
	// Token is the bearer token. It is never empty.
	Token string
	// As is whom the holder of the token impersonates; usually nobody.
	As identity.Impersonation
}

// Credentials gives a person's credential for a site at this moment. It is called for each request, so a renewed token needs no new
// connection. The error is a *Problem: nothing is sent then, and nothing replaces the credential (threat: borrowed credentials).
type Credentials func() (Credential, error)

// SignInEnded is the Problem of a person whose token has ended.
func SignInEnded() *Problem {
	return &Problem{Text: "your sign-in for this cluster has ended", Advice: "Sign in again.", SignIn: true}
}

// SignInMissing is the Problem of a person who has no credential for a cluster.
func SignInMissing() *Problem {
	return &Problem{Text: "you are not signed in for this cluster", Advice: "Open the cluster to sign in.", SignIn: true}
}

// Visit adds a site to the registry of a person, with the person's credentials.
func (r *Registry) Visit(s *Site, credentials Credentials) {
	c := r.newCluster(s.slug, s.name, FromSite)
	c.site, c.credentials = s, credentials
	r.Put(c)
}

// End ends all logins, and the streams that were opened with them. The registry has no clusters afterwards.
func (r *Registry) End() {
	r.mu.Lock()
	gone := r.clusters
	for _, c := range gone {
		r.drop(c)
	}
	r.mu.Unlock()
	for _, c := range gone {
		c.cutRequests()
	}
}

// WhoIs asks the API server whose token it is. Errors are those of api.Client.Do; a server that is too old to tell is an error, too.
func (s *Site) WhoIs(ctx context.Context, token string) (user string, groups []string, err error) {
	r := New(Options{})
	defer r.End()
	r.Visit(s, func() (Credential, error) { return Credential{Token: token}, nil })
	client, err := r.List()[0].Client()
	if err != nil {
		return "", nil, err
	}
	user, groups, err = whoAmI(ctx, client)
	if err == nil && (user == "" || slices.Contains(groups, "system:unauthenticated")) {
		err = errors.New("the API server doesn't say whose token it is")
	}
	return user, groups, err
}

// shelf is where people who use the same site share what they read.
func (c *Cluster) shelf() *shelf {
	if c.site == nil {
		return nil
	}
	return &c.site.shelf
}

// personal is the way of one person to the site. Errors are *Problem.
func (c *Cluster) personal() (*upstream.Target, error) {
	shared, err := c.site.connect()
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	return upstream.Through(shared.Base, &personal{site: c.site, credentials: c.credentials, life: life}, end), nil
}

// personal sends a person's requests over the connections that all people share.
type personal struct {
	site        *Site
	credentials Credentials
	life        context.Context // of the login; its requests end with it
}

// RoundTrip sends the request with the person's credential and no other.
func (p *personal) RoundTrip(req *http.Request) (*http.Response, error) {
	credential, err := p.credentials()
	if err == nil && (credential.Token == "" || p.life.Err() != nil) {
		err = SignInEnded()
	}
	if _, viewed := asOf(req.Context()); err == nil && viewed && !credential.As.Nobody() {
		err = impersonatesAlready(credential.As.User)
	}
	if err != nil {
		closeBody(req)
		return nil, unsent(err)
	}
	shared, err := p.site.connect()
	if err != nil {
		closeBody(req)
		return nil, err
	}
	ctx, b := p.bind(req.Context())
	resp, err := shared.Transport.RoundTrip(credential.onto(req.WithContext(ctx)))
	if err != nil {
		b.release()
		return nil, err
	}
	b.guard(resp)
	return resp, nil
}

// bind lets a request end together with the login. A request that can be ended from outside needs no context of its own.
func (p *personal) bind(ctx context.Context) (context.Context, *bounds) {
	b := &bounds{}
	if end, ok := upstream.EndOf(ctx); ok {
		b.end = end
	} else {
		ctx, b.cancel = context.WithCancel(ctx)
		b.end = b.cancel
	}
	b.forget = context.AfterFunc(p.life, b.cutRequest)
	return ctx, b
}

// unsent is the error of a request without a credential.
func unsent(err error) error {
	if p, ok := errors.AsType[*Problem](err); ok {
		return &upstream.CredentialsError{Text: p.Text, Advice: p.Advice, SignIn: p.SignIn}
	}
	return err
}

// onto returns the request with this credential. The caller's request stays as it is, so that no record of it has the token.
func (c Credential) onto(req *http.Request) *http.Request {
	headers := make(http.Header, len(req.Header)+3)
	for name, values := range req.Header {
		if !foreign(name) {
			headers[name] = values
		}
	}
	headers["Authorization"] = []string{"Bearer " + c.Token}
	if !c.As.Nobody() {
		headers["Impersonate-User"] = []string{c.As.User}
		if len(c.As.Groups) > 0 {
			headers["Impersonate-Group"] = c.As.Groups
		}
	}
	impersonate(req.Context(), headers)
	req.Header = headers
	return req
}

// bounds end a request together with the login that it was sent with.
type bounds struct {
	end    func()             // ends the request
	cancel context.CancelFunc // frees the request's own context; nil: it has none
	forget func() bool

	mu   sync.Mutex
	body io.Closer // of the response, once there is one
	over bool
}

// cutRequest ends the request. An upgraded connection doesn't end with its context, so its body is closed.
func (b *bounds) cutRequest() {
	b.end()
	b.mu.Lock()
	b.over = true
	body := b.body
	b.mu.Unlock()
	if body != nil {
		_ = body.Close()
	}
}

// release ends the bounds: the response was read to its end, or closed.
func (b *bounds) release() {
	b.forget()
	if b.cancel != nil {
		b.cancel()
	}
}

// guard makes the response's body release the bounds at its end.
func (b *bounds) guard(resp *http.Response) {
	if resp.Body == nil || resp.Body == http.NoBody {
		b.release()
		return
	}
	whole := resp.Body
	if both, ok := whole.(io.ReadWriteCloser); ok && resp.StatusCode == http.StatusSwitchingProtocols {
		resp.Body = &bothWays{ReadWriteCloser: both, bounds: b}
		b.mu.Lock()
		b.body = whole
		over := b.over
		b.mu.Unlock()
		if over {
			_ = whole.Close()
		}
		return
	}
	resp.Body = &oneWay{ReadCloser: whole, bounds: b}
}

// oneWay is the body of a response.
type oneWay struct {
	io.ReadCloser
	bounds *bounds
}

// Read implements io.Reader.
func (o *oneWay) Read(p []byte) (int, error) {
	n, err := o.ReadCloser.Read(p)
	if err != nil {
		o.bounds.release()
	}
	return n, err
}

// Close implements io.Closer.
func (o *oneWay) Close() error {
	defer o.bounds.release()
	return o.ReadCloser.Close()
}

// bothWays is the body of an upgraded connection, which the client also writes to.
type bothWays struct {
	io.ReadWriteCloser
	bounds *bounds
}

// Close implements io.Closer.
func (b *bothWays) Close() error {
	defer b.bounds.release()
	return b.ReadWriteCloser.Close()
}
