// Package export makes the field guide as a static site: files that can be read without Fieldmark, from a disk or from any server.
//
//	recording ──▶ learn.PagesApart ──▶ the product's own pages ──▶ document (view.templ) ──▶ still: no scripts, no forms, relative links (still.go)
//	static.Plain ──▶ stylesheet, fonts, icon ───────────────────────────────┐                       │
//	                                                                        └──▶ Site ◀─────────────┘
//	                                                                              ├──▶ Broken: every link leads somewhere (links.go)
//	                                                                              └──▶ Write: into a folder of its own (folder.go)
package export
