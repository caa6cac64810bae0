package collection

import "github.com/fieldmark/fieldmark/web/frame/page"

// anchor is what stays where it is in sight while rows come and go above it: the row of the cursor if it can be seen,
// else the first that can and that is still there.
type anchor struct {
	first int      // place of the first of them
	uids  []string // of the rows that can be seen
	focus int      // which of them the cursor is on; -1: none
}

// anchored does something that may move rows, and moves what is looked at with them.
func (l *live) anchored(do func()) []page.Cmd {
	before := l.anchor()
	do()
	moved := l.moved(before)
	if moved == 0 {
		return nil
	}
	l.view.Top += moved * page.RowHeight
	return []page.Cmd{page.Shift{By: moved * page.RowHeight}}
}

// anchor is what is in sight now; nothing at the very top, where what comes is to be seen.
func (l *live) anchor() anchor {
	a := anchor{first: (l.view.Top + page.RowHeight - 1) / page.RowHeight, focus: -1}
	if l.view.Top <= 0 {
		return a
	}
	for n, r := range l.rows.Rows(a.first, l.view.Height/page.RowHeight) {
		a.uids = append(a.uids, r.UID)
		if r.UID == l.cursor.uid {
			a.focus = n
		}
	}
	return a
}

// moved is by how many rows an anchor has moved.
func (l *live) moved(a anchor) int {
	if l.rows.Holds() {
		return 0 // nothing moves
	}
	if a.focus >= 0 {
		if at, there := l.rows.Index(a.uids[a.focus]); there {
			return at - a.first - a.focus
		}
	}
	for n, uid := range a.uids {
		if at, there := l.rows.Index(uid); there {
			return at - a.first - n
		}
	}
	return 0
}
