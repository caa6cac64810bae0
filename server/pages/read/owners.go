package read

import (
	"context"
	"sync"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/pages/owned"
	"github.com/fieldmark/fieldmark/web/frame/page"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/read/object/related"
)

// owners reads what owns the object and what it owns, and what else is connected with it. Both are read at the same time, from the first part on. The
// last part has the frame of the whole page.
func (v making) owners(m *objectpage.Model, catalog discovery.Catalog) []func() page.Page {
	var found related.Model
	var owners, others rescue.Group
	end := func() {}
	start := sync.OnceFunc(func() {
		var ctx context.Context
		ctx, end = context.WithTimeout(v.Context(), owned.SearchTime)
		owners.Go(func() { found.Owners = v.above(ctx, m.Object, catalog) })
		owners.Go(func() { found.Owned, found.Search = owned.Of(v.Visit, m.Object, catalog) })
		others.Go(func() { found.Groups = v.connected(ctx, m.Object, m.Type, catalog) })
	})
	return []func() page.Page{
		func() page.Page {
			start()
			owners.Wait()
			m.Owners.Owners, m.Owners.Owned, m.Owners.Search = found.Owners, found.Owned, found.Search
			if t := m.Row.Table; len(t.Rows) > 0 {
				m.Owners.State = dependents.StateOf(t.Columns, t.Rows[0].Cells)
			}
			return *m
		},
		func() page.Page {
			start()
			others.Wait()
			end()
			m.Owners.Groups = found.Groups
			stray := m.Shell.Stray
			m.Frame = v.Frame()
			m.Shell.Stray = stray
			return *m
		},
	}
}
