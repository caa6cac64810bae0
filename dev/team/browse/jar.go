package browse

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Jar has a browser's cookies, by host and name. Browsers don't tell ports apart.
type Jar map[string]map[string]*http.Cookie

// crossSite is what browsers say of a request that a page of another site causes.
const crossSite = "cross-site"

// siteOf is how the page that a request comes from and the address are related.
func siteOf(from *Page, there *url.URL) string {
	switch {
	case from == nil:
		return "none"
	case from.URL.Scheme != there.Scheme || from.URL.Hostname() != there.Hostname():
		return crossSite
	case from.URL.Host != there.Host:
		return "same-site"
	}
	return "same-origin"
}

// addCookies adds the cookies that a browser sends with a request.
func (j Jar) addCookies(r *http.Request, foreign bool) {
	for _, c := range j[r.URL.Hostname()] {
		switch {
		case c.Secure && r.URL.Scheme != "https":
		case foreign && (c.SameSite == http.SameSiteStrictMode || r.Method != http.MethodGet && c.SameSite != http.SameSiteNoneMode):
		case c.Path != "" && !strings.HasPrefix(r.URL.Path, c.Path):
		default:
			r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
		}
	}
}

// storeCookies takes the cookies of a response. It refuses those that a browser refuses.
func (j Jar) storeCookies(from *url.URL, cookies []*http.Cookie) error {
	host := from.Hostname()
	if j[host] == nil {
		j[host] = map[string]*http.Cookie{}
	}
	for _, c := range cookies {
		if strings.HasPrefix(c.Name, "__Host-") && (!c.Secure || c.Path != "/" || c.Domain != "" || from.Scheme != "https") {
			return fmt.Errorf("browsers refuse the cookie %s: __Host- needs Secure, the path / and no domain", c.Name)
		}
		const limit = 4096 // name, value and attributes, as browsers count
		if len(c.String()) > limit {
			return fmt.Errorf("browsers refuse the cookie %s: it has %d bytes", c.Name, len(c.String()))
		}
		if c.MaxAge < 0 || !c.Expires.IsZero() && c.Expires.Before(time.Now()) {
			delete(j[host], c.Name)
			continue
		}
		j[host][c.Name] = c
	}
	return nil
}

// Named are copies of the cookies of a host whose name contains a text.
func (j Jar) Named(host, part string) map[string]*http.Cookie {
	found := map[string]*http.Cookie{}
	for name, c := range j[host] {
		if strings.Contains(name, part) {
			same := *c
			found[name] = &same
		}
	}
	return found
}
