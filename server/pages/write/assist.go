package write

import (
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/assist"
)

// assist is the page on which ownership is moved between managers. The browser sends the requests.
func (v making) assist() (page.Page, error) {
	a, err := v.OnObject("patch")
	if err != nil {
		return nil, err
	}
	m := assist.Model{Path: a.Path, Type: a.Type, Object: a.Object, Choice: assist.ParseChoice(v.Request().URL.Query(), a.Object), Now: v.Now()}
	if _, scales := a.Type.Subresource("scale"); scales {
		v.WithoutTypes(v.Catalog(), feature.Autoscalers)
	}
	v.Title = "Ownership of " + a.Path.Name
	m.Frame = v.Frame()
	return m, nil
}
