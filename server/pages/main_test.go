package pages

import (
	"os"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// TestMain lets the test binary be what `fieldmark` is to client-go: the runner of credentials plugins.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == cluster.PluginCommand {
		os.Exit(cluster.PluginMain(os.Args[2:]))
	}
	os.Exit(m.Run())
}
