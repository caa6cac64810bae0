// Package upgrade finds what an upgrade of Kubernetes would break, and objects that can't be applied any more.
//
//	census, discovery, definitions of types, API services, webhooks, metrics ──▶ Facts ──▶ Findings, the worst first
//	a definition, and the metadata of its objects ──▶ Record ──▶ the entries that block an apply, and the ways out
//
// All of it comes from managedFields and a few things beside them. An entry in managedFields has the time of its last write. It isn't proof that its
// manager still writes in that version, so each finding says the time.
package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
)

// Kind is the kind of a finding.
type Kind string

// The kinds of findings. The table below says what they mean.
const (
	Unappliable Kind = "unappliable"
	Dropped     Kind = "dropped"
	Requested   Kind = "requested"
	Target      Kind = "target"
	Unread      Kind = "unread"
	Service     Kind = "service"
	Fading      Kind = "fading"
	Stored      Kind = "stored"
	Webhook     Kind = "webhook"
	Forgotten   Kind = "forgotten"
	Deprecated  Kind = "deprecated"
)

// About is what a reader must know about a kind of finding.
type About struct {
	Kind     Kind
	Severity check.Severity
	Fails    bool   // it fails the check, unless the user chooses other kinds
	Title    string // in a few words
	Means    string // in a sentence or two
	Do       string // what to do
}

// kinds are all kinds of findings, the worst first. All outputs, pages and documents read this table.
var kinds = []About{
	{
		Kind: Unappliable, Severity: check.Grave, Fails: true, Title: "Objects can’t be applied any more",
		Means: "An entry in managedFields has a version that the definition of the type no longer lists. The API server refuses each apply with 500. On Kubernetes 1.37, updates pass and are no longer recorded.",
		Do:    "Put the version back into the definition, or change the entry of each object.",
	},
	{
		Kind: Dropped, Severity: check.Grave, Fails: true, Title: "A manager writes a version that the target drops",
		Means: "A manager’s entries have a version that the target no longer serves. After the upgrade, the API server refuses the manager’s requests with 404.",
		Do:    "Change the version in the manager’s manifests, or update the program, before the upgrade.",
	},
	{
		Kind: Requested, Severity: check.Grave, Fails: true, Title: "Somebody requests a version that the target drops",
		Means: "A client has requested the version since this API server started. The metric doesn’t say which client. Other API servers of the cluster count for themselves.",
		Do:    "Find the client in the audit log, by its annotation k8s.io/deprecated.",
	},
	{
		Kind: Target, Severity: check.Serious, Fails: true, Title: "The table of removals doesn’t know the target",
		Means: "The table was made for an older release. It has only plans for later ones, and plans change.",
		Do:    "Read the release notes of the target, or use a newer Fieldmark.",
	},
	{
		Kind: Unread, Severity: check.Serious, Title: "A part of the cluster couldn’t be read",
		Means: "The API server refused a request, or didn’t respond. Findings about this part are missing.",
		Do:    "Get the missing permission, or run the check as another user.",
	},
	{
		Kind: Service, Severity: check.Serious, Title: "An API service isn’t available",
		Means: "The API server can’t reach the server of an aggregated API. While that is so, namespaces aren’t deleted and discovery is incomplete.",
		Do:    "Repair the server, or delete the APIService if nobody needs it.",
	},
	{
		Kind: Fading, Severity: check.Serious, Title: "Objects become unappliable when a version goes",
		Means: "A manager’s entries have a version of a custom resource in which the objects aren’t stored. If the definition drops this version, no apply to these objects can succeed.",
		Do:    "Let the manager write the version in which objects are stored, before the definition drops the other one.",
	},
	{
		Kind: Stored, Severity: check.Moderate, Title: "Objects may be stored in an old version",
		Means: "status.storedVersions of a definition has more than the version in which objects are stored now. The API server refuses to drop such a version.",
		Do:    "Write each object again, and then remove the version from status.storedVersions.",
	},
	{
		Kind: Webhook, Severity: check.Moderate, Title: "A webhook can block the migration",
		Means: "A webhook with failurePolicy Fail is called for each write of objects that must be written again. If the webhook doesn’t respond, these writes fail.",
		Do:    "Make sure that the webhook responds before you migrate the objects.",
	},
	{
		Kind: Forgotten, Severity: check.Minor, Title: "The server will forget a manager",
		Means: "An entry has a version that this API server no longer serves. For types of Kubernetes itself, an apply passes, but the server drops entries that it can’t read. The manager then owns nothing.",
		Do:    "Let the manager apply once in a version that is served. Fields that it no longer states stay.",
	},
	{
		Kind: Deprecated, Severity: check.Minor, Title: "A version is deprecated",
		Means: "The version works in the target. A later release drops it.",
		Do:    "Change the version when you next change the manifests or the program.",
	},
}

// Kinds are all kinds of findings, the worst first.
func Kinds() []Kind { return kindsThat(func(About) bool { return true }) }

// FailOn are the kinds of findings that fail a check by default.
func FailOn() []Kind { return kindsThat(func(a About) bool { return a.Fails }) }

func kindsThat(which func(About) bool) []Kind {
	var all []Kind
	for _, a := range kinds {
		if which(a) {
			all = append(all, a.Kind)
		}
	}
	return all
}

// Rank is the place of the kind among all kinds, the worst first; -1 if there is no such kind.
func (k Kind) Rank() int { return slices.IndexFunc(kinds, func(a About) bool { return a.Kind == k }) }

// About is what a reader must know about the kind.
func (k Kind) About() About {
	if at := k.Rank(); at >= 0 {
		return kinds[at]
	}
	return About{Kind: k}
}

// Tally says how many findings of each kind there are, the worst kind first: "1 dropped, 2 deprecated". It is empty if there are none.
func Tally(counts map[Kind]int) string {
	var all []string
	for _, a := range kinds {
		if n := counts[a.Kind]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, a.Kind))
		}
	}
	return strings.Join(all, ", ")
}
