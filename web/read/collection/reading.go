package collection

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Annotations and fields are not in the rows of a Table, so the page reads objects. It reads only those in sight, keeps no more of them than the texts of
// the columns, and reads an object again when its row has another version:
//
//	rows in sight without a text ▸ a list that has few other objects ▸ else one request for each object ▸ texts into the rows
//	                               └─ at most mostCalls at once, and mostASecond a second; while the reader scrolls fast, none until the next tick
//	the rest, if the reader wants it ▸ the collection in chunks, one after the other
const (
	mostCalls   = 8
	mostASecond = 64
	// fewRows is how many rows that aren't in sight are read without being asked for, so that the order and the filter know all rows.
	fewRows = 100
	// near is the distance in pixels by which a reader who scrolls moves slowly.
	near      = 4 * page.RowHeight
	patience  = 30 * time.Second
	chunkSize = 600_000 // bytes that a chunk of the rest should have
	mostChunk = 500

	askValues  = "values "
	doReadRest = "read-rest"
	doStopRest = "read-stop"
)

// Cost is what reading has cost.
type Cost struct {
	Requests int   `json:"requests,omitempty"`
	Bytes    int64 `json:"bytes,omitempty"`
	Objects  int   `json:"objects,omitempty"`
}

// reading is what a page in the browser has read of objects, for the columns that the reader has added.
type reading struct {
	names   []string // of the columns
	known   map[string]known
	asked   map[string]string // by uid: the version of a row when its object was requested
	single  map[string]bool   // uids that a list didn't have
	calls   map[string]asking // without a response, by id
	number  int               // of the last call
	budget  int               // calls until the next tick
	top     int               // where the rows were when objects were last read
	current int               // rows whose texts are current; -1: count them
	cost    Cost
	note    string // why objects can't be read
	refused bool   // one object at a time
	rest    rest
}

// known is what is known of an object.
type known struct {
	version string
	old     bool // the row has another version
	values  *table.Values
}

// asking is a call without a response.
type asking struct {
	uids []string // of the rows that it is for
	list bool
	rest bool
	at   time.Time
}

// rest is the state of reading all rows.
type rest struct {
	on   bool
	read int // objects
}

// begin begins with other columns. If all of them were read before, their texts stay.
func (r *reading) begin(names []string) {
	if slices.Equal(r.names, names) && r.known != nil {
		return
	}
	before := *r
	*r = reading{
		names: names, known: map[string]known{}, asked: map[string]string{}, single: map[string]bool{}, calls: map[string]asking{}, number: r.number,
		budget: mostASecond, cost: r.cost, top: r.top,
	}
	for uid, k := range before.known {
		if texts := picked(k.values.Texts, before.names, names); len(names) > 0 && texts != nil {
			k.values = &table.Values{Names: names, Texts: texts}
			r.known[uid] = k
		}
	}
	r.current = -1
}

// picked are the texts with some names; nil if one is missing.
func picked(texts, names, some []string) (all []string) {
	for _, name := range some {
		i := slices.Index(names, name)
		if i < 0 {
			return nil
		}
		all = append(all, texts[i])
	}
	return all
}

// rewriteValues writes what is known into all rows.
func (l *live) rewriteValues() {
	for _, uid := range l.rows.UIDs() {
		row, _ := l.rows.Get(uid)
		if values := l.reading.known[uid].values; values != row.Values {
			row.Values = values
			l.rows.Put(row)
		}
	}
}

// take keeps what was read of an object, and tells whether it is news.
func (r *reading) take(one column.Read) bool {
	before, there := r.known[one.UID]
	if there && object.Older(one.Version, before.version) {
		return false
	}
	k := known{version: one.Version, values: before.values}
	if !there || !slices.Equal(before.values.Texts, one.Texts) {
		k.values = &table.Values{Names: r.names, Texts: one.Texts}
	}
	r.known[one.UID], r.current = k, -1
	return true
}

// give gives a row of the subscription what is known of its object.
func (r *reading) give(row *table.Row) {
	if k, there := r.known[row.UID]; there {
		row.Values = k.values
		if old := k.version != row.ResourceVersion; old != k.old {
			k.old = old
			r.known[row.UID], r.current = k, -1
		}
	}
}

// forget forgets objects that have no row.
func (r *reading) forget(rows interface {
	Get(string) (table.Row, bool)
},
) {
	gone := func(uid string) bool { _, there := rows.Get(uid); return !there }
	maps.DeleteFunc(r.known, func(uid string, _ known) bool { return gone(uid) })
	maps.DeleteFunc(r.asked, func(uid, _ string) bool { return gone(uid) })
	maps.DeleteFunc(r.single, func(uid string, _ bool) bool { return gone(uid) })
	r.current = -1
}

// count is how many rows have current texts.
func (r *reading) count() int {
	if r.current < 0 {
		r.current = 0
		for _, k := range r.known {
			if !k.old {
				r.current++
			}
		}
	}
	return r.current
}

// startReading takes over what the server has read.
func (m Model) startReading() {
	l := m.live
	l.reading.begin(m.valueNames())
	l.reading.cost, l.reading.note = m.Cost, m.Unread
	for _, one := range m.Values {
		l.reading.take(one)
	}
	for _, r := range m.Table.Rows {
		l.reading.give(&r)
	}
}

// sight are the rows that can be seen.
func (l *live) sight() []table.Row {
	first, count := l.view.Top/page.RowHeight, l.view.Height/page.RowHeight+2
	if l.view.Height == 0 {
		count = 0 // the page doesn't know yet
	}
	return l.rows.Rows(first, count)
}

// wanted are the rows whose objects must be read now. While the rows are sorted by a column that is read, rows in sight without a text would move
// away, so only the reader can have them read.
func (m Model) wanted() (rows []table.Row) {
	l := m.live
	few := m.depends() && m.unknown() <= fewRows
	want := func(r *table.Row) {
		k, there := l.reading.known[r.UID]
		asked, waits := l.reading.asked[r.UID]
		switch {
		case r.Name == "", there && k.version == r.ResourceVersion, waits && asked == r.ResourceVersion, !there && !few && m.sortedByValue():
		default:
			rows = append(rows, *r)
		}
	}
	for _, r := range l.sight() {
		want(&r)
	}
	if few && len(rows) == 0 && m.unknown() > 0 {
		for _, uid := range l.rows.UIDs() { // also those that don't pass the filter
			r, _ := l.rows.Get(uid)
			want(&r)
		}
	}
	return rows
}

// unknown is how many rows have no current text.
func (m Model) unknown() int {
	total := m.rowCount()
	if m.live == nil {
		return total - len(m.Values)
	}
	return max(0, total-m.live.reading.count())
}

func (m Model) rowCount() int {
	if m.live == nil {
		return len(m.Table.Rows)
	}
	if !m.follows() {
		return m.live.rows.Total()
	}
	return m.live.rows.Total() + int(m.live.rows.Left)
}

// sortedByValue tells whether the order depends on texts that are read, and depends whether the filter does, too.
func (m Model) sortedByValue() bool { return slices.Contains(m.valueNames(), m.Query.Sort.Column) }

func (m Model) depends() bool {
	return m.sortedByValue() || m.Query.Filter != "" && len(m.Reader().Columns) > 0
}

// read are the calls that read objects now.
func (m Model) read() (commands []page.Cmd) {
	l := m.live
	r := &l.reading
	if l.view.Top > r.top+near || l.view.Top < r.top-near {
		return nil
	}
	r.top = l.view.Top
	if len(r.names) == 0 || m.Problem != nil || len(r.calls) >= mostCalls || r.budget <= 0 {
		return nil
	}
	rows := m.wanted()
	if len(rows) == 0 {
		return nil
	}
	rows, commands = m.readLists(rows)
	for _, row := range rows {
		if len(r.calls) >= mostCalls || r.budget <= 0 || r.refused || !m.Type.Can("get") {
			break
		}
		commands = append(commands, m.call(m.pathOf(row).String(), url.Values{}, asking{uids: []string{row.UID}}, row))
	}
	return commands
}

// readLists reads rows by lists that have few other objects: the whole collection, its beginning, or one namespace. It returns the other rows.
func (m Model) readLists(rows []table.Row) (others []table.Row, commands []page.Cmd) {
	l := m.live
	can := slices.DeleteFunc(slices.Clone(rows), func(r table.Row) bool { return l.reading.single[r.UID] })
	most := 2 * len(can)
	if len(can) < 2 || m.Query.Continue != "" {
		return rows, nil
	}
	if last, begins := m.beginning(can); begins && last < most || m.rowCount() <= most {
		limit := min(last+1, m.rowCount())
		if !begins {
			limit = m.rowCount()
		}
		return m.without(rows, can), []page.Cmd{m.call(m.Shell.Path.String(), limited(limit), asking{list: true}, can...)}
	}
	if !m.showNamespaces() {
		return rows, nil
	}
	have := map[string]int{}
	l.rows.Each(func(r *table.Row) bool { have[r.Namespace]++; return true })
	of := map[string][]table.Row{}
	for _, r := range can {
		of[r.Namespace] = append(of[r.Namespace], r)
	}
	for _, namespace := range slices.Sorted(maps.Keys(of)) {
		these := of[namespace]
		if most := 2 * len(these); len(these) < 2 || have[namespace] > most || len(l.reading.calls) >= mostCalls {
			continue
		}
		commands = append(commands, m.call(m.Shell.Path.In(namespace).String(), limited(2*len(these)), asking{list: true}, these...))
		rows = m.without(rows, these)
	}
	return rows, commands
}

// beginning tells whether the page shows the first rows of the server's list, in its order, and the index of the last of some rows.
func (m Model) beginning(rows []table.Row) (last int, is bool) {
	if m.Query.Sort.Column != "" || m.Query.Filter != "" {
		return 0, false
	}
	last, is = m.live.rows.Index(rows[len(rows)-1].UID)
	return last, is
}

func (m Model) without(rows, these []table.Row) []table.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r table.Row) bool {
		return slices.ContainsFunc(these, func(t table.Row) bool { return t.UID == r.UID })
	})
}

func limited(n int) url.Values { return url.Values{"limit": {strconv.Itoa(n)}} }

// call is a call for the objects of rows.
func (m Model) call(path string, query url.Values, a asking, rows ...table.Row) page.Cmd {
	r := &m.live.reading
	for _, row := range rows {
		r.asked[row.UID] = row.ResourceVersion
		if a.list {
			a.uids = append(a.uids, row.UID)
		}
	}
	r.number++
	r.budget--
	a.at = m.live.now
	id := askValues + strconv.Itoa(r.number)
	r.calls[id] = a
	if a.list {
		set(query, "labelSelector", m.Query.LabelSelector)
		set(query, "fieldSelector", m.Query.FieldSelector)
	}
	query.Set("pretty", "false") // API servers indent JSON for browsers, which doubles its size
	return page.Get(id, m.Shell.Cluster.Slug, web.WithQuery(path, query), Accept(m.Reader(), a.list))
}

// Accept is the format in which objects are requested. The metadata of Secrets must never come with their data.
func Accept(r column.Reader, list bool) string {
	format := accept.Metadata
	if list {
		format = accept.MetadataList
	}
	switch {
	case r.Secrets:
		return format
	case r.Source() == column.Whole:
		return accept.JSON
	}
	return format + accept.OrJSON
}

// valuesResponded takes in the response to a call, and reads on.
func (m Model) valuesResponded(response page.Response) []page.Cmd {
	l := m.live
	r := &l.reading
	a, mine := r.calls[response.ID]
	if !mine {
		return nil
	}
	delete(r.calls, response.ID)
	r.cost.Requests++
	r.cost.Bytes += int64(len(response.Body))
	got, err := m.parse(response, a)
	if err != nil || !response.OK() {
		return m.unreadable(response, a)
	}
	r.note = ""
	r.cost.Objects += len(got.All)
	commands := l.anchored(func() { l.fillIn(got.All) })
	for _, uid := range a.uids {
		if _, there := r.known[uid]; !there {
			delete(r.asked, uid) // the list doesn't have it
			r.single[uid] = a.list
		}
	}
	if a.rest {
		return append(commands, m.readOn(got)...)
	}
	return append(commands, m.read()...)
}

func (m Model) parse(response page.Response, a asking) (l column.List, err error) {
	if !response.OK() {
		return l, nil
	}
	if a.list {
		return m.Reader().List(response.Body)
	}
	one, err := m.Reader().Object(response.Body)
	return column.List{All: []column.Read{one}}, err
}

// fillIn writes what was read into the rows.
func (l *live) fillIn(all []column.Read) {
	var news []table.Row
	for _, one := range all {
		row, there := l.rows.Get(one.UID)
		if !there || !l.reading.take(one) {
			continue
		}
		before := row.Values
		if l.reading.give(&row); row.Values != before {
			l.rows.Put(row)
			news = append(news, row)
		}
	}
	if len(news) > 0 {
		l.widths = l.widths.grown(l.rows.Columns(), news)
	}
}

// unreadable handles a response without objects.
func (m Model) unreadable(response page.Response, a asking) []page.Cmd {
	r := &m.live.reading
	if response.Status == 404 && !a.list {
		return m.read() // the object was deleted, and the subscription says so
	}
	no := status.Parse(response.Status, response.Body)
	switch {
	case response.Status == 403:
		r.note = "Your columns aren’t complete, because you don’t have permission to read these objects. " + no.Message
		r.refused = r.refused || !a.list
	case a.rest && response.Status == 410:
		r.note = "The rest can’t be read, because the list has expired. Begin again."
	default:
		r.note = "Your columns aren’t complete, because objects can’t be read. " + no.Message
		r.budget = 0 // until the next tick
	}
	if response.Status != 403 {
		for _, uid := range a.uids {
			delete(r.asked, uid)
		}
	}
	if a.rest {
		r.rest.on = false
	}
	return nil
}

// tickReading renews the budget, and forgets calls whose responses don't come.
func (m Model) tickReading(now time.Time) []page.Cmd {
	r := &m.live.reading
	r.budget, r.top = mostASecond, m.live.view.Top
	for id, a := range r.calls {
		if now.Sub(a.at) > patience {
			delete(r.calls, id)
			for _, uid := range a.uids {
				delete(r.asked, uid)
			}
			r.rest.on = r.rest.on && !a.rest
		}
	}
	return m.read()
}

// chunk is how many objects a chunk of the rest has.
func (c Cost) chunk() int {
	if c.Objects == 0 {
		return mostChunk / 2
	}
	return min(max(chunkSize/max(1, int(c.Bytes)/c.Objects), 20), mostChunk)
}

// readRest begins to read all objects.
func (m Model) readRest() (page.Page, []page.Cmd) {
	r := &m.live.reading
	if r.rest.on || len(r.names) == 0 {
		return m, nil
	}
	r.rest, r.note = rest{on: true}, ""
	return m, []page.Cmd{m.restCall(m.Query.Continue), page.Announce{Words: "Reading the other rows"}}
}

func (m Model) restCall(token string) page.Cmd {
	query := limited(m.live.reading.cost.chunk())
	set(query, "continue", token)
	return m.call(m.Shell.Path.String(), query, asking{list: true, rest: true})
}

// readOn reads the next chunk of the rest.
func (m Model) readOn(got column.List) []page.Cmd {
	r := &m.live.reading
	r.rest.read += len(got.All)
	switch {
	case !r.rest.on:
		return nil
	case got.Continue != "" && (m.follows() || r.rest.read < m.rowCount()):
		return []page.Cmd{m.restCall(got.Continue)}
	}
	r.rest.on = false
	return []page.Cmd{page.Announce{Words: "All rows were read"}}
}

// stopRest ends the reading of the rest. What was read stays.
func (m Model) stopRest() (page.Page, []page.Cmd) {
	m.live.reading.rest.on = false
	return m, []page.Cmd{page.Announce{Words: "Stopped. The rows that were read stay."}}
}

// costWords say what the columns have cost; empty: nothing.
func (m Model) costWords() string {
	cost := m.Cost
	if m.live != nil {
		cost = m.live.reading.cost
	}
	if cost.Requests == 0 || len(m.Reader().Columns) == 0 {
		return ""
	}
	return fmt.Sprintf("your columns: %s, %s for %s", words.Count(int64(cost.Requests), "request", "requests"), components.Bytes(cost.Bytes), words.Count(int64(cost.Objects), "object", "objects"))
}

// readNote says why the page has not read all objects in sight; empty if it has.
func (m Model) readNote() string {
	if m.live == nil {
		return m.Unread
	}
	return m.live.reading.note
}

// valueNote says that the order or the filter knows only the rows that were read; empty if it knows all, or needs none.
func (m Model) valueNote() string {
	total, left := m.rowCount(), m.unknown()
	if !m.depends() || left == 0 {
		return ""
	}
	if left >= total {
		return fmt.Sprintf("Fieldmark has read none of the %s for the columns that you have added. So it doesn’t sort or filter by them yet.", words.Count(int64(total), "row", "rows"))
	}
	have := fmt.Sprintf("%s of %s", words.Thousands(int64(total-left)), words.Count(int64(total), "row", "rows"))
	switch {
	case m.sortedByValue() && m.Query.Filter != "":
		return fmt.Sprintf("Sorted by the values of the %s that Fieldmark has read. The filter searches only these values.", have)
	case m.sortedByValue():
		return fmt.Sprintf("Sorted by the values of the %s that Fieldmark has read. The others come last.", have)
	}
	return fmt.Sprintf("In the columns that you have added, the filter searches only the %s that Fieldmark has read.", have)
}

// restWords say what it costs to read the rest.
func (m Model) restWords() string {
	cost, total := m.live.reading.cost, m.rowCount()
	requests := (total + cost.chunk() - 1) / cost.chunk()
	text := "about " + words.Count(int64(requests), "request", "requests")
	if cost.Objects > 0 {
		text += ", " + components.Bytes(cost.Bytes/int64(cost.Objects)*int64(total))
	}
	return text
}
