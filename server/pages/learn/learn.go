// Package learn makes the pages of the field guide.
package learn

import "github.com/fieldmark/fieldmark/server/pages/visit"

// Pages has the HTTP handlers of this wing.
type Pages struct{ *visit.Site }
