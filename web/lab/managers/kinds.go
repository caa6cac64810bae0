package managers

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

// kind is a kind of writer as the picture shows it.
type kind struct {
	writer.Kind

	heading string // above its managers
}

// kinds are all kinds in the order of the picture: first those that declare what should be, then people and scripts, then controllers.
var kinds = []kind{
	{writer.GitOps, "GitOps"},
	{writer.Helm, "Helm"},
	{writer.Terraform, "Terraform"},
	{writer.Person, "People’s tools"},
	{writer.Script, "Scripts"},
	{writer.Agent, "Agents"},
	{writer.Controller, "Controllers"},
	{writer.System, "Kubernetes"},
	{writer.Unknown, "Others"},
}

// placeOf is the place of a kind in the picture.
func placeOf(k writer.Kind) int {
	at := slices.IndexFunc(kinds, func(known kind) bool { return known.Kind == k })
	if at < 0 {
		return len(kinds) - 1
	}
	return at
}

// look is the class that gives the squares of a kind their color.
func (k kind) look() string { return "of-" + kindValue(k.Kind) }
