package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
)

func (s *site) chooseTheme(theme, back string) answered {
	s.t.Helper()
	form := url.Values{"theme": {theme}, "back": {back}}
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.server.URL+"/-/theme", strings.NewReader(form.Encode()))
	must(s.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(r)
}

func TestThemeIsKeptInACookie(t *testing.T) {
	s := newSite(t, cluster.New(cluster.Options{}))
	for theme, kept := range map[string]bool{"light": true, "dark": true, "auto": false, "": false, "<script>": false} {
		p := s.chooseTheme(theme, "/c/practice/api/v1/pods?limit=3&sort=-Name")
		if got := p.header.Get("Location"); p.code != http.StatusSeeOther || got != "/c/practice/api/v1/pods?limit=3&sort=-Name" {
			t.Errorf("%q leads back to %s (%d)", theme, got, p.code)
		}
		cookie, err := http.ParseSetCookie(p.header.Get("Set-Cookie"))
		must(t, err)
		if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" {
			t.Errorf("%q: %+v", theme, cookie)
		}
		if isKept := cookie.MaxAge > 0 && cookie.Value == theme; isKept != kept || !kept && cookie.MaxAge >= 0 {
			t.Errorf("%q: %+v", theme, cookie)
		}
	}
}

func TestThemeCookieColoursThePage(t *testing.T) {
	s := newSite(t, cluster.New(cluster.Options{}))
	for theme, want := range map[string]string{"light": "light", "dark": "dark", "auto": "", `"><script>`: "", "": ""} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+"/", nil)
		must(t, err)
		r.Header.Set("Cookie", visit.ThemeCookie+"="+theme)
		if got := value(s.do(r).all("html")[0], "data-theme"); got != want {
			t.Errorf("the cookie %q makes it %q", theme, got)
		}
	}
}

func TestThemeRedirectsNowhereElse(t *testing.T) {
	s := newSite(t, cluster.New(cluster.Options{}))
	for _, back := range []string{
		"", "https://evil.test/", "//evil.test", `/\evil.test`, `\\evil.test`, "/\t/evil.test", "/\n/evil.test", "javascript:alert(1)",
		"c/practice", "///evil.test", "http:/evil.test", "/\r\nSet-Cookie: a=b", " //evil.test", "%2f%2fevil.test",
	} {
		if got := s.chooseTheme("dark", back).header.Get("Location"); got != "/" {
			t.Errorf("back=%q leads to %q", back, got)
		}
	}
}

func TestWithoutAnyClusterThePageSaysWhatToDo(t *testing.T) {
	newSite(t, cluster.New(cluster.Options{})).want(http.StatusOK, "/").says("No cluster yet", "--practice on").inert()
}
