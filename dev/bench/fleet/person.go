package fleet

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// person is somebody with a token, and a browser that is signed in.
type person struct {
	team, name, token string

	mu  sync.Mutex
	jar map[string]string // cookies
}

// filesEach is how many files are open here for a person: the socket, its two connections in the proxy, and those of a page.
const filesEach = 6

// cookies are those of the browser, as a header.
func (p *person) cookies() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for name, value := range p.jar {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// took keeps the cookies of a response.
func (p *person) took(response *http.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range response.Cookies() {
		if c.MaxAge < 0 {
			delete(p.jar, c.Name)
		} else {
			p.jar[c.Name] = c.Value
		}
	}
}

// signIn pastes the token of a person.
func (f *fleet) signIn(ctx context.Context, p *person) error {
	form := lab.SharedForm(p.token).Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.public+"/-/sign-in", strings.NewReader(form))
	if err != nil {
		return fmt.Errorf("signing in: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", f.public)
	return f.sendRequest(p, request, http.StatusSeeOther)
}

// openPage requests a page, as a browser does after a click, and reads it to its end.
func (f *fleet) openPage(ctx context.Context, p *person, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.public+path, nil)
	if err != nil {
		return fmt.Errorf("opening a page: %w", err)
	}
	request.Header.Set("Accept", "text/html")
	request.Header.Set("Accept-Encoding", "gzip")
	request.Header.Set("Sec-Fetch-Mode", "navigate")
	request.Header.Set("Sec-Fetch-Dest", "document")
	return f.sendRequest(p, request, http.StatusOK)
}

// sendRequest sends a request of a page of Fieldmark with the person's cookies. Another status code than the wanted one is an error.
func (f *fleet) sendRequest(p *person, request *http.Request, want int) error {
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	if all := p.cookies(); all != "" {
		request.Header.Set("Cookie", all)
	}
	response, err := f.pages.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	if response.StatusCode != want {
		return fmt.Errorf("%s: %s %s: status code %d, not %d", p.name, request.Method, request.URL.Path, response.StatusCode, want)
	}
	p.took(response)
	return nil
}

// page is the address of the page with what the person's team changes.
func (p *person) page() string { return "/c/" + lab.ContextName + p.collection(0) }

// Followable are collections of a namespace. The first one has what changes.
var Followable = []string{
	"/api/v1/namespaces/%s/configmaps", "/api/v1/namespaces/%s/pods", "/api/v1/namespaces/%s/services", "/apis/apps/v1/namespaces/%s/deployments",
	"/apis/batch/v1/namespaces/%s/jobs", "/apis/apps/v1/namespaces/%s/replicasets", "/apis/apps/v1/namespaces/%s/statefulsets",
	"/api/v1/namespaces/%s/serviceaccounts", "/apis/batch/v1/namespaces/%s/cronjobs", "/api/v1/namespaces/%s/secrets",
}

// collection is the path of a collection of the person's team.
func (p *person) collection(i int) string { return fmt.Sprintf(Followable[i], p.team) }
