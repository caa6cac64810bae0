// Package browse is as much of a browser as signing in needs: cookies with their rules, redirects, forms, and pages that open the next one. It sends
// what browsers say about the site that a request comes from (Sec-Fetch-Site), and leaves cookies out that this site may not cause to be sent.
package browse

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Browser is one person's browser. It is not safe for concurrent use.
type Browser struct {
	Jar    Jar
	client http.Client
}

// Page is what a browser shows.
type Page struct {
	URL    *url.URL
	Status int
	Header http.Header
	Body   string
	// Way are the addresses that led here, this one included.
	Way []string
}

// most is how many redirects a browser follows.
const most = 20

// New makes a browser that trusts some authorities.
func New(trusted *x509.CertPool) *Browser {
	return &Browser{Jar: Jar{}, client: http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Open opens an address that the person typed, or the next page of a page.
func (b *Browser) Open(ctx context.Context, from *Page, address string) (*Page, error) {
	return b.navigate(ctx, from, http.MethodGet, address, nil)
}

// Submit sends a form of a page.
func (b *Browser) Submit(ctx context.Context, from *Page, action string, form url.Values) (*Page, error) {
	return b.navigate(ctx, from, http.MethodPost, action, form)
}

// Fetch sends a request of a page's script.
func (b *Browser) Fetch(ctx context.Context, from *Page, method, address, body string) (*Page, error) {
	there, err := from.URL.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	return b.sendRequest(ctx, from, there, method, body, map[string]string{"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Content-Type": "application/json"})
}

func (b *Browser) navigate(ctx context.Context, from *Page, method, address string, form url.Values) (*Page, error) {
	there, err := url.Parse(address)
	if err == nil && from != nil {
		there, err = from.URL.Parse(address)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	body := form.Encode()
	var way []string
	for range most {
		headers := map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}
		if method == http.MethodPost {
			headers["Content-Type"] = "application/x-www-form-urlencoded"
		}
		page, err := b.sendRequest(ctx, from, there, method, body, headers)
		if err != nil {
			return nil, err
		}
		way = append(way, there.String())
		page.Way = way
		next, led := page.nextAddress()
		if !led {
			return page, nil
		}
		if page.Status == http.StatusOK {
			from = page // a page opens the next one; after a redirect it is still the first page that does
		}
		if there, err = there.Parse(next); err != nil {
			return nil, fmt.Errorf("reading the next address: %w", err)
		}
		method, body = http.MethodGet, ""
	}
	return nil, errors.New("too many redirects: " + strings.Join(way, " "))
}

// refresh is the element with which a page opens the next one.
var refresh = regexp.MustCompile(`(?i)<meta http-equiv="refresh" content="0; ?url=([^"]*)"`)

// nextAddress is the address to which a response leads.
func (p *Page) nextAddress() (string, bool) {
	if p.Status >= 300 && p.Status < 400 {
		return p.Header.Get("Location"), true
	}
	if found := refresh.FindStringSubmatch(p.Body); found != nil {
		return html.UnescapeString(found[1]), true
	}
	if value := p.Header.Get("Refresh"); value != "" {
		_, next, found := strings.Cut(value, "url=")
		return next, found
	}
	return "", false
}

func (b *Browser) sendRequest(ctx context.Context, from *Page, there *url.URL, method, body string, headers map[string]string) (*Page, error) {
	request, err := http.NewRequestWithContext(ctx, method, there.String(), strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	site := siteOf(from, there)
	request.Header.Set("Sec-Fetch-Site", site)
	if from != nil && method != http.MethodGet {
		request.Header.Set("Origin", from.URL.Scheme+"://"+from.URL.Host)
	}
	b.Jar.addCookies(request, site == crossSite)
	response, err := b.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("sending the request: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the response: %w", err)
	}
	if err := b.Jar.storeCookies(there, response.Cookies()); err != nil {
		return nil, err
	}
	return &Page{URL: there, Status: response.StatusCode, Header: response.Header, Body: string(text)}, nil
}

// Headers are those with which a page opens a WebSocket to its own server.
func (b *Browser) Headers(page *Page) http.Header {
	request := &http.Request{Method: http.MethodGet, URL: page.URL, Header: http.Header{}}
	b.Jar.addCookies(request, false)
	request.Header.Set("Origin", page.URL.Scheme+"://"+page.URL.Host)
	return request.Header
}

// Twin is another browser that has only these cookies.
func (b *Browser) Twin(host string, cookies map[string]*http.Cookie) *Browser {
	return &Browser{Jar: Jar{host: cookies}, client: b.client}
}

// Client sends requests without cookies, as a WebSocket library wants it.
func (b *Browser) Client() *http.Client { return &http.Client{Transport: b.client.Transport} }

// Took takes the cookies of a response that didn't come through Open, Submit or Fetch.
func (b *Browser) Took(there *url.URL, response *http.Response) error {
	return b.Jar.storeCookies(there, response.Cookies())
}
