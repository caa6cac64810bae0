// Package app runs one page in the browser: events become messages, Update answers with commands, and the view is painted.
//
//	keys, clicks, scrolling ─┐                        ┌──▶ link: subscriptions, one WebSocket        (link.go, subscriptions.go)
//	answers to requests ─────┤──▶ inbox ──▶ Update ───┤──▶ requests, streams of them                 (calling.go)
//	messages of the socket ──┤   one at    (page)     ├──▶ another page, the address, back           (navigate.go)
//	ticks ───────────────────┘   a time      │        └──▶ focus, scrolling, editors, files          (editing.go, screen.go)
//	                                         ▼
//	                   views: once before the next paint ──▶ HTML ──▶ Screen: rows one by one, the rest by morphing
//	                                                                                                 (views.go, rows.go)
//
// App knows no browser, and runs beside the document, in a worker. The screen, the connection and the callers are interfaces that package dom and package
// socket implement, so all of it is tested without one. Everything happens on one goroutine, the one of Run; others only put events into the inbox. A page
// that comes takes over the subscriptions of the one that goes if it follows the same path. The overlay (palette, help) and the drawer
// of requests are the app's own and outlive pages (overlay.go, wiring.go). If Update or a view panics, Run ends, and the document says
// that the page's own program is gone. Pages that the reader has left are kept for the way back, also while another program shows its page (trail.go).
package app
