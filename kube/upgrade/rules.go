package upgrade

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
	"github.com/fieldmark/fieldmark/words"
)

// written is a cell of the census for one of its entries.
type written struct {
	report.Entry
	name           string // of the manager
	kind           report.Type
	group, version string // of the entry
}

// entries are the findings about what managers wrote, as managedFields record it.
func (f Facts) entries() []Finding {
	var all []Finding
	for _, c := range f.Census.Cells {
		if c.Type < 0 || c.Type >= len(f.Census.Types) || c.Manager < 0 || c.Manager >= len(f.Census.Managers) {
			continue // an export of somebody else
		}
		for _, e := range c.Entries {
			w := written{Entry: e, name: f.Census.Managers[c.Manager].Name, kind: f.Census.Types[c.Type]}
			w.group, w.version = discovery.SplitGroupVersion(e.APIVersion)
			if found := f.entry(w); found.Kind != "" {
				all = append(all, found)
			}
		}
	}
	return all
}

// entry is what one entry means. Its kind is empty if it means nothing.
func (f Facts) entry(w written) Finding {
	found := Finding{Type: w.kind.Name(), APIVersion: w.APIVersion, Manager: w.As(w.name), Objects: w.Objects, Last: w.Last}
	d, defined := f.DefinitionOf(w.kind.Group, w.kind.Resource)
	switch {
	case w.APIVersion == "":
		return Finding{}
	case defined:
		return f.ofDefinition(found, w, d)
	case !discovery.BuiltIn(w.group) && !f.serves(w):
		found.Kind = Unappliable
		found.Why = w.subject() + " in " + w.APIVersion + ". No API server serves it. " +
			"If the definition of the type no longer lists it, no apply can succeed. Fieldmark couldn’t read the definition. " + last(w.Last)
		return found
	}
	return f.ofKubernetes(found, w)
}

// ofDefinition is what an entry of a custom resource means.
func (f Facts) ofDefinition(found Finding, w written, d Definition) Finding {
	storage, _ := d.Storage()
	v, _ := d.version(w.version)
	switch {
	case !d.Lists(w.APIVersion):
		found.Kind = Unappliable
		found.Why = w.subject() + " in " + w.APIVersion + ", which the definition no longer lists. No apply to these objects can succeed, by any manager. " + last(w.Last)
		found.Ways = d.wayBack(w.APIVersion)
	case v.Storage:
		return Finding{}
	case !v.Served:
		found.Kind = Fading
		found.Why = w.subject() + " in " + w.APIVersion + ", which is no longer served. The definition still lists it, so applies pass. They fail once it doesn’t. " + last(w.Last)
	default:
		found.Kind = Fading
		found.Why = w.subject() + " in " + w.APIVersion + ", but objects are stored in " + storage + ". " + deprecatedToo(v.Deprecated) + last(w.Last)
		found.Ways = correct(w, discovery.GroupVersion(d.Group, storage), "")
	}
	return found
}

func deprecatedToo(is bool) string {
	if is {
		return "The definition calls the version deprecated. "
	}
	return ""
}

// ofKubernetes is what an entry of one of Kubernetes' own types means.
func (f Facts) ofKubernetes(found Finding, w written) Finding {
	r, known := f.Table.Find(w.group, w.version, w.kind.Kind)
	found.Removed = removedIn(r)
	switch {
	case !f.serves(w):
		found.Kind = Forgotten
		found.Why = w.subject() + " in " + w.APIVersion + ", which this server no longer serves. " + last(w.Last)
	case !known:
		return Finding{}
	case r.Removed.Known() && r.Removed <= f.Target:
		found.Kind = Dropped
		found.Why = fmt.Sprintf("%s in %s. Kubernetes %s drops it. %s", w.subject(), w.APIVersion, r.Removed, last(w.Last))
	case r.Deprecated.Known() && r.Deprecated <= f.Target:
		found.Kind = Deprecated
		found.Why = fmt.Sprintf("%s in %s. It is deprecated since Kubernetes %s%s. %s", w.subject(), w.APIVersion, r.Deprecated, planned(r.Removed), last(w.Last))
	default:
		return Finding{}
	}
	found.Ways = correct(w, f.replacement(r, w), w.kind.Kind)
	return found
}

// serves tells whether the server serves the type in the version of an entry. If the version couldn't be read, it probably does.
func (f Facts) serves(w written) bool {
	if slices.ContainsFunc(f.Catalog.Failures, func(no discovery.Failure) bool { return no.Group == w.group && no.Version == w.version }) {
		return true
	}
	_, serves := f.Catalog.Kind(w.group, w.version, w.kind.Kind)
	return serves
}

// replacement is the apiVersion to use instead of one that is dropped: what Kubernetes names, otherwise what the server prefers.
func (f Facts) replacement(r removal.Removal, w written) string {
	if r.Replacement != "" {
		return r.Replacement
	}
	if t, found := f.Catalog.Type(w.kind.Group, "", w.kind.Resource); found && t.GroupVersion() != w.APIVersion {
		return t.GroupVersion()
	}
	return ""
}

// subject begins a sentence about an entry: "The entries of helm (Apply) in 3 deployments.apps are".
func (w written) subject() string {
	return fmt.Sprintf("The entries of %s in %s of %s are", w.As(w.name).Words(), words.Count(int64(w.Objects), "object", "objects"), w.kind.Name())
}

// last says when an entry was last written.
func last(at time.Time) string {
	if at.IsZero() {
		return "The entries don’t say when they were last written."
	}
	return "The last write was on " + at.UTC().Format(time.DateOnly) + "."
}

func removedIn(r removal.Removal) string {
	if !r.Removed.Known() {
		return ""
	}
	return r.Removed.String()
}

func planned(v release.Version) string {
	if !v.Known() {
		return ""
	}
	return ", and " + v.String() + " drops it"
}

// requested are the findings about requests that the API server counted.
func (f Facts) requested() []Finding {
	var all []Finding
	for _, r := range f.Requested {
		found := Finding{Kind: Deprecated, Type: r.Type(), APIVersion: discovery.GroupVersion(r.Group, r.Version)}
		what := found.APIVersion + " " + found.Type
		if r.Subresource != "" {
			what += "/" + r.Subresource
		}
		switch {
		case !r.Removed.Known():
			found.Why = "A client requested " + what + ", which is deprecated, since the API server started. No release is named that drops it."
		case r.Removed <= f.Target:
			found.Kind, found.Removed = Requested, r.Removed.String()
			found.Why = fmt.Sprintf("A client requested %s since the API server started. Kubernetes %s drops it. The metric doesn’t say which client.", what, r.Removed)
		default:
			found.Removed = r.Removed.String()
			found.Why = fmt.Sprintf("A client requested %s since the API server started. Kubernetes %s drops it.", what, r.Removed)
		}
		found.Ways = inAudit(r)
		all = append(all, found)
	}
	return all
}

// target is the finding that the table doesn't know the target.
func (f Facts) target() []Finding {
	if f.Table.Knows(f.Target) {
		return nil
	}
	return []Finding{{Kind: Target, Name: "Kubernetes " + f.Target.String(), Why: fmt.Sprintf(
		"The table of removals was made for Kubernetes %s. For %s, it has only what was planned then.", f.Table.MadeFor, f.Target)}}
}

// missing are the findings about what couldn't be read: parts of the cluster, versions of groups, and types.
func (f Facts) missing() []Finding {
	var all []Finding
	for _, m := range f.Missing {
		all = append(all, Finding{Kind: Unread, Name: m.What, Why: m.Why})
	}
	for _, no := range f.Catalog.Failures {
		all = append(all, Finding{Kind: Unread, Name: "types of " + discovery.GroupVersion(no.Group, no.Version), Why: "Discovery doesn’t tell the types of this version."})
	}
	for _, t := range f.Census.Types {
		if f.unread(t) {
			all = append(all, Finding{Kind: Unread, Type: t.Name(), Objects: t.Objects, Why: unreadWhy(t)})
		}
	}
	return all
}

// unread tells whether objects of a type are missing that could have a record. While a census reads, types that it will read aren't missing.
func (f Facts) unread(t report.Type) bool {
	if served, known := f.Catalog.Type(t.Group, t.Version, t.Resource); known && !Recorded(served) {
		return false
	}
	coming := t.State == report.Waiting || t.State == report.Arrives
	return t.State == report.Refused || t.State == report.Partly || coming && f.Census.Phase != report.Reading
}

// Recorded tells whether objects of a type can have managedFields: somebody can write them.
func Recorded(t discovery.Type) bool { return t.Listable() && (t.Can("patch") || t.Can("update")) }

func unreadWhy(t report.Type) string {
	why := strings.TrimRight(t.Why, ".")
	switch {
	case t.State == report.Refused && why != "":
		return "The API server didn’t list the objects: " + why + "."
	case t.State == report.Refused:
		return "The API server didn’t list the objects."
	case why != "":
		return fmt.Sprintf("Only %s were read: %s.", words.Count(int64(t.Objects), "object", "objects"), why)
	}
	return fmt.Sprintf("Only %s were read.", words.Count(int64(t.Objects), "object", "objects"))
}

// services are the findings about aggregated APIs.
func (f Facts) services() []Finding {
	var all []Finding
	for _, s := range f.Services {
		if s.Available || s.Server == "" {
			continue
		}
		why := "The API server can’t use " + s.Server + "."
		if s.Why != "" {
			why += " It says: " + s.Why
		}
		all = append(all, Finding{Kind: Service, Name: s.Name, Why: why, Ways: looking("kubectl describe apiservice ", s.Name)})
	}
	return all
}

// stored are the findings about versions in which objects may still be stored.
func (f Facts) stored() []Finding {
	var all []Finding
	for _, d := range f.Definitions {
		storage, _ := d.Storage()
		if old := d.Old(); len(old) > 0 && storage != "" {
			all = append(all, Finding{Kind: Stored, Type: d.Name, APIVersion: discovery.GroupVersion(d.Group, old[0]), Why: fmt.Sprintf(
				"Objects may be stored as %s. New writes store %s.", strings.Join(old, ", "), storage), Ways: f.restore(d, storage)})
		}
	}
	return all
}

// hooks are the findings about webhooks that can block the migration of types that have other findings.
func (f Facts) hooks(found []Finding) []Finding {
	var all []Finding
	for _, h := range f.Hooks {
		if !h.Fail {
			continue
		}
		var types []string
		for _, other := range found {
			if !slices.Contains([]Kind{Unappliable, Dropped, Fading, Stored}, other.Kind) {
				continue
			}
			resource, group, _ := strings.Cut(other.Type, ".")
			if h.calls(group, resource) && !slices.Contains(types, other.Type) {
				types = append(types, other.Type)
			}
		}
		if len(types) > 0 {
			slices.Sort(types)
			all = append(all, Finding{Kind: Webhook, Type: types[0], Name: h.Configuration, Why: fmt.Sprintf(
				"The API server calls the webhook %s of the %s %s when it writes %s. If the webhook doesn’t respond, the API server refuses the write.",
				h.Name, h.Kind, h.Configuration, few(types))})
		}
	}
	return all
}

// mostTypes is how many types a sentence names.
const mostTypes = 5

func few(types []string) string {
	if more := len(types) - mostTypes; more > 0 {
		return fmt.Sprintf("%s and %d more types", strings.Join(types[:mostTypes], ", "), more)
	}
	return strings.Join(types, ", ")
}
