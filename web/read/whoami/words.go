package whoami

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/words"
)

// identity is who the server takes the reader for.
func (m Model) identity() []components.Fact {
	u := m.User
	facts := []components.Fact{{Name: "user name", Text: u.Name, Mono: true}}
	if u.UID != "" {
		facts = append(facts, components.Fact{Name: "uid", Text: u.UID, Mono: true})
	}
	for _, key := range slices.Sorted(maps.Keys(u.Extra)) {
		facts = append(facts, components.Fact{Name: key, Text: strings.Join(u.Extra[key], ", "), Mono: true})
	}
	return facts
}

// groupMeans says what a group of Kubernetes itself means; empty: it is a group of the cluster's own.
func groupMeans(group string) string {
	switch group {
	case "system:masters":
		return "Every request is allowed. No rule can take that away."
	case "system:authenticated":
		return "Every user that the server knows is in this group."
	case "system:unauthenticated":
		return "The server doesn’t know who you are."
	case "system:serviceaccounts":
		return "Every service account is in this group."
	case "system:nodes":
		return "Every node is in this group."
	}
	if namespace, ok := strings.CutPrefix(group, "system:serviceaccounts:"); ok {
		return "Every service account of the namespace " + namespace + " is in this group."
	}
	return ""
}

// ends says when the credential ends; empty: it isn't known.
func (m Model) ends() string {
	left := m.Login.Ends.Sub(m.Now)
	switch {
	case m.Login.Ends.IsZero():
		return ""
	case left <= 0:
		return table.Duration(-left) + " ago"
	}
	return "in " + table.Duration(left)
}

func exact(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// total says how many rows there are.
func (m Model) total() string {
	switch r := m.Rules; {
	case r == nil:
		return ""
	case m.Query.Filter == "":
		return words.Count(int64(r.Total), "row", "rows")
	default:
		return words.Thousands(int64(r.Match)) + " of " + words.Count(int64(r.Total), "row", "rows")
	}
}

// limits say what the table doesn't show.
func (m Model) limits() []components.Notice {
	var all []components.Notice
	if m.Rules.Incomplete {
		all = append(all, components.Notice{
			Tone: components.Warn, Title: "The list isn’t complete",
			Words: "An authorizer of this cluster can’t list its rules. You may be allowed to do more than the list says. Example: a webhook, or the permissions of a cloud provider.",
		})
	}
	if m.Rules.Error != "" {
		all = append(all, components.Notice{
			Tone: components.Warn, Title: "The server had an error with some rules", Words: "Rules that the server couldn’t read are missing in the list.", Quoted: m.Rules.Error,
		})
	}
	return all
}

// none says why the table is empty.
func (m Model) none() components.Notice {
	if m.Rules.Total == 0 {
		return components.Notice{
			Title: "No rule allows you anything here", Words: "The API server lists no rule for you in the namespace " + m.Query.Namespace + ".",
			Advice: "Ask an administrator of the cluster for a RoleBinding.",
		}
	}
	return components.Notice{
		Title: "No rule matches the filter", Words: "A row matches if it has every word of the filter.",
		Links: []components.Link{{Text: "Show all rules", Href: m.queryAddress(Query{Namespace: m.Query.Namespace})}},
	}
}

// truncationNote says that the page doesn't show all rows; empty: it does.
func (m Model) truncationNote() string {
	if m.Rules.Match <= len(m.Rules.Rows) {
		return ""
	}
	return "The page shows the first " + words.Thousands(int64(len(m.Rules.Rows))) + " rows. Filter them to see others."
}

// typeOf is the type of a row in words.
func typeOf(g access.Granted) string {
	switch {
	case g.Resource == "*" && g.Group == "*":
		return "all types"
	case g.Resource == "*" && g.Group == "":
		return "all types of the core group"
	case g.Resource == "*":
		return "all types of the group"
	}
	return g.Resource
}

func groupOf(g access.Granted) string {
	switch g.Group {
	case "":
		return "core"
	case "*":
		return "all groups"
	}
	return g.Group
}

func verbsOf(g access.Granted) string {
	if slices.Contains(g.Verbs, "*") {
		return "all verbs"
	}
	return strings.Join(g.Verbs, ", ")
}

// mayView says whether the rules let the reader act as somebody else.
func (m Model) mayView() string {
	switch {
	case m.Rules == nil:
		return "You need the verb impersonate on users, and on groups if you name any."
	case m.Rules.Views:
		return "A rule with the verb impersonate is in your list."
	}
	return "No rule in your list has the verb impersonate, so the API server may refuse."
}

// kubectl are commands that say the same.
func (m Model) kubectl() []string {
	return []string{"kubectl auth whoami", "kubectl auth can-i --list --namespace " + m.Query.Namespace}
}
