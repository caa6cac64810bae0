// Package apply is the page on which the reader writes a manifest, previews its changes, and sends it.
//
//	typed ──▶ source.Parse ──▶ documents ──▶ GET of the object ─────────────┐
//	            (live.go)       (target.go)   PATCH, dryRun=All ── 409? ─────┤──▶ change.Compare ──▶ rows, lines, conflicts
//	                                               └▶ PATCH, dryRun, force ──┘       (rows.go)         (words.go, view.templ)
//	                                                     (dryrun.go)
//	a choice for a conflict ──▶ the text or the force of a document changes ──▶ the next preview      (conflicts.go)
//	Apply ──▶ the previewed request without dryRun, with uid and resourceVersion ──▶ its result       (applying.go)
//
// A preview is the API server's response to the request that Apply would send, with dryRun=All. Previews start after a pause in typing, for
// at most four documents at the same time. Each preview has a number, and responses with an older number are dropped. Documents are applied
// one by one, in order. Those that need a type or a namespace of the same text are a second stage (stages.go). If the object has changed since
// the preview, the API server responds with 409, and a new preview follows. Schemas arrive after previews and add names and defaults
// (schemas.go). The page also asks whether the reader has the permission (may.go).
package apply
