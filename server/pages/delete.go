package pages

import (
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/web/frame/page"
	deletion "github.com/fieldmark/fieldmark/web/write/delete"
)

// deletion is the page on which you delete an object. The server requests the object and its dependents. The browser sends the
// request that deletes it.
func (v *visit) deletion() (page.Page, error) {
	a, err := v.onObject("delete")
	if err != nil {
		return nil, err
	}
	m := deletion.Model{Path: a.path, Type: a.kind, Object: a.object, Options: deletion.ParseOptions(v.request.URL.Query()), Now: v.pages.Now()}
	var wg rescue.Group
	catalog := v.around.catalog
	wg.Go(func() { m.Owned, m.Search = v.owned(a.object, catalog) })
	wg.Go(func() { m.Doom = v.doom(a, catalog) })
	wg.Wait()
	v.title = "Delete " + a.path.Name
	m.Frame = v.frame()
	return m, nil
}
