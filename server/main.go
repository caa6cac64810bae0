// Fieldmark is a field guide to the Kubernetes API in the browser. This program serves its pages, and
// passes API requests on to the clusters that a kubeconfig names and to the practice cluster.
package main

import "github.com/fieldmark/fieldmark/server/program"

// version is set by the linker.
var version = "unknown"

func main() { program.Main(version) }
