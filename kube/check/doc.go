// Package check finds out what would happen if a manifest were applied. Its findings are sorted, the worst first. Each has the owner of
// the field, the reason, and the ways out as text to paste. The package makes no requests. Its callers read the live object and dry-run
// the apply.
//
//	manifest ──▶ source.Document ──▶ Input ◀── live object, dry run, forced dry run, schema
//	                                   │
//	     ┌──────────── Judge ──────────┴───────────────────────────────┐
//	     │ refused     unserved, invalid, unknown, conflict            │  the server's refusal
//	     │ compare     created, changed, taken, pruned, released,      │  live object against dry run (kube/change)
//	     │             server                                          │
//	     │ unstated    stuck, extra, and pruned by a tool's migration  │  managedFields of what no manifest has
//	     └──────────────┬──────────────────────────────────────────────┘
//	                    ▼
//	     []Finding ──▶ ways: give-up, share, overwrite, hand-over, rule ──▶ expected rules ──▶ Report, as JSON
//
// The manager of an apply is known by its name, and so is the tool: a tool may fold the entries of client-side apply into its own
// (csaupgrade) before it applies. Package check does the same to a copy of the record before it calls a field stuck. Values of Secrets are
// masked in all that it returns, by the rule of kube/object.
package check
