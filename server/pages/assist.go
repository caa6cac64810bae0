package pages

import (
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/assist"
)

// assist is the page on which ownership is moved between managers. The browser sends the requests.
func (v *visit) assist() (page.Page, error) {
	a, err := v.onObject("patch")
	if err != nil {
		return nil, err
	}
	m := assist.Model{Path: a.path, Type: a.kind, Object: a.object, Choice: assist.ParseChoice(v.request.URL.Query()), Now: v.pages.Now()}
	if _, scales := a.kind.Subresource("scale"); scales {
		v.withoutTypes(v.around.catalog, feature.Autoscalers)
	}
	v.title = "Ownership of " + a.path.Name
	m.Frame = v.frame()
	return m, nil
}
