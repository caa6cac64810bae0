package pages

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/web"
)

const (
	oddSelf  = `{"kind":"SelfSubjectReview","status":{"userInfo":{"username":"ben","groups":["dev"]}}}`
	oddRules = `{"kind":"SelfSubjectRulesReview","status":{"resourceRules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}],"nonResourceRules":[],"incomplete":true,"evaluationError":"the webhook is down"}}`
	noRight  = `{"kind":"Status","status":"Failure","code":403,"reason":"Forbidden","details":{"kind":"users","name":"ada"},"message":"users \"ada\" is forbidden: User \"ben\" cannot impersonate resource \"users\" in API group \"\" at the cluster scope"}`
)

// reviews responds to the two reviews. Whom the request impersonates is noted.
func reviews(self, rules http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
			self(w, r)
		case strings.HasSuffix(r.URL.Path, "/selfsubjectrulesreviews"):
			rules(w, r)
		default:
			http.NotFound(w, r)
		}
	}
}

func good(body string) http.HandlerFunc { return answers(http.StatusCreated, "application/json", body) }

func TestWhoAmISaysWhatTheServerSays(t *testing.T) {
	for name, c := range map[string]struct {
		self, rules http.HandlerFunc
		code        int
		says        []string
	}{
		"all":             {good(oddSelf), good(oddRules), 200, []string{"ben", "dev", "pods", "The list isn’t complete", "the webhook is down", "no credential"}},
		"old server":      {http.NotFound, good(oddRules), 200, []string{"This server doesn’t offer SelfSubjectReview", "since 1.28", "The refusal of a request often has your user name.", "pods"}},
		"forbidden":       {answers(403, "application/json", `{"kind":"Status","code":403,"message":"no"}`), good(oddRules), 200, []string{"permission", "pods"}},
		"odd review":      {good(`{"kind":"Other"}`), good(oddRules), 200, []string{"The response is no SelfSubjectReview."}},
		"rules forbidden": {good(oddSelf), answers(403, "application/json", `{"kind":"Status","code":403,"message":"no"}`), 403, []string{"ben", "permission"}},
		"odd rules":       {good(oddSelf), good(`[]`), 502, []string{"ben", "The response is no SelfSubjectRulesReview."}},
		"cut off":         {good(oddSelf), good(`{"kind":"SelfSubjectRulesReview","status":`), 502, []string{"ben"}},
	} {
		t.Run(name, func(t *testing.T) {
			scripted(t, reviews(c.self, c.rules)).want(c.code, "/c/odd/-/whoami").says(c.says...).inert()
		})
	}
}

func TestAServerThatDoesNotRespondHasOneNotice(t *testing.T) {
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{"odd": "http://127.0.0.1:1"})})
	must(t, err)
	p := newSite(t, clusters).want(http.StatusBadGateway, "/c/odd/-/whoami").inert()
	if n := strings.Count(p.main(), "doesn’t respond"); n != 1 {
		t.Errorf("the page says it %d times: %s", n, p.main())
	}
}

// whoAmIForm sends a form of the page.
func (s *site) whoAmIForm(fields url.Values) answered {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.server.URL+"/c/odd/-/whoami", strings.NewReader(fields.Encode()))
	must(s.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(r)
}

func TestAViewBeginsWhenTheServerAllowsIt(t *testing.T) {
	var as string
	self := func(w http.ResponseWriter, r *http.Request) {
		as = r.Header.Get("Impersonate-User") + " " + strings.Join(r.Header["Impersonate-Group"], "|")
		if r.Header.Get("Impersonate-User") == "ada" {
			answers(http.StatusForbidden, "application/json", noRight)(w, r)
			return
		}
		good(oddSelf)(w, r)
	}
	var set []identity.View
	s := scripted(t, reviews(self, good(oddRules)), func(o *Options) {
		o.SetView = func(_ http.ResponseWriter, _ *http.Request, v identity.View) error {
			if v.As.User == "too long" || !v.None() && v.As.Nobody() {
				return errors.New("a name has a problem")
			}
			set = append(set, v)
			return nil
		}
	})
	form := func(user, groups string) url.Values {
		return url.Values{web.ViewAct: {web.ViewStart}, web.ViewUser: {user}, web.ViewGroups: {groups}, web.ViewBack: {"/c/odd/-/whoami?namespace=shop"}}
	}
	p := s.whoAmIForm(form(" cleo ", "dev team, ops,\r\n,x"))
	want := identity.View{Cluster: "odd", As: identity.Impersonation{User: "cleo", Groups: []string{"dev team", "ops", "x"}}}
	if p.code != http.StatusSeeOther || p.header.Get("Location") != "/c/odd/-/whoami?namespace=shop" || len(set) != 1 || !reflect.DeepEqual(set[0], want) || as != "cleo dev team|ops|x" {
		t.Errorf("%d to %q, set %+v, tried as %q", p.code, p.header.Get("Location"), set, as)
	}
	for name, c := range map[string]struct {
		user string
		code int
		says []string
	}{
		"forbidden": {"ada", 403, []string{"doesn’t let you act as this user", `resourceNames: ["ada"]`}},
		"nobody":    {"", 400, []string{"This view isn’t possible", "A name has a problem."}},
		"unfit":     {"too long", 400, []string{"This view isn’t possible"}},
	} {
		if p := s.whoAmIForm(form(c.user, "")).says(c.says...); p.code != c.code {
			t.Errorf("%s: %d", name, p.code)
		}
	}
	p = s.whoAmIForm(url.Values{web.ViewAct: {web.ViewStop}, web.ViewBack: {"//evil.test"}})
	if p.code != http.StatusSeeOther || p.header.Get("Location") != "/" || len(set) != 2 || !set[1].None() {
		t.Errorf("after the end: %d to %q, %+v", p.code, p.header.Get("Location"), set)
	}
}

func TestAPersonSeesTheirWayIn(t *testing.T) {
	token := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"https://issuer.example","sub":"s-1","aud":["k"],"exp":1800000000}`)) + ".c2VjcmV0"
	person := func(way identity.Way, grant identity.Grant) identity.Visitor {
		return identity.Visitor{Person: &identity.Person{Way: way, Issuer: "https://issuer.example", Grants: map[string]identity.Grant{"odd": grant}}}
	}
	for name, c := range map[string]struct {
		visitor identity.Visitor
		says    []string
	}{
		"issuer":      {person(identity.OIDC, identity.Grant{Token: token}), []string{"you signed in at an issuer", "https://issuer.example", "s-1", "audience", "The credential ends"}},
		"token":       {person(identity.Token, identity.Grant{Token: "opaque", Expires: time.Unix(1800000000, 0)}), []string{"you pasted a token", "The credential ends"}},
		"proxy":       {person(identity.Proxy, identity.Grant{Token: token}), []string{"a trusted proxy"}},
		"impersonate": {person(identity.Impersonate, identity.Grant{As: identity.Impersonation{User: "ben"}}), []string{"own account impersonates you"}},
		"viewing": {
			identity.Visitor{View: identity.View{Cluster: "odd", As: identity.Impersonation{User: "cleo"}}, ReadOnly: "You view the cluster odd as cleo."},
			[]string{"You view this cluster as somebody else."},
		},
	} {
		s := scripted(t, reviews(good(oddSelf), good(oddRules)), func(o *Options) { o.Who = func(*http.Request) identity.Visitor { return c.visitor } })
		p := s.want(http.StatusOK, "/c/odd/-/whoami").says(c.says...).inert()
		if strings.Contains(p.body, "c2VjcmV0") || strings.Contains(p.body, "opaque") {
			t.Errorf("%s: the page has the token", name)
		}
		if viewing := strings.Contains(p.body, "You view this cluster as cleo."); viewing != (name == "viewing") {
			t.Errorf("%s: the page is marked: %v", name, viewing)
		}
		if c.visitor.ReadOnly != "" && !strings.Contains(p.body, c.visitor.ReadOnly) {
			t.Errorf("%s: the page doesn't say why it only reads", name)
		}
	}
}

// A reload after the first page has the name in the bar, on each page of the cluster.
func TestTheBarHasTheName(t *testing.T) {
	s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/version" {
			answers(200, "application/json", `{"gitVersion":"v1.37.0"}`)(w, r)
			return
		}
		reviews(good(oddSelf), good(oddRules))(w, r)
	})
	_, _ = io.WriteString(io.Discard, s.get(web.Home).body) // the first page asks each cluster
	p := s.get("/c/odd/-/discovery")
	if found := p.all("a", "class=account", "href=/c/odd/-/whoami"); len(found) != 1 || !strings.Contains(text(found[0]), "ben") {
		t.Errorf("the bar has %d names", len(found))
	}
}

// In the shared mode, the issuer says the name, so no page has to ask first. The name is only for clusters that the person has signed in for.
func TestTheBarHasTheNameOfAPersonAtOnce(t *testing.T) {
	for slug, named := range map[string]bool{"odd": true, "another": false} {
		person := &identity.Person{Key: "the key of cleo", Name: "cleo", Grants: map[string]identity.Grant{slug: {Token: "x"}}}
		s := scripted(t, reviews(good(oddSelf), good(oddRules)), func(o *Options) {
			o.Who = func(*http.Request) identity.Visitor { return identity.Visitor{Person: person} }
		})
		p := s.get("/c/odd/-/discovery")
		found := p.all("a", "class=account", "href=/c/odd/-/whoami")
		if got := len(found) == 1 && strings.Contains(text(found[0]), "cleo"); got != named {
			t.Errorf("signed in for %q: the bar has the name: %v", slug, got)
		}
		if !strings.Contains(p.body, `"reader":"the key of cleo"`) {
			t.Errorf("signed in for %q: the page doesn't know its reader", slug)
		}
		s.want(http.StatusNotFound, "/c/nope").says("The settings of this Fieldmark name its clusters.")
	}
}

// In the shared mode a person can come to another replica, which knows nothing of earlier requests. The page says since when it knows them.
func TestTheWireLogSaysSinceWhenItRecords(t *testing.T) {
	for _, person := range []*identity.Person{nil, {Key: "the key of cleo", Name: "cleo", Grants: map[string]identity.Grant{"odd": {Token: "x"}}}} {
		s := scripted(t, reviews(good(oddSelf), good(oddRules)), func(o *Options) {
			o.Who = func(*http.Request) identity.Visitor { return identity.Visitor{Person: person} }
		})
		s.get("/c/odd/-/whoami") // makes requests
		if n := len(s.get("/c/odd/-/requests").all("span", "id=since")); (n == 1) != (person != nil) {
			t.Errorf("for %v, the page says %d times since when", person, n)
		}
	}
}
