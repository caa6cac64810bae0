// Package rules tests the repository itself: who may import whom, where lists stand, which words people have to read. Each
// rule gives its reason when it fails. If a rule is no longer useful, delete it together with its reason.
package rules
