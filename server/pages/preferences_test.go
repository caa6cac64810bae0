package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// favour posts the form of a star.
func (s *site) favour(name, back, cookie string) answered {
	s.t.Helper()
	form := url.Values{shell.FavouriteField: {name}, "back": {back}}
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.server.URL+web.Favorites, strings.NewReader(form.Encode()))
	must(s.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if cookie != "" {
		r.Header.Set("Cookie", shell.FavouritesCookie+"="+cookie)
	}
	return s.do(r)
}

func TestFavouritesAreKeptInACookie(t *testing.T) {
	s := newSite(t, cluster.New(cluster.Options{}))
	const usual = "pods|deployments.apps|services|configmaps|nodes|events|namespaces"
	for _, c := range []struct{ name, before, after string }{
		{"jobs.batch", "", usual + "|jobs.batch"},
		{"pods", "", strings.TrimPrefix(usual, "pods|")},
		{"pods", "pods", "-"},
		{"pods", "-", "pods"},
		{"<script>", "pods", ""},
		{"", "pods", ""},
	} {
		p := s.favour(c.name, "/c/practice/api/v1/pods?limit=3", c.before)
		if got := p.header.Get("Location"); p.code != http.StatusSeeOther || got != "/c/practice/api/v1/pods?limit=3" {
			t.Errorf("%q leads back to %s (%d)", c.name, got, p.code)
		}
		line := p.header.Get("Set-Cookie")
		if c.after == "" {
			if line != "" {
				t.Errorf("%q: %s", c.name, line)
			}
			continue
		}
		cookie, err := http.ParseSetCookie(line)
		must(t, err)
		if cookie.Value != c.after || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.MaxAge <= 0 {
			t.Errorf("%q: %+v", c.name, cookie)
		}
	}
	if got := s.favour("pods", "//evil.test", "").header.Get("Location"); got != "/" {
		t.Errorf("leads to %s", got)
	}
}
