package collection

import "github.com/fieldmark/fieldmark/web/frame/page"

// anchor is the row that stays at its place on the screen while rows above it are added or removed. It is the cursor's row if that can be seen,
// else the first visible row that still exists.
type anchor struct {
	first int      // index of the first visible row
	uids  []string // of the visible rows
	focus int      // index in uids of the cursor's row; -1: none
}

// anchored calls a function that may move rows, and scrolls so that the anchor stays at its place.
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

// anchor is the visible rows now. At the very top, it is empty, so that new rows can be seen.
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

// moved is the number of rows by which an anchor has moved.
func (l *live) moved(a anchor) int {
	if l.rows.Holds() {
		return 0 // the rows are held where they are
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
