package check

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// correction is a change of the manifest that answers a refusal: it deletes a field, or sets its live value.
type correction struct {
	way, path string
	value     any
}

// mostCorrections is the most fields that are corrected for one finding.
const mostCorrections = 5

// corrections are the changes of the manifest that answer a refusal; none if nothing tells how to correct the field.
func (j *judgement) corrections(f Finding) []correction {
	switch {
	case f.Kind != Invalid:
	case badField.MatchString(f.Why), slices.ContainsFunc(leftovers, func(l leftover) bool { return l.path == f.Path }):
		return []correction{{way: WayGiveUp, path: f.Path}}
	case status.Final(f.Why) && len(f.Live) > 0 && len(f.Stated) > 0:
		var all []correction
		live, sent := j.unmaskedBlame(j.Live.Object), j.unmaskedBlame(j.Document.Source.Fields())
		for _, path := range j.differing(f) {
			if was, is := live.Find(path), sent.Find(path); len(was) > 0 && len(is) > 0 {
				all = append(all, correction{WayShare, path, was[0].Value})
			}
		}
		if len(all) <= mostCorrections {
			return all
		}
	}
	return nil
}

// mayChange finds the fields that a server's message names as the only ones that may change.
var mayChange = regexp.MustCompile("['`]([^'`]+)['`]")

// differing are the values of the manifest that differ from the live ones, in a field that can't be changed. The server often names only the field
// around them, and says which others may change.
func (j *judgement) differing(f Finding) []string {
	may := map[string]bool{}
	if _, others, ok := strings.Cut(f.Why, "other than"); ok {
		for _, named := range mayChange.FindAllStringSubmatch(others, -1) {
			may[named[1][strings.LastIndexAny(named[1], ".]")+1:]] = true
		}
	}
	var all []string
	for _, n := range j.sent.Find(f.Path) {
		j.leaves(j.sent, n, func(n *manifest.Node) {
			path := j.sent.Path(n)
			names := strings.FieldsFunc(path, func(c rune) bool { return c == '.' || c == '[' || c == ']' })
			is, was := written(n.Value), valueOf(j.before.At(j.sent.Parts(n)))
			if string(is) != string(was) && !slices.ContainsFunc(names, func(name string) bool { return may[name] }) {
				all = append(all, path)
			}
		})
	}
	return all
}

// correct are the ways out of a refusal of the manifest.
func (j *judgement) correct(f Finding) []Way {
	var all []Way
	for _, c := range j.corrections(f) {
		at := f
		if at.Path != c.path {
			at = Finding{Path: c.path, File: f.File, Line: j.Document.line(c.path), Live: valueAt(j.before, c.path)}
		}
		text := j.giveUp(at)
		if c.way == WayShare {
			text = j.share(at)
		}
		if text != "" {
			all = append(all, Way{Way: c.way, Text: text, NotTried: true, Trial: j.corrected()})
		}
	}
	if strings.Contains(f.Why, "pod updates may not change fields") {
		all = append(all, j.resize()...)
	}
	all = append(all, j.unowned(f)...)
	if f.Path == ".metadata.annotations" && strings.Contains(f.Why, "Too long") {
		all = append(all, Way{
			Way: WayCorrect, NotTried: true, Trial: j.applied(j.Document.Source.Fields()),
			Text: "# Client-side apply stores the manifest in an annotation. Server-side apply doesn't.\n" + j.apply("", j.Manager) + j.chosen() + j.file() + "\n",
		})
	}
	return all
}

// unowned are the ways out if the server refuses a field that the manifest doesn't have, and that nobody owns: a default of an older version of the
// object. No apply removes it.
func (j *judgement) unowned(f Finding) []Way {
	parent := j.stuckDefault(f)
	if parent == nil || j.secret {
		return nil
	}
	stated := j.sent.Find(j.before.Path(parent))[0]
	change := maps.Clone(below(stated.Value))
	name := strings.TrimPrefix(f.Path, j.before.Path(parent)+".")
	change[name] = nil
	nested := change
	for n := stated; n.Parent != nil; n = n.Parent {
		nested = map[string]any{n.Key: nested}
	}
	body, err := json.Marshal(nested)
	if err != nil {
		return nil
	}
	first := source.Replaced(stated, func(any) (any, bool) { return parent.Value, true })
	text, err := manifest.YAML(first)
	if err != nil || len(text) > mostCommand {
		return nil
	}
	removal := Trial{Method: "PATCH", ContentType: patch.MergeType, Query: url.Values{"fieldManager": {j.Manager}}, Body: body}
	why := "# Nobody owns " + visible(f.Path) + ", because it is a default. So no apply removes it.\n"
	return []Way{
		{
			Way: WayCorrect, NotTried: true, Trial: j.applied(first),
			Text: why + "# First apply the live value, so that " + visible(j.Manager) + " owns it.\n" + j.apply("", j.Manager) + j.inNamespace() + here(string(text)) +
				"# Then apply the manifest, which removes it. This step is not tried, because a dry run can't know of the first one.\n" + j.apply("", j.Manager) + j.chosen() + j.file() + "\n",
		},
		{
			Way: WayCorrect, NotTried: true, Trial: &removal,
			Text: why + "# Or remove it with a merge patch, and apply the manifest after it.\n" + j.patches("merge", removal),
		},
	}
}

// stuckDefault is the field around the default that a refusal is about, in the live object. It is nil if somebody owns the refused field, or if the
// manifest has it or lacks the field around it.
func (j *judgement) stuckDefault(f Finding) *manifest.Node {
	found := j.before.Find(f.Path)
	if f.Path == "" || len(found) != 1 || len(j.Document.Source.Find(f.Path)) > 0 || found[0].Index >= 0 {
		return nil
	}
	owned := false
	j.leaves(j.before, found[0], func(n *manifest.Node) { owned = owned || len(j.before.Owners(n)) > 0 })
	parent := found[0].Parent
	for n := parent; n != nil; n = n.Parent {
		owned = owned || n.Index >= 0 // a merge patch would replace the whole list
	}
	if owned || parent == nil || parent.Parent == nil || len(j.sent.Find(j.before.Path(parent))) != 1 {
		return nil
	}
	return parent
}

// patches is a command that sends a patch of the object.
func (j *judgement) patches(kind string, r Trial) string {
	words := "kubectl patch " + request.Named(j.resource(), j.object.Name) + j.inNamespace()
	if r.Subresource != "" {
		words += " --subresource=" + r.Subresource
	}
	if manager := r.Query.Get("fieldManager"); manager != "" {
		words += " --field-manager=" + request.Quote(manager)
	}
	return words + " --type=" + kind + " -p " + request.Quote(string(r.Body)) + "\n"
}

// resized tells that somebody resized a container of a Pod. After a Pod is created, no apply changes the resources of its containers.
func (j *judgement) resized(f Finding) bool {
	return j.object.Kind == "Pod" && j.object.APIVersion == "v1" && slices.ContainsFunc(f.Owners, func(o ownership.Owner) bool { return o.Subresource == "resize" })
}

// resize is the way to change the resources of a Pod's containers to those of the manifest.
func (j *judgement) resize() []Way {
	spec, changes := below(j.Document.Source.Fields()["spec"]), map[string]any{}
	if j.object.Kind != "Pod" || j.secret {
		return nil
	}
	for _, list := range []string{"containers", "initContainers"} {
		var all []any
		containers, _ := spec[list].([]any)
		for _, c := range containers {
			name, _ := below(c)["name"].(string)
			path := ".spec." + list + "[name=" + string(written(name)) + "].resources"
			if resources := below(c)["resources"]; resources != nil && string(valueAt(j.before, path)) != string(valueAt(j.sent, path)) {
				all = append(all, map[string]any{"name": name, "resources": resources})
			}
		}
		if all != nil {
			changes[list] = all
		}
	}
	body, err := json.Marshal(map[string]any{"spec": changes})
	if err != nil || len(changes) == 0 {
		return nil
	}
	resize := Trial{Method: "PATCH", Subresource: "resize", ContentType: patch.StrategicType, Query: url.Values{}, Body: body}
	return []Way{{
		Way: WayCorrect, NotTried: true, Trial: &resize,
		Text: "# The resources of a Pod change only through its subresource resize. Apply the manifest after it.\n" + j.patches("strategic", resize),
	}}
}
