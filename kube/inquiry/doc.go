// Package inquiry explains refusals. It decides which requests would help to explain a text, reads the responses, and writes the
// explanation. It makes no request itself, so the terminal and the page share it.
//
//	text ──▶ refusal.Read ──▶ New ──▶ Asks ──▶ requests, several at the same time ──▶ Take ─┐
//	                                   ▲                                                    │ until Asks returns none
//	                                   └────────────────────────────────────────────────────┘
//	                          Answer: words, objects, fields with owners and values, ways out
//
// It reads the objects that a text or a manifest names. If a conflict names no object, it searches: it lists all types that are possible
// (metadata only), and compares their managedFields with the managers and fields of the conflict. The search is bounded, and the
// explanation says what was left out. An object is certain only if the text names it, or if a complete search found no other.
//
// Without a catalog it requests nothing, and explains the text alone.
package inquiry
