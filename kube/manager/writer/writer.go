// Package writer tells by the name of a field manager what kind of program writes under it. Names are a choice of the program, so this is a
// good guess, and no proof.
//
//	"argocd-controller" ──▶ names ──▶ beginnings ──▶ words in the name ("mcp") ──▶ ends ("-operator") ──▶ GitOps
//	                        the first of these that knows the name decides; unknown if none does
package writer

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

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

// Kinds returns all kinds, in the order in which people read them: first those that declare what should be, then people and scripts, then controllers.
func Kinds() []Kind {
	return []Kind{GitOps, Helm, Terraform, Person, Script, Agent, Controller, System, Unknown}
}

// Place is the kind's place in Kinds. What another build calls a kind is unknown.
func (k Kind) Place() int {
	if at := slices.Index(Kinds(), k); at >= 0 {
		return at
	}
	return len(Kinds()) - 1
}

// ID is the kind as a word: in addresses, and in names of classes.
func (k Kind) ID() string {
	if k == Unknown {
		return "unknown"
	}
	return string(k)
}

// Heading names the kind above a list of its managers.
func (k Kind) Heading() string {
	switch k {
	case GitOps:
		return "GitOps"
	case Helm:
		return "Helm"
	case Terraform:
		return "Terraform"
	case Person:
		return "People’s tools"
	case Script:
		return "Scripts"
	case Agent:
		return "Assistants"
	case Controller:
		return "Controllers"
	case System:
		return "Kubernetes"
	default:
		return "Others"
	}
}

// Words name the kind in a few words.
func (k Kind) Words() string {
	switch k {
	case System:
		return "component of Kubernetes"
	case Controller:
		return "controller"
	case GitOps:
		return "GitOps tool"
	case Helm:
		return "Helm"
	case Terraform:
		return "Terraform"
	case Person:
		return "a person's tool"
	case Script:
		return "script"
	case Agent:
		return manager.Assistant
	default:
		return "unknown"
	}
}

// Of is the kind of writer that a manager's name speaks of. Upper case doesn't matter: Helm 3 writes as "helm", and clients in other languages
// as they like.
func Of(name string) Kind {
	name = strings.ToLower(name)
	if k, ok := names.Get()[name]; ok {
		return k
	}
	for _, b := range beginnings {
		if strings.HasPrefix(name, b.text) {
			return b.kind
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for _, w := range words {
		if k, ok := spoken[w]; ok {
			return k
		}
	}
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return Controller
		}
	}
	return Unknown
}

// Tool is the program to which a GitOps tool's name belongs. Two names of one program don't disturb each other: Argo CD changed its name for
// server-side apply, and the command flux installs what kustomize-controller then applies. For other names, it is the name.
func Tool(name string) string {
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "argocd"), lower == "argo-cd":
		return "Argo CD"
	case lower == "flux", lower == "kustomize-controller", strings.HasPrefix(lower, "gotk"):
		return "kustomize-controller"
	}
	return name
}
