package check

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

// leftover is a field that only the server writes. A manifest has it if somebody exported it from a cluster. The field identifies one version of one
// object, so the server refuses the manifest on every run.
type leftover struct {
	path, why string
	says      func(status.Status) bool // whether a refusal is about the field, although it names no field
}

var leftovers = []leftover{
	{".metadata.managedFields", "Only the server writes managedFields.", func(no status.Status) bool {
		return strings.Contains(no.Message, "metadata.managedFields must be nil")
	}},
	{".metadata.uid", "The manifest has the uid of another object, perhaps of one that was deleted.", func(no status.Status) bool {
		return strings.Contains(no.Message, "UID in precondition") || strings.Contains(no.Message, "uid mismatch")
	}},
	{".metadata.resourceVersion", "The manifest has the resourceVersion of a former version of the object.", func(no status.Status) bool {
		return no.Code == status.CodeConflict && !no.ManagerConflict()
	}},
	{".metadata.deletionTimestamp", "The manifest is of an object that was being deleted.", nil},
	{".metadata.deletionGracePeriodSeconds", "The manifest is of an object that was being deleted.", nil},
	{".metadata.generation", "Only the server counts generations.", nil},
	{".metadata.creationTimestamp", "Only the server writes the time of the creation.", nil},
	{".metadata.selfLink", "Only the server writes this field.", nil},
}

// Exported tells whether findings are about fields that only the server writes.
func Exported(findings []Finding) bool {
	return len(findings) > 0 && !slices.ContainsFunc(findings, func(f Finding) bool {
		return !slices.ContainsFunc(leftovers, func(l leftover) bool { return l.path == f.Path })
	})
}

// leftoverOf is the field of a refusal that only the server writes; nil if the refusal is about something else, or if the manifest is at hand and
// doesn't have the field.
func (j *judgement) leftoverOf(no status.Status) *leftover {
	for i, l := range leftovers {
		caused := slices.ContainsFunc(no.Causes, func(c status.Cause) bool { return j.path(c.Field) == l.path })
		if !caused && (l.says == nil || !l.says(no)) {
			continue
		}
		// Without the manifest, a conflict of writers looks like an old resourceVersion.
		if len(j.Document.Source.Find(l.path)) > 0 || j.Document.Source.Root == nil && l.path != ".metadata.resourceVersion" {
			return &leftovers[i]
		}
	}
	return nil
}

// exported judges a manifest with a field that only the server writes. It tells whether such a field is the reason of a refusal. The server names one
// such field at a time, so the findings also have those that it would refuse next.
func (j *judgement) exported(no status.Status) bool {
	l := j.leftoverOf(no)
	if l == nil {
		return false
	}
	const forever = " The API server refuses the apply on every run. Delete this line."
	j.addFinding(Finding{Kind: Invalid, Path: l.path, Why: l.why + forever + " The server says: " + strings.TrimSuffix(j.clean(no.Message), ".") + "."})
	live := below(j.Live.Object["metadata"])
	for _, next := range leftovers {
		name := strings.TrimPrefix(next.path, ".metadata.")
		found := j.Document.Source.Find(next.path)
		if next.says == nil || len(found) == 0 || name == "resourceVersion" && live == nil {
			continue // a new object may have any resourceVersion
		}
		if name == "managedFields" || found[0].Value != live[name] {
			j.addFinding(Finding{Kind: Invalid, Path: next.path, Why: next.why + forever})
		}
	}
	return true
}
