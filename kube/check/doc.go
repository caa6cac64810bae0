// Package check finds out what would happen if a manifest were applied. Its findings are sorted, the worst first. Each has the owner of
// the field, the reason, and the ways out as text to paste. The package makes no requests. A Plan says which ones are needed, and its callers
// send them: the terminal, the page and the server.
//
//	manifest ──▶ source.Document ──▶ Inquiry ◀──▶ the caller: live object, dry run, forced dry run, trials
//	                                   │
//	                                 Input
//	                                   │
//	     ┌──────────── Judge ──────────┴───────────────────────────────┐
//	     │ refused     unserved, invalid, unknown, conflict            │  the server's refusal
//	     │ compare     created, changed, taken, pruned, released,      │  live object against dry run (kube/change)
//	     │             server, also of what doesn't arrive             │
//	     │ unstated    stuck, extra, and pruned by a tool's migration  │  managedFields of fields in no manifest
//	     │ shared      shared                                          │  owners of the manifest's fields
//	     └──────────────┬──────────────────────────────────────────────┘
//	                    ▼
//	     []Finding ──▶ ways: give-up, share, overwrite, hand-over, rule ──▶ expected rules ──▶ Report, as JSON
//
// The table in kinds.go says what each kind of finding means. Everything that lists kinds reads it.
//
// The name of the manager tells the tool. Some tools fold the entries of client-side apply into their own entry before they apply
// (csaupgrade in client-go). Package check does the same to a copy of managedFields before it calls a field stuck. Values of Secrets are masked in
// everything that the package returns, by the rule of kube/object.
package check
