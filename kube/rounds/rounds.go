// Package rounds says how often tests with random data run. Only tests import this package.
package rounds

import "testing"

// part is how much of a test runs on a second platform. What random data finds in our code is found on the first one.
const part = 10

// Of is n, or a tenth of it in a short test: `make test-wasm` runs the same tests again, and looks for what differs in WebAssembly.
func Of(n int) int {
	if testing.Short() {
		return max(n/part, 1)
	}
	return n
}
