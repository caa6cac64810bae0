// Command fieldmark-controlplane-1.31 is the control plane of Kubernetes 1.31: etcd, the API server, the controller manager and the
// scheduler, each started as a process of its own by fieldmark-practice.
package main

import "github.com/fieldmark/fieldmark/practice/component/run"

func main() { run.Main() }
