// Package inquiry explains refusals. It says which requests would help to explain a text, reads the responses, and makes the
// explanation. It makes no request itself, so the terminal and the page share it.
//
//	text ──▶ refusal.Read ──▶ New ──▶ Asks ──▶ requests, several at the same time ──▶ Take ─┐
//	                                   ▲                                                    │ until nothing is left to ask
//	                                   └────────────────────────────────────────────────────┘
//	                          Answer: words, objects, fields with owners and values, ways out
//
// Objects that a text or a manifest names are read. A conflict whose text names none leads to a search: all types that could be meant are
// listed, metadata only, and their managedFields are compared with the managers and fields of the conflict. The search is bounded, and says
// where it stopped. An object is sure only if the text names it, or if a search that was complete found no other.
//
// Without a catalog nothing is asked, and the text alone is explained.
package inquiry
