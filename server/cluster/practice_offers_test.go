package cluster

import (
	"encoding/json"
	"os"
	"testing"
)

// offersEnv names a file for what the server offers. make test-controlplanes reads it.
const offersEnv = "FIELDMARK_TEST_OFFERS"

// TestPracticeOffersAreWritten asks the server for its features, as the page of discovery does, and keeps the answers for the table of versions.
func TestPracticeOffersAreWritten(t *testing.T) {
	all, err := practice(t, Practice).Features(t.Context(), nil)
	must(t, err)
	text, err := json.MarshalIndent(all, "", "  ")
	must(t, err)
	if len(all) < 7 {
		t.Errorf("only %d features: %s", len(all), text)
	}
	if file := os.Getenv(offersEnv); file != "" {
		must(t, os.WriteFile(file, text, 0o600))
	}
}
