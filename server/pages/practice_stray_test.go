package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/pages/visit"
)

func TestUnknownTabsAreTold(t *testing.T) {
	s := practiceSite(t)
	object, discovery := "/c/practice"+visit.OwnedDeployment().String(), "/c/practice/-/discovery"
	for _, address := range []string{object, discovery} {
		for _, tab := range []string{"nonsense", "<b>x"} {
			s.want(http.StatusOK, address+"?tab="+url.QueryEscape(tab)).says("There is no tab “"+tab+"” here", "The page shows its first tab instead.").inert()
		}
	}
	s.want(http.StatusOK, object+"?tab=timelin").says("Did you mean timeline?", "The tabs are: fields, yaml, json, timeline")
	s.want(http.StatusOK, discovery+"?tab=Raw").says("Did you mean raw?")
	for _, address := range []string{object, object + "?tab=fields", object + "?tab=timeline", object + "?tab=owners", object + "?managed=1", discovery + "?tab=raw", discovery + "?type=pods"} {
		if p := s.want(http.StatusOK, address); strings.Contains(p.main(), "There is no tab") {
			t.Errorf("%s: %s", address, p.main())
		}
	}
}
