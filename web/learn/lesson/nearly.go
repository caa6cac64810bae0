package lesson

import (
	"cmp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// nearly is a request of kubectl that could be meant for the step's request, but differs.
type nearly struct {
	id    uint64 // in the wire log; older requests don't count any more
	at    block
	words []string // how it differs, and what to do
}

const nearWords = "The step does not count kubectl’s last request, because it differs from the request of the step."

// nearTo says how kubectl's last request differs from the request of a block. It is empty if there is no such request.
func (m Model) nearTo(at block) []string {
	if n := m.live.kubectl.near; n.at == at {
		return n.words
	}
	return nil
}

// akin tells whether a line of the wire log could be meant for the request of a block: it is about the same resource type. A request that only
// reads is never meant for one that writes, because many commands read first.
func (m Model) akin(line record.Line, at block) bool {
	r := m.block(at).Request
	want, err := m.pathOf(at)
	got, err2 := apipath.Parse(line.Path)
	return err == nil && err2 == nil && got.IsResource() && want.Group == got.Group && want.Resource == got.Resource &&
		(r.Reads() || !(lesson.Request{Method: line.Method}).Reads())
}

// pathOf is the path of the request of a block.
func (m Model) pathOf(at block) (apipath.Path, error) {
	target, err := m.live.vars.Expand(m.block(at).Request.Target)
	if err != nil {
		return apipath.Path{}, err
	}
	return apipath.Parse(path(target))
}

// mistakes are the differences of a recorded request from the request of a block, as sentences. They are empty if the step counts the request.
func (m Model) mistakes(e record.Entry, at block) []string {
	var all []string
	differences, same := m.differences(e.Line, at)
	for _, d := range append(differences, m.dryInBody(e, at)...) {
		all = append(all, differenceWords(d))
	}
	if !same {
		all = m.elsewhereWords(e.Line, at)
	}
	if words := patchWords(*m.block(at).Request, e); words != "" && (same || len(all) == 0) {
		all = append(all, words)
	}
	if undo := m.undoWords(e); len(all) > 0 && undo != "" {
		all = append(all, undo)
	}
	return all
}

// elsewhereWords say in what the path or the method of a line differs.
func (m Model) elsewhereWords(line record.Line, at block) []string {
	want, err := m.pathOf(at)
	got, err2 := apipath.Parse(line.Path)
	if err != nil || err2 != nil {
		return nil
	}
	method := m.block(at).Request.Method
	switch {
	case want.Namespace != got.Namespace && want.Namespace != "":
		return []string{"kubectl used " + cmp.Or(namespaceWords(got.Namespace), "all namespaces") + ". This step needs the namespace " + want.Namespace + ": add -n " + want.Namespace + "."}
	case method != line.Method:
		return []string{"kubectl sent a " + line.Method + ". This step needs a " + method + ". Compare your command with the one above."}
	case want.Name != got.Name && want.Name != "" && got.Name != "":
		return []string{"kubectl named the object " + got.Name + ". This step needs " + want.Name + "."}
	}
	return []string{"kubectl sent the request to " + line.Path + ". This step needs " + want.String() + "."}
}

func namespaceWords(name string) string {
	if name == "" {
		return ""
	}
	return "the namespace " + name
}

// patchWords say that a patch is of another kind than the step's. Without --server-side, kubectl apply sends a strategic merge patch.
func patchWords(want lesson.Request, e record.Entry) string {
	if want.Method != request.Patch || e.Method != request.Patch {
		return ""
	}
	kind := want.Field("Content-Type")
	switch got := e.Request.Get("Content-Type"); {
	case got == "" || got == kind:
		return ""
	case strings.HasPrefix(kind, "application/apply-patch"):
		return "kubectl sent no apply. Add --server-side to kubectl apply."
	default:
		return "kubectl sent " + got + ". This step needs " + kind + "."
	}
}

// undoWords say what a wrong command has changed, and how to undo that. They are empty if it has changed nothing.
func (m Model) undoWords(e record.Entry) string {
	a := sent.Request{Call: recordedCall(e, m.call("", lesson.Request{}))}
	written := lesson.Request{Method: e.Method, Target: e.Target(), Body: string(e.Request.Body)}
	o, isObject := a.Object()
	switch p, err := apipath.Parse(e.Path); {
	case err != nil || !a.Call.OK() || written.Reads() || written.Dry():
		return ""
	case e.Status == status.CodeCreated && p.Kind != apipath.KindSubresource && isObject && uidOf(o.Fields) != "":
		return createdWords(p, nameIn(&a), "")
	}
	return changedCluster
}

const changedCluster = "It has changed the cluster. If a check of this step fails now, let the page set up the step."

// createdWords say how to delete an object that a wrong command has created. The context is empty if it is the step's own.
func createdWords(p apipath.Path, name, context string) string {
	words := "It created an object. Delete the object: kubectl delete " + p.Resource + " " + name
	if p.Namespace != "" {
		words += " -n " + p.Namespace
	}
	if context != "" {
		words += " --context=" + context
	}
	return words + "."
}

// undoElsewhere says what a command in another context has changed. The page has only its line of the wire log, without the response.
func (m Model) undoElsewhere(line record.Line, context string) string {
	p, err := apipath.Parse(line.Path)
	r := lesson.Request{Method: line.Method, Target: line.Path + "?" + line.Query}
	switch {
	case err != nil || line.Status < status.CodeOK || line.Status >= 300 || r.Reads() || r.Dry():
		return ""
	case line.Status == status.CodeCreated && p.Kind != apipath.KindSubresource:
		return createdWords(p, cmp.Or(p.Name, "NAME"), context)
	case !m.beside(context):
		return "It has changed the cluster of that context. If that is this lesson’s cluster, and a check of this step fails now, let the page set up the step."
	}
	return changedCluster
}

// beside tells whether a context is surely one of this lesson's cluster: the viewer's, or the normal user's.
func (m Model) beside(context string) bool {
	return context == m.Viewer || context == m.Shell.Cluster.Slug
}

// otherContext says that kubectl used another context: the request is in that one's wire log. In the cluster of another context, people and their programs
// do other work, so only the very request of the step counts there.
func (m Model) otherContext(context string, line record.Line) {
	k := &m.live.kubectl
	for _, at := range m.awaited() {
		all, same := m.differences(line, at)
		if r := m.block(at).Request; !same && (!m.beside(context) || line.Method != r.Method || !m.akin(line, at)) {
			continue
		}
		words := []string{"kubectl used the context " + context + ". This step needs the context " + k.slug + ": add --context=" + k.slug + "."}
		for _, d := range all {
			words = append(words, differenceWords(d))
		}
		if undo := m.undoElsewhere(line, context); undo != "" {
			words = append(words, undo)
		}
		k.near = nearly{id: k.near.id, at: at, words: words}
	}
}

// differenceWords say how a parameter differs, and what to do.
func differenceWords(d lesson.Difference) string {
	want, got := d.Name+"="+d.Want, d.Name+"="+d.Got
	add, drop := option(d.Name, d.Want), option(d.Name, d.Got)
	switch {
	case d.Want == "" && drop != "":
		return "kubectl sent " + got + ". Leave out " + drop + "."
	case d.Want == "":
		return "kubectl sent " + got + ". The request of this step doesn’t have this parameter."
	case d.Got == "" && add != "":
		return "kubectl did not send " + want + ". Add " + add + " to the command."
	case d.Got == "":
		return "kubectl did not send " + want + "."
	case add != "":
		return "kubectl sent " + got + ". This step needs " + want + ": use " + add + "."
	}
	return "kubectl sent " + got + ". This step needs " + want + "."
}

// option is the option of kubectl for a value of a parameter; empty: there is none.
func option(name, value string) string {
	switch {
	case value == "":
		return ""
	case name == "fieldManager":
		return "--field-manager=" + value
	case name == "fieldValidation":
		return "--validate=" + strings.ToLower(value)
	case name == "dryRun" && value == "All":
		return "--dry-run=server"
	case name == "force" && value == "true":
		return "--force-conflicts"
	}
	return ""
}
