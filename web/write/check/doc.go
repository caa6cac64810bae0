// Package check is the page that says what would happen if manifests were applied. It reads a folder, files or a text.
//
//	dropped, chosen ──▶ files ──┐                        ┌──▶ GET ──▶ PATCH, dryRun=All ─ 409? ─▶ PATCH, dryRun, force ──┐
//	pasted ──▶ text ────────────┴──▶ pieces ──▶ documents ──▶ asking (asking.go)                                          │
//	            (input.go)                        │                                                                       ▼
//	                                              └── fieldmark.yaml ──▶ rules ──▶ findings ◀── kube/check.Judge (run.go) ┘
//	                                                                                  │
//	                        rows, by object, worst first (rows.go) ◀──────────────────┘──▶ one finding with its ways out (view.templ)
//
// All requests are reads and dry runs, for a few documents at a time. The browser sends them. Without the program for the browser, the
// server sends the same requests for the first documents of a pasted text (Judge). Slow work is done in Work, between two frames: it reads
// a piece of text, or judges a document. Files stay in the browser. Only dry runs send documents to the API server.
package check
