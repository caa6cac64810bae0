package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/words"
)

// managers are the default field managers of tools.
var managers = map[refusal.Tool]string{
	refusal.Kubectl: "kubectl", refusal.Helm: "helm", refusal.Flux: "kustomize-controller", refusal.ArgoCD: "argocd-controller", refusal.Terraform: "Terraform", refusal.KubectlProvider: "kubectl",
}

// applierOf is the manager that was refused: from the text, or else the default of its tool.
func applierOf(no refusal.Refusal) string {
	if no.Manager != "" {
		return no.Manager
	}
	return managers[no.Tool]
}

// placeholder replaces an unknown manager in commands.
const placeholder = "MANAGER"

// Answer is the result of the inquiry.
func (q *Inquiry) Answer() explain.Answer {
	var a explain.Answer
	for _, m := range q.matters {
		e := q.explainRefusal(m)
		e.Ways = check.Offered(e.Ways, m.tried)
		a.Explanations = append(a.Explanations, e)
	}
	for _, rest := range q.reading.Rest[:min(len(q.reading.Rest), mostLeft)] {
		a.NotUnderstood = append(a.NotUnderstood, short(hideSecrets(rest)))
	}
	switch {
	case q.reading.Binary:
		a.Notes = append(a.Notes, "The input isn't text.")
	case q.reading.Late:
		a.Notes = append(a.Notes, "Reading the text took too long, so only a part of it was read. Give only the lines around the refusal.")
	case q.reading.Cut:
		a.Notes = append(a.Notes, "The text is too long, so only its beginning was read.")
	}
	a.Partial = q.reading.Late || q.reading.Cut
	different := map[string]bool{}
	for _, no := range q.reading.Refusals {
		different[keyOf(no)] = true
	}
	if more := len(different) - len(q.matters); more > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("The text has %d more refusals, which are not explained here.", more))
	}
	return a
}

const (
	mostLeft    = 20  // the number of unknown pieces of text that are shown
	longestLeft = 300 // characters of each
)

// hideSecrets is a text that may be shown. It replaces a text that may have secrets.
func hideSecrets(text string) string {
	if object.MayHold([]byte(text)) {
		return "(a part of the text is hidden, because it may have secrets)"
	}
	return text
}

func short(text string) string {
	if runes := []rune(text); len(runes) > longestLeft {
		return string(runes[:longestLeft]) + "…"
	}
	return text
}

// explainRefusal is the explanation of a refusal, with all ways out that have to be tried.
func (q *Inquiry) explainRefusal(m *matter) explain.Explanation {
	no := m.no
	e := explain.Explanation{
		APIVersion: check.APIVersion, Kind: explain.Kind, Reason: string(no.Reason), Code: no.Code, Tool: string(no.Tool),
		Manager: no.Manager, Message: hideSecrets(no.Message), Notes: slices.Clone(m.notes),
	}
	if m.times > 1 {
		e.Times = m.times
	}
	if q.Manager != "" {
		e.Manager = q.Manager
	} else if e.Manager == "" && no.Reason == refusal.Conflict {
		e.Manager, e.Assumed = managers[no.Tool], managers[no.Tool] != ""
	}
	e.Objects = q.objects(m)
	t := telling{Inquiry: q, matter: m, e: &e, subject: q.subject(m)}
	t.secret = object.Holds(t.subject.object.APIVersion, t.subject.object.Kind) || slices.ContainsFunc(no.Objects, ofSecrets)
	if t.secret {
		e.Message = masked(e.Message)
	}
	t.explainReason()
	t.found()
	return e
}

// subject is the object of an explanation: one that is certain, or the only one that was found.
type subject struct {
	object   check.Object
	resource string // for kubectl: deployments.apps
	live     map[string]any
	document *check.Document
	schema   *schema.Schema
}

// only returns the object if there is no doubt; nil: several objects are possible, or none.
func (m *matter) only() *found {
	if len(m.found) == 1 && m.fits <= 1 {
		return m.found[0]
	}
	var matching *found
	for _, f := range m.found {
		if f.matches && matching != nil {
			return nil
		}
		if f.matches {
			matching = f
		}
	}
	return matching
}

func (q *Inquiry) subject(m *matter) subject {
	var s subject
	if f := m.only(); f != nil {
		s.object, s.resource, s.live = f.object(), f.of.FullName(), f.live
		if q.Schema != nil && f.live != nil {
			s.schema = q.Schema(f.of)
		}
	} else if len(m.found) == 0 && len(m.no.Objects) > 0 {
		s.object, s.resource = ofText(m.no.Objects[0])
		if q.Catalog != nil {
			if types := q.types(m.no.Objects[0], m.no); len(types) == 1 {
				s.object.APIVersion, s.object.Kind, s.resource = types[0].GroupVersion(), types[0].Kind, types[0].FullName()
			}
		}
	}
	if s.document = q.document(s.object, m.no); s.document != nil && len(m.found) == 0 && s.object.Kind == "" {
		s.object = s.document.Object()
	}
	return s
}

// objects are the objects that a refusal is about, or may be about.
func (q *Inquiry) objects(m *matter) []explain.Object {
	var all []explain.Object
	for _, f := range m.found {
		o := explain.Object{Object: f.object(), Resource: f.of.FullName()}
		o.Sure = f.told || f.matches && len(m.found) == 1 && m.fits <= 1 && (!m.searched || q.search.complete())
		all = append(all, o)
	}
	if len(all) > 0 {
		return all
	}
	for _, o := range m.no.Objects {
		named, resource := ofText(o)
		if q.Catalog != nil {
			if types := q.types(o, m.no); len(types) == 1 {
				named.APIVersion, named.Kind, resource = types[0].GroupVersion(), types[0].Kind, types[0].FullName()
			}
		}
		all = append(all, explain.Object{Object: named, Resource: resource, Sure: o.Name != "" && (o.Namespace != "" || q.clustered(o, m.no))})
	}
	return all
}

// clustered tells that an object is of a type without namespaces.
func (q *Inquiry) clustered(o refusal.Object, no refusal.Refusal) bool {
	if q.Catalog == nil {
		return false
	}
	types := q.types(o, no)
	return len(types) == 1 && !types[0].Namespaced
}

// ofText is an object, with the parts that the text has.
func ofText(o refusal.Object) (of check.Object, resource string) {
	of = check.Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
	if o.Version != "" {
		of.APIVersion = discovery.GroupVersion(o.Group, o.Version)
	}
	if resource = o.Resource; resource == "" {
		resource = strings.ToLower(o.Kind)
	}
	if o.Group != "" && resource != "" {
		resource += "." + o.Group
	}
	return of, resource
}

func ofSecrets(o refusal.Object) bool {
	return apipath.Collection(o.Group, o.Version, "", o.Resource).OfSecrets() || object.Holds("", o.Kind)
}

// found notes the result of the search.
func (t *telling) found() {
	if !t.searched {
		for _, f := range t.matter.found {
			if f.assumed && !f.matches {
				why := f.objectText() + " is the object with this name in the namespace " + f.namespace + "."
				if f.namespace == t.no.Around {
					why = "Fieldmark guesses the namespace " + f.namespace + ", because the controller's log line is about it."
				}
				t.addNote("The text names no namespace. " + why)
			}
		}
		return
	}
	s := &t.search
	t.addNote(fmt.Sprintf("The text names no object, so Fieldmark compared %s of %s with the managers and fields of the conflict. %s",
		words.Count(int64(s.objects), "object", "objects"), words.Count(int64(s.types), "type", "types"), fitting(t.fits)))
	if t.fits > len(t.matter.found) {
		t.addNote(fmt.Sprintf("The first %d are shown.", len(t.matter.found)))
	}
	if s.within != "" {
		t.addNote("Some types could be listed only in the namespace " + s.within + ".")
	}
	if len(s.leftOut) > 0 {
		const some = 5
		names := strings.Join(s.leftOut[:min(some, len(s.leftOut))], ", ")
		if more := len(s.leftOut) - some; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		t.addNote("Left out: " + names + ".")
	}
}

func fitting(n int) string {
	switch n {
	case 0:
		return "No object has all of these managers and fields."
	case 1:
		return "One object has all of these managers and fields."
	}
	return fmt.Sprintf("%d objects have all of these managers and fields.", n)
}
