package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/versions"
)

// versions is the page on which you send every combination of resourceVersion, resourceVersionMatch and paging. The server lists one
// object, which gives resource versions and a continue token to fill in. The browser sends all other requests.
func (p *Pages) versions(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	m := versions.Parse(r.URL.Query())
	lab(p, func(_ *visit, around page.Frame) page.Page {
		m.Frame = around.With(m.Problem)
		m.Shell.Path.Namespace = m.Target.Path.Namespace
		return m
	}, func(v *visit) { m = v.versioned(m) })(w, r, slug, tool)
}

// versioned takes values from a list of one object.
func (v *visit) versioned(m versions.Model) versions.Model {
	if !m.Target.Known() {
		return m
	}
	body, err := v.get(m.First(), asMetadata)
	var first chunk.Answer
	if err == nil {
		first, err = chunk.Parse(body)
	}
	if err != nil {
		_, notice := explain(err)
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "Fieldmark can’t list the collection", Words: "So Fieldmark has no resource versions to fill in below. You can write some yourself.", Quoted: notice.Quoted,
		}
		return m
	}
	return m.Fill(first)
}
