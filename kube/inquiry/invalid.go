package inquiry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
)

// causes is the refusal with the fields that the server names as wrong.
func (t *telling) causes() status.Status {
	no := status.Status{Code: t.no.Code, Reason: status.Invalid, Message: t.no.Message}
	for _, f := range t.no.Fields {
		message := f.Message
		if strings.HasSuffix(message, " field") { // strict decoding says: unknown field "spec.x"
			message += fmt.Sprintf(" %q", strings.TrimPrefix(f.Path, "."))
		}
		no.Causes = append(no.Causes, status.Cause{Field: cmp.Or(f.Path, "[]"), Message: message})
	}
	return no
}

// wrong adds the fields that the server names as wrong.
func (t *telling) wrong() {
	if no := t.causes(); len(no.Causes) > 0 {
		t.fields(t.judged(no))
	}
}

// exported explains a refusal of fields that only the server writes. It tells whether the refusal is about such fields.
func (t *telling) exported(no status.Status) bool {
	found := t.judged(no)
	if !check.Exported(found) {
		return false
	}
	t.e.What = "A write" + t.about() + " was refused: the manifest has fields that only the server writes."
	t.e.Why = "Somebody exported the manifest from a cluster. These fields identify one version of one object, so every run is refused. Force doesn't help."
	t.fields(found)
	return true
}

// invalid explains that validation refuses the object.
func (t *telling) invalid() {
	t.e.What = "A write" + t.about() + " was refused: the object would not be valid."
	t.e.Why = "The API server checks each object against its type before it stores the object."
	if t.exported(t.causes()) {
		return
	}
	t.wrong()
	for _, f := range t.e.Fields {
		if f.Path == "" && strings.Contains(f.Why, "Too long") {
			t.untried(explain.WayCorrect, "The whole object is too long. Split it into several objects.")
		}
		if f.Path != "" {
			if !t.lacks(f) {
				t.untried(explain.WayCorrect, "Correct "+f.Path+": "+f.Why)
			}
			known := f.Path
			if strings.Contains(f.Why, "unknown field") {
				known = known[:max(0, strings.LastIndex(known, "."))]
			}
			t.way(explain.WayLook, t.schemaOf(known))
		}
	}
	if t.no.Tool == "kubectl" && t.no.Code == 0 {
		t.addNote("kubectl refused it and sent no request.")
	}
}

// lacks tells that the manifest doesn't have a field that must not be set, so that nothing in the manifest can be corrected.
func (t *telling) lacks(f explain.Field) bool {
	d := t.subject.document
	return d != nil && len(f.Stated) == 0 && len(f.Live) > 0 && len(d.Source.Find(f.Path)) == 0
}

// schemaOf is the command that shows the schema of a field.
func (t *telling) schemaOf(path string) string {
	resource, _, _ := strings.Cut(t.subject.resource, ".")
	if resource == "" {
		return ""
	}
	steps := strings.FieldsFunc(path, func(c rune) bool { return c == '.' })
	for i, step := range steps {
		step, _, _ = strings.Cut(step, "[")
		if steps[i] = step; strings.ContainsAny(step, `"]/ `) || step == "annotations" || step == "labels" {
			steps = steps[:i]
			break
		}
	}
	words := "kubectl explain " + request.Quote(strings.Join(append([]string{resource}, steps...), "."))
	if v := t.subject.object.APIVersion; v != "" {
		words += " --api-version=" + request.Quote(v)
	}
	return words + "\n"
}

// immutable explains that a field can't be changed after creation.
func (t *telling) immutable() {
	if t.exported(t.causes()) {
		return
	}
	t.e.What = "A write" + t.about() + " was refused: it would change a field that can't be changed after creation."
	t.e.Why = "Other objects, or storage, depend on the first value. To use another value, create another object."
	t.wrong()
	for i, f := range t.no.Fields {
		switch {
		case !f.Immutable || i >= len(t.e.Fields) || t.subject.document != nil:
		case len(t.e.Fields[i].Live) > 0 && !t.secret:
			t.untried(check.WayShare, "Set "+f.Path+" back to its live value: "+string(t.e.Fields[i].Live))
		default:
			t.untried(check.WayShare, "Set "+f.Path+" back to its live value.")
		}
	}
	text := "Delete the object and create it again with the new value. This also deletes its dependents, such as Pods. The data of volume claims can be lost."
	if command := t.kubectl("delete"); command != "" {
		text = "# This deletes the object and its dependents, such as Pods, and interrupts their work. The data of volume claims can be lost.\n" +
			"# Save the object first, and find out what depends on it.\n" + t.kubectl("get", "-o yaml > backup.yaml") + command + "kubectl apply --server-side -f " + t.file() + "\n"
	}
	t.offer(check.Way{Way: explain.WayRecreate, Text: text, NotTried: true, Trial: t.recreation()})
}

// recreation is the trial of creating the object again. No object can be created while it exists, so the trial has another name. It is nil without
// the manifest.
func (t *telling) recreation() *check.Trial {
	if t.subject.document == nil {
		return nil
	}
	fields := maps.Clone(t.subject.document.Source.Fields())
	metadata, _ := fields["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	delete(metadata, "name")
	metadata["generateName"] = "fieldmark-"
	fields["metadata"] = metadata
	body, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return &check.Trial{Method: "POST", ContentType: patch.PlainJSON, Query: url.Values{}, Body: body}
}
