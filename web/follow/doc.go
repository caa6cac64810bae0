// Package follow is what pages share that follow an object or a table: its state, how current that state is, and where continuity
// was lost.
//
//	Subscribe ─▶ relay ─▶ Received ─┬─▶ Object: the state, and what became of it (Changes)
//	                                └─▶ Table: the rows, which of them are fresh, and those that are held under the pointer
//	            Connection, Tick ─────▶ Contact, which both have: live, catching up, stale since …, in words
//
// A page hands on three messages: Received to Hear, Connection to Connect, Tick to Tick. An Object is a value: a copy keeps the
// state that it has. A Table is shared by its copies, because it may have 100,000 rows.
package follow
