package inquiry

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
)

// wrong adds the fields that the server names as wrong.
func (t *telling) wrong() {
	no := status.Status{Code: t.no.Code, Reason: status.Invalid, Message: t.no.Message}
	for _, f := range t.no.Fields {
		message := f.Message
		if strings.HasSuffix(message, " field") { // strict decoding says: unknown field "spec.x"
			message += fmt.Sprintf(" %q", strings.TrimPrefix(f.Path, "."))
		}
		no.Causes = append(no.Causes, status.Cause{Field: f.Path, Message: message})
	}
	if len(no.Causes) > 0 {
		t.fields(t.judged(no))
	}
}

// invalid explains that validation refuses the object.
func (t *telling) invalid() {
	t.e.What = "A write" + t.about() + " was refused: the object would not be valid."
	t.e.Why = "The API server checks each object against its type before it stores the object."
	t.wrong()
	for _, f := range t.e.Fields {
		if f.Path != "" {
			t.way(explain.WayCorrect, "Correct "+f.Path+": "+f.Why)
			known := f.Path
			if strings.Contains(f.Why, "unknown field") {
				known = known[:max(0, strings.LastIndex(known, "."))]
			}
			t.way(explain.WayLook, t.schemaOf(known))
		}
	}
	if t.no.Tool == "kubectl" && t.no.Code == 0 {
		t.note("kubectl refused it and sent no request.")
	}
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
	t.e.What = "A write" + t.about() + " was refused: it would change a field that can't be changed after creation."
	t.e.Why = "Other objects, or storage, depend on the first value. To use another value, create another object."
	t.wrong()
	for i, f := range t.no.Fields {
		switch {
		case !f.Immutable || i >= len(t.e.Fields):
		case len(t.e.Fields[i].Live) > 0 && !t.secret:
			t.way(check.WayShare, "Set "+f.Path+" back to its live value: "+string(t.e.Fields[i].Live))
		default:
			t.way(check.WayShare, "Set "+f.Path+" back to its live value.")
		}
	}
	if command := t.kubectl("delete"); command != "" {
		t.way(explain.WayRecreate, "# This deletes the object and its dependents, such as Pods, and interrupts their work. The data of volume claims can be lost.\n"+
			"# Save the object first, and find out what depends on it.\n"+t.kubectl("get", "-o yaml > backup.yaml")+command+"kubectl apply --server-side -f "+t.file()+"\n")
	} else {
		t.way(explain.WayRecreate, "Delete the object and create it again with the new value. This also deletes its dependents, such as Pods. The data of volume claims can be lost.")
	}
}
