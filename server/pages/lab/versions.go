package lab

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/versions"
)

// versions is the page on which you send every combination of resourceVersion, resourceVersionMatch and paging. The server lists one
// object, which gives resource versions and a continue token to fill in. The browser sends all other requests.
func (v making) versions() (page.Page, error) {
	m := versions.Parse(v.Request().URL.Query())
	if err := v.LoadSurroundings(func() { m = v.versioned(m) }); err != nil {
		return nil, err
	}
	m.Frame = v.Frame().With(m.Problem)
	m.Shell.Path.Namespace = m.Target.Path.Namespace
	return m, nil
}

// versioned takes values from a list of one object.
func (v making) versioned(m versions.Model) versions.Model {
	if !m.Target.Known() {
		return m
	}
	body, err := v.Get(m.First(), visit.AsMetadata)
	var first chunk.Answer
	if err == nil {
		first, err = chunk.Parse(body)
	}
	if err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "Fieldmark can’t list the collection", Words: "So Fieldmark has no resource versions to fill in below. You can write some yourself.", Quoted: notice.Quoted,
		}
		return m
	}
	return m.Fill(first)
}
