package apply

import (
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// learn requests the schema of a document's kind, once.
func (m *Model) learn(d *document) []page.Cmd {
	return m.live.schemas.Learn(m.Shell.Cluster.Slug, aim.KindOf(d.read))
}

// learned takes in a schema, and compares the documents of its kind again.
func (m Model) learned(seq int, f page.Response) (page.Page, []page.Cmd) {
	kind, told := m.live.schemas.Hear(seq, f)
	var commands []page.Cmd
	for _, d := range m.live.docs {
		if aim.KindOf(d.read) == kind {
			commands = append(commands, m.proceed(d)...)
		}
		if d.dryRun.idle && (d.shown == nil || d.stale()) {
			_, more := m.judged(d)
			commands = append(commands, more...)
		}
		if told && d.shown != nil && aim.KindOf(d.read) == kind {
			m.again(d)
		}
	}
	return m, append(commands, m.marks())
}

// schemaOf is the schema of a document's kind; nil if it isn't known.
func (m Model) schemaOf(d *document) *schema.Schema {
	if d.untyped != nil {
		return &d.untyped.Schema
	}
	return m.live.schemas.Of(d.read)
}

// again compares the shown preview of a document again, with the schema that has arrived.
func (m Model) again(d *document) {
	now := d.dryRun
	d.dryRun = d.shown.dryRun
	d.shown = d.judge(d.shown.sent, m.writer(d), m.schemaOf(d))
	d.dryRun = now
}
