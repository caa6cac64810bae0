package act

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Options of setField.
const (
	fieldOption = "field"
	valueOption = "value"
)

// setField changes, adds or removes one field, given its path. Only the field is in the request, and the resource version, because an item of a list is
// found by its place.
func setField() Act {
	return Act{
		Name: "set-field", Title: "Set a field", Hint: "Changes, adds or removes any field, given its path.",
		options: func(Subject, Found) []Option {
			return []Option{
				{Name: fieldOption, Label: "Field", Shape: Text, Hint: `Its path, such as .spec.containers[name=app].image or .metadata.labels["example.com/team"].`},
				{Name: valueOption, Label: "Value", Shape: Text, Hint: "As JSON, such as 3, true or {\"a\": \"b\"}. Other words are a text. Empty: the field is removed."},
			}
		},
		plan: planField,
	}
}

func planField(p *planner) {
	steps, why := p.fieldSteps(p.chose(fieldOption))
	if why != "" {
		p.wrong(fieldOption, why)
		return
	}
	to, ok := enteredValue(p.chose(valueOption))
	if !ok {
		p.wrong(valueOption, "The value begins like JSON, but isn’t JSON. Put names and texts in double quotes.")
		return
	}
	if text := p.chose(valueOption); to != nil && isText(steps) && !strings.HasPrefix(text, `"`) {
		to = text // in these maps, 3 and true are texts
	}
	e := fieldEdit{to: to}
	after := e.set(p.Object.Fields, steps)
	switch {
	case e.why != "":
		p.Nothing = e.why
		return
	case e.op == nil:
		p.Nothing = "The object has no such field."
		return
	case e.same:
		p.Nothing = "The field has this value already."
		return
	}
	changed, _ := after.(map[string]any)
	p.touch(changed, p.manager(""))
	p.Steps = []Step{{Title: "Set a field", Path: p.Path, Answer: TheObject, Goal: Goal{Path: p.Path}, Request: p.edits(true, *e.op)}}
	if steps[0].Name == "metadata" && len(steps) == 3 && steps[1].Name == "labels" {
		p.released(map[string]any{steps[2].Name: to})
	}
}

// dotted are maps whose keys often have dots. What follows their names in a path is one key.
var dotted = []string{".metadata.labels.", ".metadata.annotations.", ".data.", ".binaryData."}

// isText tells whether a field is a value of a dotted map.
func isText(steps []typed.Step) bool {
	path := ""
	for _, s := range steps[:len(steps)-1] {
		path += s.String()
	}
	return slices.Contains(dotted, path+".")
}

// theirs are fields that the API server writes, or that say which object it is.
var theirs = []string{
	".apiVersion", ".kind", ".metadata.name", ".metadata.namespace", ".metadata.uid", ".metadata.resourceVersion", ".metadata.generation", ".metadata.creationTimestamp",
	".metadata.deletionTimestamp", ".metadata.deletionGracePeriodSeconds", ".metadata.managedFields", ".metadata.selfLink",
}

// fieldSteps are the steps to a field that a reader has typed. Or why says why the field can't be set here.
func (p *planner) fieldSteps(text string) (steps []typed.Step, why string) {
	if text != "" && text[0] != '.' && text[0] != '[' {
		text = "." + text
	}
	for _, prefix := range dotted {
		if key, is := strings.CutPrefix(text, prefix); is && key != "" && !strings.Contains(key, "[") {
			text = prefix[:len(prefix)-1] + "[" + strconv.Quote(key) + "]"
		}
	}
	steps, err := typed.Steps(text)
	if err != nil || len(steps) == 0 {
		return nil, "Write the path of a field, such as .spec.replicas."
	}
	path := ""
	for _, s := range steps {
		path += s.String()
		if slices.Contains(theirs, path) {
			return nil, "Nobody can change " + path + ". The API server sets it, or it says which object this is."
		}
	}
	_, hasStatus := p.Type.Subresource("status")
	switch {
	case steps[0].Name == "metadata" && len(steps) == 1:
		return nil, "Name a field of the metadata, such as .metadata.labels.team."
	case hasStatus && steps[0].Name == "status":
		return nil, "The API server ignores the status in this request. Only controllers write it."
	case p.hides(steps):
		return nil, "Fieldmark doesn’t set values of Secrets here, because they would be in the address of this page. Edit the Secret on its own page."
	}
	return steps, ""
}

// hides tells whether the value of a field, or what is to be its value, is secret.
func (p *planner) hides(steps []typed.Step) bool {
	if !p.Path.OfSecrets() && !object.Holds(p.Object.APIVersion(), p.Object.Kind()) {
		return false
	}
	at := object.Doubt
	for _, s := range steps {
		at = at.Below(s.Name)
	}
	return at.Hides(p.chose(valueOption), false)
}

// enteredValue is a value as a reader types it. Without a value, the field is removed.
func enteredValue(text string) (v any, ok bool) {
	if text == "" {
		return nil, true
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) == nil && !d.More() {
		return v, v != nil
	}
	return text, !strings.ContainsAny(text[:1], `{["`)
}

// fieldEdit sets a value in an object.
type fieldEdit struct {
	to   any // nil: the field is removed
	at   []string
	op   *patch.Operation
	same bool
	why  string // the object has no place for the field
}

// set is a copy of a value with another value at the end of the steps.
func (e *fieldEdit) set(in any, steps []typed.Step) any {
	if len(steps) == 0 {
		e.replace(in)
		return e.to
	}
	switch in := in.(type) {
	case map[string]any:
		return e.setIn(in, steps)
	case []any:
		return e.setItem(in, steps)
	}
	e.why = "The object has no field with this path, because " + patch.Pointer("", e.at...) + " is a single value."
	return in
}

// replace notes the operation for a value that exists.
func (e *fieldEdit) replace(old any) {
	e.op = &patch.Operation{Op: "replace", Path: patch.Pointer("", e.at...), Value: value(e.to)}
	if e.to == nil {
		e.op.Op, e.op.Value = "remove", nil
	}
	e.same = bytes.Equal([]byte(asJSON(old)), []byte(asJSON(e.to)))
}

func (e *fieldEdit) setIn(in map[string]any, steps []typed.Step) any {
	name := steps[0].Name
	if steps[0].Item {
		e.why = "The object has no list at " + patch.Pointer("", e.at...) + "."
		return in
	}
	e.at = append(e.at, name)
	changed := maps.Clone(in)
	if child, has := in[name]; has {
		changed[name] = e.set(child, steps[1:])
		if len(steps) == 1 && e.to == nil {
			delete(changed, name)
		}
		return changed
	}
	added := e.to
	for _, s := range slices.Backward(steps[1:]) {
		if s.Item {
			e.why = "The object has no list item with this path, and Fieldmark adds none."
			return in
		}
		added = map[string]any{s.Name: added}
	}
	if e.to != nil {
		e.op = &patch.Operation{Op: "add", Path: patch.Pointer("", e.at...), Value: value(added)}
		if changed == nil {
			changed = map[string]any{}
		}
		changed[name] = added
	}
	return changed
}

func (e *fieldEdit) setItem(in []any, steps []typed.Step) any {
	var fit []int
	for i, item := range in {
		if steps[0].Item && steps[0].Fits(item, i) {
			fit = append(fit, i)
		}
	}
	if len(fit) != 1 {
		e.why = fmt.Sprintf("The path fits %d items of the list at %s. It must fit one, as in [name=app] or [0].", len(fit), patch.Pointer("", e.at...))
		return in
	}
	i := fit[0]
	e.at = append(e.at, strconv.Itoa(i))
	changed := slices.Clone(in)
	changed[i] = e.set(in[i], steps[1:])
	if len(steps) == 1 && e.to == nil {
		changed = slices.Delete(changed, i, i+1)
	}
	return changed
}
