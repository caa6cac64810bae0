// Package team proves the shared mode with everything real but the people: dex is the issuer, the practice cluster's API server trusts it, and two
// Fieldmarks that share nothing but a key stand behind a proxy that sends each request to the next of them.
//
//	browser ──▶ proxy (TLS, round robin) ──▶ fieldmark --shared  a ──▶ API server
//	   │                                └──▶ fieldmark --shared  b ──▶   │
//	   └──────────▶ dex (TLS) ◀───────── tokens ───────┘                 │
//	                 ▲─────────────── signing keys ──────────────────────┘
//
// Ada is in the group team-a, which reads and writes the namespace team-a with its Secrets. Ben is in team-b, which only reads the namespace
// team-b.
//
// Dex signs nobody out and revokes nothing on request, so the tests of signing out have a second issuer (package zitadel).
//
// Dex runs in the process of the tests, so that a test can make it slow, give it another key, or revoke what it gave.
package team
