package contention

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// live is the state that only the browser has.
type live struct {
	awake   bool
	asked   bool           // a request is on its way
	trouble string         // why the last request had no usable response; empty: it had one
	over    bool           // the pointer is over the rows
	held    *report.Report // what the rows show when the pointer has left them; nil: what they show now
}

// asking is the ID of the page's requests.
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
		return m.requestScanState()
	case page.Response:
		if msg.ID == asking {
			return m.handleScanState(msg)
		}
	case page.Addressed:
		return m, []page.Cmd{page.Navigate{Address: web.WithQuery(m.action(), msg.Query)}}
	case page.Acted:
		if form, key, is := components.ReadCopy(msg.Action); is {
			return m, m.copied(form, key)
		}
	case page.Pointed:
		m.live.over = msg.Over
		if !msg.Over && m.live.held != nil {
			m.Run.Report, m.live.held = *m.live.held, nil
		}
	}
	return m, nil
}

// copied copies the fight in the row with an id.
func (m Model) copied(form components.CopyForm, key string) []page.Cmd {
	if m.Run == nil {
		return nil
	}
	who := cast(m.Run.Report)
	for _, f := range m.Run.Report.Fights.Rows {
		if row("fight", f.Object.Path, f.Path) != key {
			continue
		}
		fight := copying.Fight{Object: plain.Object(f.Object.Kind, f.Object.Namespace, f.Object.Name), Path: f.Path, Values: f.Values, Returns: returns(f)}
		for _, manager := range f.Managers {
			fight.Managers = append(fight.Managers, who.Of(manager))
		}
		return page.CopyAs(form, fight)
	}
	return nil
}

// returns says how often the value of a fight came back, and how fast.
func returns(f report.Fight) string {
	times := words.Count(int64(f.Count), "time", "times")
	if f.Period > 0 {
		times += ", about every " + every(f.Period)
	}
	return times
}

// requestScanState requests the state of the scan while the scan runs.
func (m Model) requestScanState() (page.Page, []page.Cmd) {
	if !m.runs() || m.live.asked {
		return m, nil
	}
	m.live.asked = true
	return m, []page.Cmd{page.Ask{ID: asking, Address: m.action(), Accept: MediaType}}
}

// handleScanState takes the state of the scan in.
func (m Model) handleScanState(answer page.Response) (page.Page, []page.Cmd) {
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

// verdict is the result of a scan in short.
func verdict(r report.Run) string {
	return fmt.Sprintf("The scan has ended. Fields that go back and forth: %s.", words.Thousands(int64(r.Report.Fights.All)))
}
