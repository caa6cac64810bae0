package survey

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	shown "github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/web/survey/upgradecheck"
)

// upgradeCheck serves the page that says what an upgrade would break.
func (p Pages) upgradeCheck(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	p.pass(w, r, slug, tool, func(session string, query url.Values) any {
		target, _ := release.Parse(upgradecheck.ParseQuery(query))
		return p.broken(session, slug, target)
	}, p.allBroken, making.upgradeCheck)
}

// allBroken are all findings, in the form in which the terminal prints them.
func (p Pages) allBroken(session string, c *cluster.Cluster, query url.Values) (f file, ok bool) {
	target, err := release.Parse(upgradecheck.ParseQuery(query))
	if err != nil {
		return f, false
	}
	facts, ok := p.Censuses.Facts(session, c.Slug(), target)
	if !ok {
		return f, false
	}
	last, _ := c.Last() // without it, the file doesn't say the version
	r := upgrade.Report{
		APIVersion: upgrade.APIVersion, Kind: upgrade.ReportKind, Target: target.String(), MadeFor: facts.Table.MadeFor.String(),
		Clusters: []upgrade.Cluster{upgrade.Cluster{Context: c.Name(), Server: last.Version, Findings: facts.Findings()}.Counted()},
	}
	return file{name: "-" + target.String(), began: facts.Census.Began, document: r, table: func() string { return plain.CSV(r.Rows()) }}, true
}

// broken is what is known to break at a target. Without a target, it is only how far the pass is.
func (p Pages) broken(session, slug string, target release.Version) (b shown.Body) {
	facts, ok := p.Censuses.Facts(session, slug, target)
	if !ok {
		return b
	}
	b.State = shown.StateOf(facts.Census)
	if target.Known() {
		b.Groups = grouped(facts.Findings())
	}
	return b
}

// upgradeCheck is the page; a POST starts a pass first.
func (v making) upgradeCheck() (page.Page, error) {
	var server release.Info
	if err := v.LoadSurroundings(func() {
		if body, err := v.Get("/version", "application/json"); err == nil {
			_ = json.Unmarshal(body, &server) // without a version, the page says nothing about it
		}
	}); err != nil {
		return nil, err
	}
	table, err := removal.Of()
	if err != nil {
		return nil, err
	}
	m := upgradecheck.Model{Server: server.GitVersion, MadeFor: table.MadeFor.String()}
	var elsewhere error
	if m.Pass, m.Problem, elsewhere = v.passed(web.UpgradeCheck); elsewhere != nil {
		return nil, elsewhere
	}
	next := server.Version()
	if !next.Known() {
		next = table.MadeFor
	}
	next++
	for to := next; to <= max(table.Until(), next); to++ {
		m.Choices = append(m.Choices, upgradecheck.Choice{To: to.String(), Planned: !table.Knows(to)})
	}
	target := next
	if m.To = upgradecheck.ParseQuery(v.Request().URL.Query()); m.To != "" {
		if target, err = release.Parse(m.To); err != nil {
			v.Code, m.Problem = http.StatusBadRequest, &components.Notice{
				Tone: components.Warn, Title: "The target isn’t a version of Kubernetes", Words: components.Sentence(err.Error()), Advice: "Choose a version above.",
			}
			m.To = ""
		}
	} else {
		m.To = target.String()
	}
	m.Body = Pages{v.Site()}.broken(v.Session(), v.Cluster().Slug(), target)
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}
