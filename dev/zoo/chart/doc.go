// Package chart tests the Helm chart in deploy/helm with the real Helm: what it renders, what its schema refuses, how the API server of a
// practice cluster takes it, and that Fieldmark starts with what a pod of it would have.
package chart
