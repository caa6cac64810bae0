package run

import (
	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/server/pages/owned"
	"github.com/fieldmark/fieldmark/web/frame/page"
	deletion "github.com/fieldmark/fieldmark/web/run/delete"
)

// deletion is the page on which you delete an object. The server requests the object and its dependents. The browser sends the
// request that deletes it.
func (v making) deletion() (page.Page, error) {
	a, err := v.OnObject("delete")
	if err != nil {
		return nil, err
	}
	m := deletion.Model{Path: a.Path, Type: a.Type, Object: a.Object, Options: deletion.ParseOptions(v.Request().URL.Query()), Now: v.Now()}
	var wg rescue.Group
	catalog := v.Catalog()
	wg.Go(func() { m.Owned, m.Search = owned.Of(v.Visit, a.Object, catalog) })
	wg.Go(func() { m.Doom = v.doom(a, catalog) })
	wg.Wait()
	v.Title = "Delete " + a.Path.Name
	m.Frame = v.Frame()
	return m, nil
}
