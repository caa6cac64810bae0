// Package follow is for pages that follow an object or a table. It has the state, how current the state is, and where versions may be
// missing.
//
//	Subscribe ─▶ relay ─▶ Received ─┬─▶ Object: the state, and what happened to it (Changes)
//	                                └─▶ Table: the rows, which of them are fresh, and those that are held under the pointer
//	            Connection, Tick ─────▶ Contact, which both have: live, catching up, stale since …, in words
//
// A page passes on three messages: Received to Hear, Connection to Connect, Tick to Tick. An Object is a value, so a copy keeps its state.
// The copies of a Table share its rows, because there may be 100,000 of them.
package follow
