package contention

import (
	"encoding/json"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// live is what only the living page knows.
type live struct {
	awake   bool
	asked   bool           // an answer is on its way
	trouble string         // why none comes
	over    bool           // the pointer is over the rows
	held    *report.Report // what the rows are to show once it is not
}

// asking is what answers are known by.
const asking = "scan"

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) {
	m.live.awake = true
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		return m.ask()
	case page.Response:
		if msg.ID == asking {
			return m.hear(msg)
		}
	case page.Addressed:
		return m, []page.Cmd{page.Navigate{Address: web.WithQuery(m.action(), msg.Query)}}
	case page.Pointed:
		m.live.over = msg.Over
		if !msg.Over && m.live.held != nil {
			m.Run.Report, m.live.held = *m.live.held, nil
		}
	}
	return m, nil
}

// ask asks how far the scan is, while it runs.
func (m Model) ask() (page.Page, []page.Cmd) {
	if !m.runs() || m.live.asked {
		return m, nil
	}
	m.live.asked = true
	return m, []page.Cmd{page.Ask{ID: asking, Address: m.action(), Accept: MediaType}}
}

// hear takes the scan in as it is now.
func (m Model) hear(answer page.Response) (page.Page, []page.Cmd) {
	m.live.asked = false
	var run *report.Run
	switch {
	case answer.Status == status.CodeUnauthorized:
		m.live.trouble = "signed out: reload to sign in again"
		return m, nil
	case answer.Status != status.CodeOK || json.Unmarshal(answer.Body, &run) != nil:
		m.live.trouble = "Fieldmark doesn’t respond, trying again"
		return m, nil
	case run == nil:
		m.Run = nil
		return m, nil
	}
	m.live.trouble = ""
	before := m.runs()
	m.show(run)
	if before && !m.runs() {
		return m, []page.Cmd{page.Announce{Words: verdict(*run)}}
	}
	return m, nil
}

// show holds the rows still while the pointer is over them.
func (m *Model) show(run *report.Run) {
	m.live.held = nil
	if m.live.over && m.Run != nil {
		report := run.Report
		m.live.held, run.Report = &report, m.Run.Report
		run.Report.Types = report.Types
	}
	m.Run = run
}

// verdict says what came of a scan.
func verdict(r report.Run) string {
	return "The scan is over. " + words.Count(int64(r.Report.Fights.All), "field goes", "fields go") + " back and forth."
}
