package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/source"
)

// ways are the ways out of a finding.
func (j *judgement) ways(f Finding) []Way {
	var all []Way
	add := func(way string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				all = append(all, Way{Way: way, Text: text})
			}
		}
	}
	if f.Path == "" {
		return nil
	}
	if f.ambiguous && slices.Contains([]Kind{Pruned, Stuck, Shared, Extra}, f.Kind) {
		return nil // the ways name the field by its path
	}
	switch f.Kind {
	case Conflict, Taken:
		if j.Document.Source.Root != nil && f.Kind == Conflict && j.otherName(f.Path, f.Owners) != "" {
			return j.forced(f) // the other ways would write a field of another version into the manifest
		}
		add(WayGiveUp, j.giveUp(f))
		add(WayShare, j.share(f))
		if f.Kind == Conflict {
			all = append(all, j.forced(f)...)
		}
		if f.ambiguous {
			return all // the other ways name the field by its path
		}
		add(WayHandOver, j.handOver(f, f.Path))
	case Invalid:
		return j.correct(f)
	case Pruned:
		add(WayShare, j.state(f, j.live))
		add(WayHandOver, j.handOverReplicas(f))
	case Stuck:
		add(WayHandOver, j.foldIn(f))
	case Shared:
		if f.Owners[0].APIVersion == j.object.APIVersion { // an apply in another version could drop fields that only that version has
			add(WayHandOver, j.handOver(f, j.together[f.Path]...))
		}
	case Server:
		all = append(all, j.arriving(f)...)
	case Extra:
		add(WayShare, j.state(f, j.live))
	default:
		return nil
	}
	if j.object.Name != "" && !f.ambiguous {
		add(WayRule, j.rules(f)...)
	}
	return all
}

// giveUp is a patch that deletes the field from the manifest's file.
func (j *judgement) giveUp(f Finding) string {
	if f.node == nil && len(j.Document.Source.Find(f.Path)) == 0 && f.Kind == Conflict && j.Document.Source.Root != nil {
		return "" // the conflict is about a field of another API version, so there is no line to delete
	}
	return j.edited(f, "delete "+f.Path, func(t source.Text) (string, error) { return t.Remove(0, f.Path, f.parts) })
}

// share is a patch that sets the live value in the manifest's file.
func (j *judgement) share(f Finding) string {
	if f.parts == nil {
		f.parts = append(j.before.Readings(f.Path), nil)[0]
	}
	found := j.before.At(f.parts)
	if f.parts == nil || found == nil || j.secret {
		return ""
	}
	return j.edited(f, "set "+f.Path+" to "+string(f.Live), func(t source.Text) (string, error) { return t.Set(0, f.Path, f.parts, found.Value) })
}

// arriving are the ways out of a value that the server changes. If the manifest has the field, its line can have the server's value, or go. A null
// that removes nothing can become a patch that does.
func (j *judgement) arriving(f Finding) []Way {
	found := j.after.Find(f.Path)
	giveUp := Way{Way: WayGiveUp, Text: j.giveUp(f)}
	switch {
	case f.ambiguous:
		return nil // the ways name the field by its path
	case len(f.Stated) == 0:
		return textWays(Way{Way: WayShare, Text: j.state(f, j.predicted)})
	case string(f.Stated) == "null":
		return textWays(giveUp, Way{Way: WayOverwrite, Text: j.removal(f)})
	case len(found) == 0 || j.secret:
		return textWays(giveUp)
	}
	set := j.edited(f, "set "+f.Path+" to "+string(written(found[0].Value)), func(t source.Text) (string, error) { return t.Set(0, f.Path, f.parts, found[0].Value) })
	return textWays(giveUp, Way{Way: WayShare, Text: set})
}

// textWays are the ways that have a text.
func textWays(all ...Way) []Way {
	return slices.DeleteFunc(all, func(w Way) bool { return w.Text == "" })
}

// removal is a command that removes a field, also from other managers; empty if the field comes back by its default, or the object doesn't have it yet.
func (j *judgement) removal(f Finding) string {
	live, at := j.before.Find(f.Path), j.after.Find(f.Path)
	if len(live) != 1 || len(at) != 1 || j.object.Name == "" || j.defaulted(at[0]) {
		return ""
	}
	d := j.difference(f.Path)
	body, err := json.Marshal([]patch.Operation{{Op: "remove", Path: d.Pointer}})
	if err != nil {
		return "" // it is made of texts
	}
	note := "# Remove the field, also from other managers. Then delete its line from the manifest.\n"
	if d.ByPlace {
		note += "# The path has the position of a list item. Make sure that the item is still there.\n"
	}
	return note + "kubectl patch " + request.Named(j.resource(), j.object.Name) + j.inNamespace() + " --type=json -p " + request.Quote(string(body)) + "\n"
}

// defaulted tells whether the server sets a value again if it is removed. A map does if it has only defaults.
func (j *judgement) defaulted(n *manifest.Node) bool {
	if len(n.Children) == 0 || usual(j.object, j.Schema, n) {
		return usual(j.object, j.Schema, n)
	}
	return !slices.ContainsFunc(n.Children, func(child *manifest.Node) bool { return !j.defaulted(child) })
}

// edited is a change of the document's text as a patch. If a patch isn't possible, it is the change in words.
func (j *judgement) edited(f Finding, words string, edit func(source.Text) (string, error)) string {
	inWords := visible(words)
	if f.File != "" {
		inWords = fmt.Sprintf("%s:%d: %s", visible(f.File), f.Line, inWords)
	}
	if j.Document.Built {
		where := "an overlay or base of " + visible(f.File)
		if j.Document.From != "" {
			where = visible(j.Document.From) + ", or in a patch of the kustomization " + visible(f.File)
		}
		return fmt.Sprintf("In %s (line %d of the output of kubectl kustomize): %s", where, f.Line, visible(words))
	}
	if j.reread += len(j.Document.Source.Text); j.secret || j.Document.Source.Text == "" || j.reread > mostReread {
		return inWords
	}
	above, below, line := j.Document.Source.Around(around)
	if len(above)+len(below) > mostPatch {
		return inWords
	}
	text := source.Parse(j.Document.Source.Text)
	if len(text.Documents) != 1 {
		return inWords
	}
	after, err := edit(text)
	if err != nil {
		return inWords
	}
	if j.Document.Source.MayHold() {
		// The lines around the document may be part of a Secret.
		if above != "" && !strings.HasSuffix(above, "\n") || below != "" && !strings.HasSuffix(j.Document.Source.Text, "\n") {
			return inWords
		}
		above, below, line = "", "", line+strings.Count(above, "\n")
	}
	if patch := unified(visible(f.File), above+j.Document.Source.Text+below, above+after+below, line); len(patch) <= mostPatch {
		return patch
	}
	return inWords
}

// Limits of patches, in bytes: how long one may be, and how much text is read again to make those of one document. Other changes are in words.
const (
	mostPatch  = 64 << 10
	mostReread = 4 << 20
)

// around is how many unchanged lines a patch shows before and after the change.
const around = 3

// unified is a unified diff with one hunk. The texts begin at line first of the file.
func unified(file, before, after string, first int) string {
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	same := 0
	for same < min(len(old), len(now)) && old[same] == now[same] {
		same++
	}
	end := 0
	for end < min(len(old), len(now))-same && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	from := max(0, same-around)
	left := min(end, around)
	var b strings.Builder
	put := func(mark string, lines []string) (n int) {
		for _, line := range lines {
			if line == "" {
				continue // SplitAfter's empty text after the last line
			}
			n++
			b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
			if !strings.HasSuffix(line, "\n") {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
		return n
	}
	context := put(" ", old[from:same])
	gone := put("-", old[same:len(old)-end])
	come := put("+", now[same:len(now)-end])
	context += put(" ", old[len(old)-end:len(old)-end+left])
	return fmt.Sprintf("--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n%s", file, file, first+from, context+gone, first+from, context+come, b.String())
}

// state is YAML to add to the manifest: the field with the value that an object has.
func (j *judgement) state(f Finding, o map[string]any) string {
	text := j.alone(f.Path, o, false)
	if text == "" {
		return ""
	}
	return "# add to " + cmp.Or(visible(j.Document.File), "the manifest") + "\n" + text
}

// alone is a manifest with one field of an object. If named is true, it also has the object's type and name.
func (j *judgement) alone(path string, o map[string]any, named bool) string {
	if o == nil || j.secret {
		return ""
	}
	stated := assist.Alone(o, j.Schema, path, named)
	text, err := manifest.YAML(stated)
	if err != nil || len(stated) == 0 {
		return ""
	}
	return string(text)
}

// overwrite is a command that applies with force; empty for tools that always do.
func (j *judgement) overwrite() string {
	switch {
	case j.tool.forces:
		return ""
	case j.Manager == helm:
		release, _ := below(below(j.live["metadata"])["annotations"])["meta.helm.sh/release-name"].(string)
		if release == "" || strings.HasPrefix(release, "-") { // somebody who can annotate the object must not be able to add an option
			release = "RELEASE"
		}
		return "helm upgrade " + request.Quote(release) + " CHART" + j.inNamespace() + " --server-side=true --force-conflicts\n"
	}
	return j.apply("--force-conflicts", j.Manager) + j.chosen() + j.file() + "\n"
}

// forced are the ways to overwrite a field. If the server refuses the forced apply, force is none of them.
func (j *judgement) forced(f Finding) []Way {
	w := Way{Way: WayOverwrite, Text: j.overwrite()}
	var all []Way
	if j.resized(f) {
		all = j.resize()
		w.NotTried, w.Trial = true, j.applied(j.Document.Source.Fields())
	}
	if w.Text == "" || j.Forced != nil && j.Forced.No != nil && !transient(*j.Forced.No) {
		return all
	}
	return append(all, w)
}

// file is the option of a command for the manifest's file.
func (j *judgement) file() string {
	switch {
	case j.Document.File == "":
		return " -f FILE"
	case j.Document.Built:
		return " -k " + request.Quote(j.Document.File)
	}
	return " -f " + request.Quote(j.Document.File)
}

// apply is the beginning of a command that applies as a manager.
func (j *judgement) apply(flag, manager string) string {
	words := []string{"kubectl apply --server-side"}
	if flag != "" {
		words = append(words, flag)
	}
	if manager != kubectl {
		words = append(words, "--field-manager="+request.Quote(manager))
	}
	return strings.Join(words, " ")
}

// chosen is the option of a command for the namespace; empty if the manifest has a namespace, because a file can have several.
func (j *judgement) chosen() string {
	if j.Document.File != "" && j.Document.Source.Namespace != "" {
		return ""
	}
	return j.inNamespace()
}

func (j *judgement) inNamespace() string {
	if j.object.Namespace == "" {
		return ""
	}
	return " -n " + request.Quote(j.object.Namespace)
}

// mostCommand is the most bytes of a command to paste.
const mostCommand = 8 << 10

// handOver is commands that pass the ownership of a finding's fields to the manager. It is empty unless one other manager owns the field, and that
// one isn't a controller, which would take the field back.
func (j *judgement) handOver(f Finding, paths ...string) string {
	if len(f.Owners) != 1 || j.secret || j.folding() || j.resized(f) || f.Owners[0].Same(j.me) || change.LikelyController(f.Owners[0].Manager, j.before.Record, 0).Controller {
		return ""
	}
	plan, err := assist.HandOver(assist.Handing{Live: j.Live.Object, Schema: j.Schema, Paths: paths, From: f.Owners[0].Manager, To: j.me})
	if err != nil {
		return ""
	}
	return j.commands(plan)
}

// folding tells whether a server-side apply by kubectl would fold in entries of client-side apply, and then apply again. A command with only some
// fields would then remove the others.
func (j *judgement) folding() bool { return len(assist.AnnotationOwners(j.Live.Object)) > 0 }

// foldIn is commands that fold older entries of the tool into the manager's own.
func (j *judgement) foldIn(f Finding) string {
	var clients []string
	byAnnotation := true
	for _, o := range f.Owners {
		clients = append(clients, o.Name)
		byAnnotation = byAnnotation && slices.Contains(assist.AnnotationOwners(j.Live.Object), o.Name)
	}
	if byAnnotation {
		return "# kubectl folds the entries of client-side apply into the manager's own, and applies again.\n" + j.apply("", j.Manager) + j.chosen() + j.file() + "\n"
	}
	return j.commands(assist.ToServerSide(j.Live.Object, clients, j.Manager))
}

// commands are the requests of a plan as commands of kubectl; empty if there are none, or if they are longer than mostCommand.
func (j *judgement) commands(plan assist.Plan) string {
	var b strings.Builder
	for _, s := range plan.Steps {
		fmt.Fprintf(&b, "# %s\n", visible(s.Title))
		if s.Request.ContentType == patch.ServerSideType {
			b.WriteString(j.apply("", s.Request.Query.Get("fieldManager")) + j.inNamespace() + here(string(s.Request.Body)))
			continue
		}
		b.WriteString(j.patches("json", s.Request))
	}
	if b.Len() > mostCommand {
		return ""
	}
	return b.String()
}

// resource is the type as kubectl takes it, such as deployment.v1.apps.
func (j *judgement) resource() string {
	group, version, named := strings.Cut(j.object.APIVersion, "/")
	if !named {
		return strings.ToLower(j.object.Kind)
	}
	return strings.ToLower(j.object.Kind) + "." + version + "." + group
}

// handOverReplicas is a command that keeps the number of replicas until an autoscaler sets it. It is empty for other fields.
func (j *judgement) handOverReplicas(f Finding) string {
	if f.Path != ".spec.replicas" || j.folding() {
		return ""
	}
	return "# Keep the number of replicas until a HorizontalPodAutoscaler sets it. Without this command, the number becomes 1.\n" + j.apply("", "handover-to-hpa") + j.inNamespace() + here(j.alone(f.Path, j.live, true))
}

// here is the rest of a command that reads a text as its input.
func here(text string) string {
	end := "EOF"
	for strings.Contains(text, end) {
		end += "_"
	}
	return " -f - <<'" + end + "'\n" + strings.TrimSuffix(text, "\n") + "\n" + end + "\n"
}

// visible is a text in one line. Line breaks and invisible characters are escaped.
func visible(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !plain.Printable(r) }) < 0 {
		return text
	}
	return strconv.Quote(text)
}
