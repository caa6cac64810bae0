package cluster

import (
	"os"
	"testing"
)

// TestMain lets the test binary be what `fieldmark` is to client-go: the runner of credentials plugins.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == PluginCommand {
		os.Exit(PluginMain(os.Args[2:]))
	}
	os.Exit(m.Run())
}
