package read

import (
	"context"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/pages/owned"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
)

// owners fills in what owns the object, what it owns, and what else is connected with it.
func (v making) owners(m *objectpage.Model, catalog discovery.Catalog) {
	ctx, cancel := context.WithTimeout(v.Context(), owned.SearchTime)
	defer cancel()
	var wg rescue.Group
	wg.Go(func() { m.Owners.Owners = v.above(ctx, m.Object, catalog) })
	wg.Go(func() { m.Owners.Owned, m.Owners.Search = owned.Of(v.Visit, m.Object, catalog) })
	wg.Go(func() { m.Owners.Groups = v.connected(ctx, m.Object, m.Type, catalog) })
	wg.Wait()
	if t := m.Row.Table; len(t.Rows) > 0 {
		m.Owners.State = dependents.StateOf(t.Columns, t.Rows[0].Cells)
	}
}
