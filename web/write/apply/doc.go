// Package apply is the page on which a manifest is written and what it would change is previewed, before it is sent.
//
//	typed ──▶ source.Parse ──▶ documents ──▶ GET of the object ─────────────┐
//	            (live.go)       (target.go)   PATCH, dryRun=All ── 409? ─────┤──▶ change.Compare ──▶ rows, lines, conflicts
//	                                               └▶ PATCH, dryRun, force ──┘       (rows.go)         (words.go, view.templ)
//	                                                     (dryrun.go)
//	a way out of a conflict ──▶ the text or the force of a document changes ──▶ the next preview      (ways.go)
//	Apply ──▶ the previewed request without dryRun, with uid and resourceVersion ──▶ its result       (applying.go)
//
// A preview is the API server's answer to the very request that Apply would send, with dryRun=All. At most four documents are asked
// about at the same time, after a pause in typing. Answers of a preview that the text has outrun are thrown away by their number.
// Documents are applied one by one, in order. A change of the object in between is a 409, and leads to a new preview. Schemas come later
// than previews and add names and defaults to them (schemas.go); may.go asks whether the reader may make the request at all.
package apply
