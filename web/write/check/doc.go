// Package check is the page that says what would happen if manifests were applied. It reads a folder, files or a text.
//
//	dropped, chosen ──▶ files ──┐                        ┌──▶ GET ──▶ PATCH, dryRun=All ─ 409? ─▶ PATCH, dryRun, force ──┐
//	pasted ──▶ text ────────────┴──▶ pieces ──▶ documents ──▶ asking (asking.go)                                          │
//	            (input.go)          (read.go)     │                                                                       ▼
//	                                              └── fieldmark.yaml ──▶ rules ──▶ findings ◀── kube/check.Judge (run.go) ┘
//	                                                                                  │
//	                        rows, by object, worst first (rows.go) ◀──────────────────┘──▶ one finding with its ways out (view.templ)
//
// All requests are reads and dry runs, a few documents at a time. In the browser they are the reader's own; without the program for the
// browser, the server makes the same ones for the first documents of a pasted text (Judge). What takes long is done in Work, between frames: a
// piece of text is read, or a document judged. Files stay in the browser, but for what the dry runs say of them to the API server.
package check
