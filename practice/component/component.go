// Package component has the names of a control plane's components, and how one of them ends with the practice cluster
// that started it.
//
// The module that this package is in is compiled against several releases of Kubernetes: by practice/ itself, and by
// each folder of practice/releases. So it uses only what all of them have, and its go.mod requires the oldest of them.
package component

// The components, by the names of the programs they come from.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
)

// Program is the name of the program that has the components of another release. "-1.33" follows.
const Program = "fieldmark-controlplane"
