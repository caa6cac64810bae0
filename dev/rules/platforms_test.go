package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// platformSum is the hash of all files that only some platforms compile.
const platformSum = "dev/platforms.sum"

var (
	forPlatform = regexp.MustCompile(`(?m)^//go:build `)
	forBrowsers = regexp.MustCompile(`(?m)^//go:build js\b`)
	osNamed     = regexp.MustCompile(`_(linux|darwin|windows|unix)(_test)?\.go$`)
)

// TestPlatformsAreVetted: tests here run on one platform, so a file for another one is compiled by nobody until the release. `make check-platforms` vets the
// programs for darwin and windows, and keeps the hash.
func TestPlatformsAreVetted(t *testing.T) {
	all := sha256.New()
	for _, name := range files(t, "cli/*.go", "server/*.go") {
		text := read(t, name)
		if tagged := forPlatform.Match(text) && !forBrowsers.Match(text); tagged || osNamed.MatchString(name) {
			all.Write([]byte(name + "\x00"))
			all.Write(text)
		}
	}
	sum := hex.EncodeToString(all.Sum(nil)) + "\n"
	if *update {
		if err := os.WriteFile(filepath.Join(root, platformSum), []byte(sum), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if kept := string(read(t, platformSum)); strings.TrimSpace(kept) != strings.TrimSpace(sum) {
		t.Errorf("a file that only some platforms compile has changed since it was vetted for them: run 'make check-platforms', and commit %s", platformSum)
	}
}
