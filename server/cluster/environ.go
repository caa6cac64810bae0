package cluster

import (
	"slices"
	"strings"
)

// launchToken is the environment variable that may hold Fieldmark's own launch token.
const launchToken = "FIELDMARK_TOKEN"

// Environ is the environment for a program that Fieldmark starts: that of Fieldmark without the launch token, which gives access to
// every cluster.
func Environ(own []string) []string {
	return slices.DeleteFunc(slices.Clone(own), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.EqualFold(name, launchToken)
	})
}
