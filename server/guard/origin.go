package guard

import (
	"net/http"
	"strings"
)

// sameOrigin requires proof that one of Fieldmark's own pages sent a browser's request. A cookie is no proof, because browsers send it
// with requests of any page. A bearer token is one, because pages of other sites don't have it.
func (g *Guard) sameOrigin(r *http.Request, s Session) Refusal {
	if s.Kind == Bearer && !addedToABrowser(r, s) {
		return Refusal{}
	}
	if r.Header.Get("Upgrade") != "" {
		// The same-origin policy does not hold for WebSockets: any page may open one, and only Origin tells.
		if !g.ownOrigin(r) {
			return hangUp(http.StatusForbidden, "A WebSocket needs the Origin of Fieldmark's own pages.")
		}
		return Refusal{}
	}
	if !reads(r.Method) {
		return g.provenOwn(r)
	}
	return isolated(r)
}

// addedToABrowser tells whether a proxy in front of a shared Fieldmark added a person's token to the request of a browser. To the browser, the
// proxy's sign-in is then like a cookie: it proves no origin. Programs don't send Sec-Fetch-Site, and no page can leave it out.
func addedToABrowser(r *http.Request, s Session) bool {
	return s.Person != nil && len(r.Header["Sec-Fetch-Site"]) > 0
}

func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}

// provenOwn protects everything that changes something (threat: cross-site request). Pages can't set either header. Referrer-Policy no-referrer
// makes browsers send "Origin: null" with our own forms, so null counts beside a same-origin Sec-Fetch-Site.
func (g *Guard) provenOwn(r *http.Request) Refusal {
	sites, origins := r.Header["Sec-Fetch-Site"], r.Header["Origin"]
	sameSite := len(sites) == 1 && sites[0] == "same-origin"
	switch {
	case g.ownOrigin(r) && (sameSite || len(sites) == 0),
		sameSite && len(origins) == 0,
		sameSite && len(origins) == 1 && origins[0] == "null":
		return Refusal{}
	}
	return refuse(http.StatusForbidden, "This request doesn't come from a page of Fieldmark. Programs must send "+g.programsToken()+" as a Bearer token.")
}

// programsToken is what a program proves its sender with.
func (g *Guard) programsToken() string {
	if g.launch == nil {
		return "a token of their own"
	}
	return "the launch token"
}

// isolated stops other sites from loading Fieldmark's responses into their pages, where side channels could read them. Other sites
// may link to pages, but not to the API.
func isolated(r *http.Request) Refusal {
	site := r.Header.Get("Sec-Fetch-Site")
	if site == "" || site == "same-origin" || site == "none" {
		return Refusal{}
	}
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document" && !strings.HasPrefix(r.URL.Path, clusters) {
		return Refusal{}
	}
	return refuse(http.StatusForbidden, "Pages of other sites can't load this address.")
}
