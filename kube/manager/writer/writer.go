// Package writer tells by the name of a field manager what kind of program writes under it. Names are a choice of the program, so this is a
// good guess, and no proof.
package writer

// Kind is a kind of writer.
type Kind string

// The kinds.
const (
	Unknown    Kind = ""
	System     Kind = "system"     // a component of Kubernetes: kube-controller-manager, kubelet
	Controller Kind = "controller" // of another project: cert-manager
	GitOps     Kind = "gitops"     // Argo CD, Flux
	Helm       Kind = "helm"
	Terraform  Kind = "terraform"
	Person     Kind = "person" // a tool that a person types in or clicks: kubectl edit, Lens, a dashboard
	Script     Kind = "script" // a client library that didn't name itself: node-fetch, okhttp, python-requests
	Agent      Kind = "agent"  // an assistant that acts by itself
)
