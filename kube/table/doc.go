// Package table reads the Table of a collection that an API server sends, and keeps its rows sorted while they change.
//
//	JSON of the server ──▶ Parse ──▶ Table: columns, rows          events ──▶ ParseEvent
//	                                    │ Rows: one string in JSON, a line a row      │
//	                                    ▼                                             ▼
//	        Order, filter ──▶ Store: all rows in order ──▶ those that pass ◀── Put, Delete
//	                                    │                        │
//	                            Rearrange, Step           Window(first, n) ──▶ the rows on the screen
//	                            (a part at a time)        Hold: the rows under the reader's pointer
//
// A Table is plain data. If a server prints no Tables, Parse makes one of a plain list, with name and age. A Store is what a living
// page keeps. One change costs time in proportion to the logarithm of the number of rows, because both sequences are balanced trees
// (ranked). A new order or filter looks at all rows, so Rearrange does it in steps of a millisecond or two, and the rows are shown as
// before until it is done. A hold is a snapshot of the tree: it costs nothing, and rows don't move while the pointer is over them.
// Cells are text as the server printed it; sorting reads numbers, quantities and ages out of the text.
package table
