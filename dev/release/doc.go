// Package release tests what people install: the archives, checksums, SBOMs and package manifests that `make release-check` makes. The
// tests find them through FIELDMARK_TEST_DIST, and skip themselves without it.
package release
