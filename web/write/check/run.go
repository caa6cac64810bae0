package check

import (
	"cmp"
	"maps"
	"slices"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/words"
)

// askDocument marks the IDs of requests about documents; see dryrun.ParseID.
const askDocument = "document"

// atOnce is how many documents are asked about at the same time. Browsers make six requests to one server at a time.
const atOnce = 4

func documents(docs []*doc) []check.Document {
	all := make([]check.Document, 0, len(docs))
	for _, d := range docs {
		all = append(all, d.Document)
	}
	return all
}

// startDocuments sends requests about the next documents, up to atOnce.
func (m Model) startDocuments() []page.Cmd {
	l := m.live
	var commands []page.Cmd
	for !l.stopped && len(l.under) < atOnce && l.next < len(l.input.docs) {
		d := l.input.docs[l.next]
		l.next++
		if d.judged || slices.Contains(l.heard, d) {
			continue // known since before the reader left the page
		}
		if _, asks := d.Next(); asks {
			commands = append(commands, l.schemas.Learn(m.Shell.Cluster.Slug, d.kind())...)
		}
		commands = append(commands, m.sendNextRequest(d)...)
	}
	return commands
}

// sendNextRequest sends a document's next request. If there is none, the document waits to be judged.
func (m Model) sendNextRequest(d *doc) []page.Cmd {
	l := m.live
	request, asks := d.Next()
	if !asks {
		l.heard = append(l.heard, d)
		return nil
	}
	if l.under == nil {
		l.under = map[int]*doc{}
	}
	l.seq++
	l.under[l.seq] = d
	return []page.Cmd{callOf(m.Shell.Cluster.Slug, request).Send(dryrun.ID(askDocument, l.seq))}
}

// respond takes in a response. A document waits until the schema of its kind has arrived, too.
func (m Model) respond(r page.Response) []page.Cmd {
	l := m.live
	what, seq := dryrun.ParseID(r.ID)
	if what == aim.AskSchema {
		l.schemas.Hear(seq, r)
	} else if d := l.under[seq]; d != nil && what == askDocument {
		d.response = &r
	}
	var commands []page.Cmd
	for _, seq := range slices.Sorted(maps.Keys(l.under)) {
		d := l.under[seq]
		known := l.schemas.Find(d.kind())
		if d.response == nil || known != nil && !known.Here {
			continue
		}
		delete(l.under, seq)
		d.Schema = l.schemas.Of(d.Document.Source)
		d.Take(heard(dryrun.Read(*d.response)))
		d.response = nil
		commands = append(commands, m.sendNextRequest(d)...)
	}
	return append(commands, m.startDocuments()...)
}

// recordFindings records the findings of a document.
func (m Model) recordFindings(d *doc, found []check.Finding) {
	l := m.live
	if l.counts == nil {
		l.counts, l.expected, l.lacking = map[check.Kind]int{}, map[string]int{}, check.Lacking{}
	}
	found = l.lacking.Fold(found)
	check.Expect(found, l.input.rules, l.now)
	d.judged, d.found = true, found
	l.done++
	for _, f := range found {
		if f.Expected == nil {
			l.counts[f.Kind]++
		} else {
			l.expected[f.Expected.Reason]++
		}
		l.cast.MeetAll(f.Owners)
	}
	l.insertFindings(d)
}

// chooseManager ends the survey. All documents are judged for the manager that owns most of their fields.
func (m Model) chooseManager() {
	l := m.live
	l.next, l.choice = 0, l.plan.Choose()
}

// manager is the manager that documents are judged for.
func (m Model) manager() string { return cmp.Or(m.live.of.Manager, m.live.choice.Manager) }

// finish finds rules without effect, and announces the verdict.
func (m Model) finish() []page.Cmd {
	l := m.live
	l.plan.Contents = check.Contents{} // nothing more is judged
	var all []check.Finding
	for _, d := range l.input.docs {
		all = append(all, d.found...)
	}
	l.idle = slices.DeleteFunc(check.Expect(all, l.input.rules, l.now), func(i check.Idle) bool { return i.Rule.File == "" })
	if !l.over {
		l.arrange()
	}
	if l.awake && !l.chosen.group && l.chosen.doc == nil {
		m.choose()
	}
	if words := m.verdict(); l.said != words {
		l.said = words
		return []page.Cmd{page.Announce{Words: words}}
	}
	return nil
}

// runs tells whether documents are being read or judged.
func (m Model) runs() bool {
	l := m.live
	return l.awake && len(l.input.given)+l.input.coming > 0 && (!l.begun || l.done < len(l.input.docs) && (!l.stopped || len(l.under) > 0 || len(l.heard) > 0))
}

// progress says how far the check is.
func (m Model) progress() string {
	l := m.live
	switch {
	case l.input.coming > 0:
		return "Reading files, " + words.Thousands(int64(len(l.input.given))) + " of " + words.Thousands(int64(len(l.input.given)+l.input.coming))
	case !l.begun:
		return "Reading documents, " + words.Thousands(int64(len(l.input.docs))) + " so far"
	}
	if l.plan.Surveys() {
		return part("Looked up %s of %s", l.surveyed, len(l.input.docs))
	}
	return part("Checked %s of %s", l.done, len(l.input.docs))
}
