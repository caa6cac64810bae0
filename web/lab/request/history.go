package request

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// mostHistory bounds the requests in the history.
const mostHistory = 40

// keptHistory is the key of the browser's storage for the requests of a cluster.
func (m Model) keptHistory() string { return "request.history." + m.Shell.Cluster.Slug }

// Keeps implements page.Keeper.
func (m Model) Keeps() []string { return []string{m.keptHistory()} }

// kept takes the history in.
func (m Model) kept(values map[string]string) Model {
	var had []draft.Draft
	if json.Unmarshal([]byte(values[m.keptHistory()]), &had) == nil {
		m.live.history = had[:min(len(had), mostHistory)]
	}
	return m
}

// addToHistory puts the request at the top of the history, without secrets.
func (m Model) addToHistory() (Model, page.Cmd) {
	d := m.Draft
	d.Target, d.Header = d.Shareable(), nil
	if d.Secret() || len(d.Body) > web.MostInAddress || !d.HasBody() {
		d.Body = ""
	}
	all := []draft.Draft{d}
	for _, had := range m.live.history {
		if (had.Method != d.Method || had.Target != d.Target || had.Body != d.Body || had.Accept != d.Accept) && len(all) < mostHistory {
			all = append(all, had)
		}
	}
	m.live.history = all
	return m, m.keep()
}

func (m Model) keep() page.Cmd {
	text, err := json.Marshal(m.live.history)
	if err != nil || len(m.live.history) == 0 {
		text = nil
	}
	return page.Keep{Key: m.keptHistory(), Value: string(text)}
}
