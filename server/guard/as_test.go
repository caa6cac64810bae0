package guard

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/identity"
)

// viewer is a browser that is signed in.
type viewer struct {
	t       *testing.T
	g       *Guard
	cookies []*http.Cookie
}

func newViewer(t *testing.T, g *Guard) *viewer {
	t.Helper()
	return &viewer{t, g, answered(t, g, form(t, testToken, "/")).Result().Cookies()}
}

// send gives the session of a request, and the response.
func (v *viewer) send(method, target string, then func(http.ResponseWriter, *http.Request)) (s Session, w *httptest.ResponseRecorder) {
	v.t.Helper()
	r := get(v.t, target)
	r.Method = method
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, c := range v.cookies {
		r.AddCookie(c)
	}
	w = httptest.NewRecorder()
	v.g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, _ = SessionFrom(r.Context())
		if identity.SessionOf(r.Context()) != s.ID {
			v.t.Errorf("the context has the session %q, want %q", identity.SessionOf(r.Context()), s.ID)
		}
		if then != nil {
			then(w, r)
		}
	})).ServeHTTP(w, r)
	return s, w
}

// set sets the view, and keeps the cookie as a browser does.
func (v *viewer) set(view identity.View) (kept *http.Cookie, err error) {
	v.t.Helper()
	_, w := v.send(http.MethodPost, "/c/one/-/whoami", func(w http.ResponseWriter, r *http.Request) { err = v.g.SetView(w, r, view) })
	for _, c := range w.Result().Cookies() {
		kept = c
		v.cookies = v.cookies[:1]
		if c.MaxAge > 0 {
			v.cookies = append(v.cookies, c)
		}
	}
	return kept, err
}

var ada = identity.View{Cluster: "one", As: identity.Impersonation{User: "system:serviceaccount:shop:ada", Groups: []string{"dev team", "é"}}}

func TestViewsAreKeptInACookie(t *testing.T) {
	var ended []string
	g := newGuard(t, Options{SessionEnded: func(id string) { ended = append(ended, id) }})
	v := newViewer(t, g)
	self, _ := v.send(http.MethodGet, "/learn", nil)
	c, err := v.set(ada)
	if err != nil {
		t.Fatal(err)
	}
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Name != "fieldmark_8080_view" || c.Secure {
		t.Errorf("the cookie is %+v", c)
	}
	as, _ := v.send(http.MethodGet, "/learn", nil)
	if viewer, ok := identity.ViewerOf(as.ID); !ok || viewer != self.ID || !reflect.DeepEqual(as.View, ada) {
		t.Errorf("got %+v of the session %s", as, self.ID)
	}
	if want := "You view the cluster one as system:serviceaccount:shop:ada."; as.ReadOnly != want {
		t.Errorf("read-only: %q", as.ReadOnly)
	}
	if _, err := v.set(ada); err != nil || len(ended) != 1 || ended[0] != as.ID {
		t.Errorf("after another view: ended %v, %v", ended, err)
	}
	again, _ := v.send(http.MethodGet, "/learn", nil)
	if again.ID == as.ID {
		t.Error("a new view has the id of one that has ended")
	}
	if _, err := v.set(identity.View{}); err != nil || len(ended) != 2 || ended[1] != again.ID {
		t.Errorf("after the end: ended %v, %v", ended, err)
	}
	if s, _ := v.send(http.MethodGet, "/learn", nil); s.ID != self.ID || !s.View.None() || s.ReadOnly != "" {
		t.Errorf("after the end: %+v", s)
	}
}

func TestReadOnlyMode_ViewsOnlyRead(t *testing.T) {
	v := newViewer(t, newGuard(t, Options{}))
	if _, err := v.set(ada); err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]int{
		"/clusters/one/api/v1/namespaces":            http.StatusForbidden,
		"/clusters/two/api/v1/namespaces":            http.StatusForbidden,
		"/clusters/%6fne/api/v1/namespaces":          http.StatusForbidden,
		"/clusters/one/api/v1/namespaces?dryRun=All": http.StatusOK,
	} {
		_, w := v.send(http.MethodPost, target, nil)
		if w.Code != want || want == http.StatusForbidden && !strings.Contains(w.Body.String(), "You view the cluster one as") {
			t.Errorf("POST %s: %d %s", target, w.Code, w.Body)
		}
	}
}

func TestHostileView_CookiesThatFieldmarkDidNotWriteCountAsNone(t *testing.T) {
	g := newGuard(t, Options{})
	v := newViewer(t, g)
	self, _ := v.send(http.MethodGet, "/learn", nil)
	text := func(c viewCookie) string {
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(b)
	}
	of := func(change func(*viewCookie)) string {
		c := viewCookie{Session: self.ID, Start: "1", Cluster: "one", User: "ada", Groups: []string{"dev"}}
		change(&c)
		return text(c)
	}
	for name, c := range map[string]struct {
		value string
		views bool
	}{
		"as written":              {of(func(*viewCookie) {}), true},
		"a user of the system":    {of(func(c *viewCookie) { c.User = "system:admin" }), true}, // the API server decides
		"no groups":               {of(func(c *viewCookie) { c.Groups = nil }), true},
		"another session":         {of(func(c *viewCookie) { c.Session = "browser-0" }), false},
		"the view of the session": {of(func(c *viewCookie) { c.Session = self.ID + "~0" }), false},
		"no session":              {of(func(c *viewCookie) { c.Session = "" }), false},
		"no start":                {of(func(c *viewCookie) { c.Start = "" }), false},
		"no cluster":              {of(func(c *viewCookie) { c.Cluster = "" }), false},
		"no user":                 {of(func(c *viewCookie) { c.User = "" }), false},
		"a group without a name":  {of(func(c *viewCookie) { c.Groups = []string{""} }), false},
		"a line break":            {of(func(c *viewCookie) { c.User = "ada\r\nImpersonate-Group: system:masters" }), false},
		"a line break in a group": {of(func(c *viewCookie) { c.Groups = []string{"dev\nx"} }), false},
		"a null byte":             {of(func(c *viewCookie) { c.User = "ada\x00" }), false},
		"a control of C1":         {of(func(c *viewCookie) { c.User = "ada\u0085" }), false},
		"bytes that aren’t UTF-8": {base64.RawURLEncoding.EncodeToString([]byte(`{"s":"` + self.ID + `","n":"1","c":"one","u":"a` + "\xff" + `"}`)), false},
		"a space at the end":      {of(func(c *viewCookie) { c.User = "ada " }), false},
		"a long name":             {of(func(c *viewCookie) { c.User = strings.Repeat("a", MaxViewName+1) }), false},
		"many groups":             {of(func(c *viewCookie) { c.Groups = make([]string, MaxViewGroups+1) }), false},
		"a long cookie":           {text(viewCookie{Session: self.ID, Start: strings.Repeat("1", maxViewCookie), Cluster: "one", User: "ada"}), false},
		"no JSON":                 {base64.RawURLEncoding.EncodeToString([]byte("ada")), false},
		"no base64":               {"ada!", false},
		"padding":                 {"YQ==", false},
		"empty":                   {"", false},
	} {
		v.cookies = append(v.cookies[:1:1], &http.Cookie{Name: g.viewName, Value: c.value})
		s, _ := v.send(http.MethodGet, "/learn", nil)
		if views := !s.View.None(); views != c.views || views != (s.ID != self.ID) || views != (s.ReadOnly != "") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestHostileView_OnlyABrowserWhoseNamesFitStartsOne(t *testing.T) {
	g := newGuard(t, Options{})
	v := newViewer(t, g)
	many := make([]string, MaxViewGroups)
	for i := range many {
		many[i] = strings.Repeat("g", MaxViewName)
	}
	for name, as := range map[string]identity.Impersonation{
		"nobody": {}, "groups only": {Groups: []string{"dev"}}, "too much together": {User: "ada", Groups: many},
		"a line break": {User: "a\nb"}, "a space": {User: " a"},
	} {
		view := identity.View{Cluster: "one", As: as}
		if c, err := v.set(view); err == nil || c != nil {
			t.Errorf("%s: %v, cookie %v", name, err, c)
		}
	}
	r := get(t, "/learn")
	r.Header.Set("Authorization", "Bearer "+testToken)
	var err error
	w := httptest.NewRecorder()
	g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { err = g.SetView(w, r, ada) })).ServeHTTP(w, r)
	if err == nil || len(w.Result().Cookies()) != 0 {
		t.Errorf("a program: %v", err)
	}
}

// A program sends no cookies of Fieldmark. If it does, they don't change whom it acts as.
func TestHostileView_ProgramsActAsThemselves(t *testing.T) {
	g := newGuard(t, Options{})
	text, err := json.Marshal(viewCookie{Session: g.ClientSession().ID, Start: "1", Cluster: "one", User: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	r := get(t, "/learn")
	r.Header.Set("Authorization", "Bearer "+testToken)
	r.AddCookie(&http.Cookie{Name: g.viewName, Value: base64.RawURLEncoding.EncodeToString(text)})
	g.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if s, _ := SessionFrom(r.Context()); s.ID != g.ClientSession().ID || !s.View.None() {
			t.Errorf("got %+v", s)
		}
	})).ServeHTTP(httptest.NewRecorder(), r)
}

func TestTheViewsCookieIsOfTheHostAlone(t *testing.T) {
	for public, want := range map[string]string{"https://fieldmark.example": "__Host-fieldmark-view", "http://127.0.0.1:8080": "fieldmark-view"} {
		address, err := url.Parse(public)
		if err != nil {
			t.Fatal(err)
		}
		g := newGuard(t, Options{Public: address})
		if g.viewName != want || g.secure() != (address.Scheme == "https") {
			t.Errorf("%s: %s", public, g.viewName)
		}
	}
}
