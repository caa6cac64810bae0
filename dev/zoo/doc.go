// Package zoo reproduces on a practice cluster the situations that people report about field ownership, with the real tools, and holds what
// Fieldmark says to what then happens.
//
// A case is a value: the steps that lead to the situation, what the tool says, what check and blame say before it acts, and the values after it
// has acted.
//
//	steps ──▶ check, blame ──▶ the tool acts ──▶ values ──▶ the way out ──▶ values
//	  kubectl, Helm, Flux, Argo CD,        its own words           proven as well
//	  controllers
//
// docs/conflict-zoo.md is written from the results. The tools are libraries here: Helm 4, Flux's package ssa and controller-runtime in this module,
// and Argo CD's engine in the module argocd, because it needs other versions of Kubernetes' libraries. Helm 3 is a tool of the module helm3, and is
// built only for FULL=1. kubectl is the program of the practice cluster.
package zoo
