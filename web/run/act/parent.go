package act

import "github.com/fieldmark/fieldmark/web"

// Parent implements page.Below: it is the page of the object, or of the cluster if there are several objects.
func (m Model) Parent() string {
	if len(m.Query.Paths) == 1 {
		return web.Page(m.Shell.Cluster.Slug, m.Query.Paths[0])
	}
	return m.Shell.Up()
}
