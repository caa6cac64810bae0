package pages

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/web"
)

func TestWhoAmIInThePracticeCluster(t *testing.T) {
	s := practiceSite(t)
	s.want(http.StatusOK, "/c/practice/-/whoami").inert().
		says("system:masters", "a client certificate", "The credential ends", "all types", "all verbs", "/healthz", "A rule with the verb impersonate is in your list")
	p := s.want(http.StatusOK, "/c/practice-viewer/-/whoami?namespace=shop&filter=list+pods").inert().
		says("system:authenticated", "kubectl auth can-i --list --namespace shop", "No rule in your list has the verb impersonate")
	if there := p.link("pods"); !strings.HasPrefix(there, "/c/practice-viewer/api/v1/namespaces/shop/pods") {
		t.Errorf("pods lead to %s", there)
	}
}

// seen is the practice cluster as somebody else sees it.
type seen struct {
	*cluster.Registry
	as identity.Impersonation
}

func (s seen) For(context.Context) *cluster.Registry {
	c, _ := s.Get(cluster.Practice)
	return s.With(c.As(s.as))
}

func TestTheAPIServerDecidesWhatSomebodyElseSees(t *testing.T) {
	for name, c := range map[string]struct {
		as      identity.Impersonation
		pods    int
		secrets int
	}{
		"nobody's friend": {identity.Impersonation{User: "ada"}, http.StatusForbidden, http.StatusForbidden},
		"an admin":        {identity.Impersonation{User: "ada", Groups: []string{"system:masters"}}, http.StatusOK, http.StatusOK},
		"an account":      {identity.Impersonation{User: "system:serviceaccount:kube-system:default"}, http.StatusForbidden, http.StatusForbidden},
	} {
		s := practiceSite(t)
		s.want(http.StatusOK, "/c/practice/api/v1/namespaces/shop/pods")
		as := practiceSite(t, func(o *Options) {
			o.Clusters = seen{s.clusters, c.as}
			o.Who = func(*http.Request) identity.Visitor {
				return identity.Visitor{View: identity.View{Cluster: cluster.Practice, As: c.as}, ReadOnly: "You view the cluster practice as " + c.as.User + "."}
			}
		})
		as.want(http.StatusOK, "/c/practice/-/whoami").inert().says(c.as.User, "You view this cluster as somebody else.")
		as.want(c.pods, "/c/practice/api/v1/namespaces/shop/pods").inert()
		p := as.want(c.secrets, "/c/practice/api/v1/namespaces/shop/secrets").inert()
		if !strings.Contains(p.body, "You view this cluster as "+c.as.User) {
			t.Errorf("%s: the page isn't marked", name)
		}
	}
}

func TestAViewNeedsTheRightToImpersonate(t *testing.T) {
	var set []identity.View
	s := practiceSite(t, func(o *Options) {
		o.SetView = func(_ http.ResponseWriter, _ *http.Request, v identity.View) error {
			set = append(set, v)
			return nil
		}
	})
	for slug, c := range map[string]struct {
		code   int
		groups string
		says   []string
	}{
		cluster.PracticeViewer: {http.StatusForbidden, "dev", []string{"doesn’t let you act as this user", "resources: [users]", "resources: [groups]"}},
		cluster.Practice:       {http.StatusSeeOther, "dev", nil},
	} {
		form := url.Values{web.ViewAct: {web.ViewStart}, web.ViewUser: {"ada"}, web.ViewGroups: {c.groups}, web.ViewBack: {"/"}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+"/c/"+slug+"/-/whoami", strings.NewReader(form.Encode()))
		must(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if p := s.do(r).says(c.says...); p.code != c.code {
			t.Errorf("%s: %d %s", slug, p.code, p.main())
		}
	}
	if len(set) != 1 || set[0].Cluster != cluster.Practice || set[0].As.User != "ada" {
		t.Errorf("set %+v", set)
	}
}
