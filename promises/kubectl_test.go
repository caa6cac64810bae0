package promises

import (
	"testing"
)

// TestParity runs a real kubectl twice for everything it tries: directly at the API server of a practice cluster, and
// through a real Fieldmark. Output, error output and exit code must be the same, but for what each step names.
//
// Left out is kubectl --as: no client's word on who it is reaches an API server through Fieldmark, which refuses such
// requests in words of its own.
func TestParity(t *testing.T) {
	p := newParity(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, *parity)
	}{
		{"get", testGet},
		{"describe", testDescribe},
		{"discovery", testDiscovery},
		{"raw", testRaw},
		{"errors", testErrors},
		{"access", testAccess},
		{"token", testToken},
		{"watch", testWatch},
		{"create", testCreate},
		{"large", testLarge},
		{"apply", testApply},
		{"server-side apply", testServerSideApply},
		{"diff", testDiff},
		{"dry run", testDryRun},
		{"patch", testPatch},
		{"change", testChange},
		{"delete", testDelete},
		{"finalizer", testFinalizer},
		{"cascade", testCascade},
		{"rollout", testRollout},
		{"top", testTop},
		{"wait", testWait},
		{"logs", testLogs},
		{"exec", testExec},
		{"interactive exec", testInteractiveExec},
		{"refused exec", testRefusedExec},
		{"port-forward", testPortForward},
		{"trouble", testTrouble},
		{"end", testEnd},
		{"copy", testCopy},
		{"debug", testDebug},
		{"undo", testUndo},
		{"drain", testDrain},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			part.test(t, p)
		})
	}
}
