// Package table reads the Table of a collection that an API server sends, and keeps its rows sorted while they change.
//
//	JSON of the server ──▶ Parse ──▶ Table: columns, rows          events ──▶ ParseEvent
//	                                    │ Rows: in JSON, one string with a line for each row │
//	                                    ▼                                                    ▼
//	        Order, filter ──▶ Store: all rows in order ──▶ those that match ◀── Put, Delete
//	                                    │                        │
//	                            Rearrange, Step           Window(first, n) ──▶ the rows on the screen
//	                            (a part at a time)        Hold: the rows do not move while the pointer is over them
//
// A Table is plain data. If a server sends no Tables, Parse makes one of a plain list, with name and age. A live page keeps its rows in a
// Store. The time of one change grows with the logarithm of the number of rows, because both sequences are balanced trees (ranked). A new
// order or filter needs all rows. So Rearrange does it in steps of a millisecond or two, and until then the rows are shown as before. A
// hold is a snapshot of the tree. Cells are text as the server printed it; sorting reads numbers, quantities and ages from the text.
package table
