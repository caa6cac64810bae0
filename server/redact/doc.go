// Package redact removes credentials from what the wire log shows: bodies, headers, paths and queries.
//
//	body ─▶ its media type ─┬─ JSON ──▶ tree, cut anywhere ─┐
//	                        ├─ YAML ──▶ tree                ├─▶ judge: which values are credentials ─▶ the text without them
//	                        ├─ form ──▶ pairs ──────────────┤
//	                        ├─ text ──▶ lines ──────────────┘
//	                        └─ other, or not what it says ──▶ withheld, with the reason
//
// A value is a credential for one of two reasons. Either its name says so (the field, variable, flag, column or header it belongs to:
// package-level function Names), or its shape does (a JSON Web Token, a private key, a URL with a password: shape.go). Texts inside of
// values are read the same way again: JSON in a string, YAML in a ConfigMap, base64 of either.
//
// The package fails closed. A body that can't be read as what it claims to be is withheld. Where a body is cut and the missing part
// could have named a value, the value goes. docs/decisions/0035 lists what is covered and what isn't.
package redact

import "github.com/fieldmark/fieldmark/kube/record"

// Mark stands where a value was taken out.
const Mark = record.Redacted
