package check

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/typed"
	"github.com/fieldmark/fieldmark/words"
)

// broken judges a document that can't be read.
func (j *judgement) broken() {
	for _, p := range j.Document.Problems {
		switch {
		case p.Severity != source.Error:
		case strings.Contains(j.Document.Source.Text, "{{"):
			j.template(p.Start.Line)
			return // all other problems follow from the template
		default:
			j.addFinding(Finding{Kind: Invalid, Line: p.Start.Line, Why: p.Message})
		}
	}
	if len(j.findings) == 0 {
		j.addFinding(Finding{Kind: Invalid, Why: "The document can't be read as an object. Correct its YAML."})
	}
}

// kustomization judges a file of kustomize itself.
func (j *judgement) kustomization() {
	folder := path.Dir(slashes(j.Document.File))
	if j.Document.File == "-" || j.Document.File == "" {
		folder = "FOLDER"
	}
	folder = request.Quote(folder)
	j.object.Kind = cmp.Or(j.object.Kind, "Kustomization")
	j.addFinding(Finding{Kind: Invalid, Why: "This is a file of kustomize, not a manifest. No API server takes it. Check what kustomize builds from it, with fieldmark check -k " + folder +
		". Or check the output of kubectl kustomize " + folder + "."})
}

// template judges a document that a tool must render first.
func (j *judgement) template(line int) {
	j.addFinding(Finding{Kind: Invalid, Line: line, Why: "This is a template ({{ … }}). Render it first, for example with helm template, and check the result."})
}

// templated is the first field that names the object and has a template in it, which a tool must render first; empty if there is none.
func (d Document) templated() string {
	o := d.Object()
	for _, field := range [][2]string{{".apiVersion", o.APIVersion}, {".kind", o.Kind}, {".metadata.name", o.Name}, {".metadata.namespace", o.Namespace}} {
		if strings.Contains(field[1], "{{") {
			return field[0]
		}
	}
	return ""
}

// Askable tells whether requests about the document are possible. They are if the document can be read, no template is in its object's name or type,
// and a path can have its names.
func (d Document) Askable() bool {
	return !d.kustomization() && !d.unreadable() && d.templated() == "" && !d.misnames()
}

// unreadable tells that the document can't be read as an object.
func (d Document) unreadable() bool { return d.Source.Broken || d.Source.Fields() == nil }

// misnames tells whether the name or the namespace of the document's object can't be in the path of a request.
func (d Document) misnames() bool {
	field, _ := d.unfit()
	return field != ""
}

// unfit is the field with a name that can't be in a path, and what is wrong with the name.
func (d Document) unfit() (field, what string) {
	o := d.Object()
	if what := apipath.Unfit(o.Name); o.Name != "" && what != "" {
		return ".metadata.name", what
	}
	if what := apipath.UnfitNamespace(o.Namespace); o.Namespace != "" && what != "" {
		return ".metadata.namespace", what
	}
	return "", ""
}

func (j *judgement) misnamed() {
	field, what := j.Document.unfit()
	j.addFinding(Finding{Kind: Invalid, Path: field, Why: "No object can have this name, because it has " + what + ". No request was sent."})
}

// NotServed says that the cluster doesn't have a type.
func NotServed(kind, apiVersion string) string {
	return "No API server of this cluster serves " + kind + " in " + apiVersion + "."
}

// NotThere says that a namespace doesn't exist before another document is applied.
func NotThere(namespace string) string {
	return "The namespace " + namespace + " doesn't exist yet, so no dry run could be made."
}

func (j *judgement) unserved() {
	why := NotServed(j.object.Kind, j.object.APIVersion)
	if at := j.contents.definition(j.object); at != "" {
		why += " The document at " + at + " defines the type. Apply that document first, and check again."
	} else {
		why += " Install its CustomResourceDefinition, or correct apiVersion and kind."
	}
	j.addFinding(Finding{Kind: Unserved, Why: why + typed.DidYouMean(j.object.Kind, j.Kinds)})
}

// unpatched judges an object of a type that lacks the verb patch. said is what the server said to an apply, if one was tried.
func (j *judgement) unpatched(said string) {
	instead := " Leave the document out."
	if slices.Contains(j.Verbs, "create") {
		instead = " Leave the document out, and send it with kubectl create."
	}
	j.addFinding(Finding{Kind: Invalid, Path: j.stating(".kind"), Why: "The API server doesn't offer the verb patch for " + j.object.Kind + ", so it refuses each server-side apply." + instead + said})
}

// refusal says why the dry run, or the read before it, failed; nil if both succeeded.
func (j *judgement) refusal() *status.Status {
	switch {
	case j.Plain.No != nil:
		return j.Plain.No
	case !j.Plain.made():
		return &status.Status{Message: "The dry run was not made."}
	case j.Live.No != nil && !j.Live.missing():
		return j.Live.No
	case !j.Live.made():
		return &status.Status{Message: "The live object was not read."}
	}
	return nil
}

// refused judges a refusal of the dry run. The order of the cases matters, because several fit the same refusal:
//
//	1  conflict of managers      one finding for each field; then the forced dry run, if it was refused for another reason
//	2  by what the server says   the manifest or the type is wrong. The code alone misleads, because API servers send 500 for wrong types, too
//	3  by code                   the server didn't judge the manifest (permission, 429, 5xx, …), so the finding is Unknown
//	4  404                       the namespace doesn't exist; otherwise Invalid
//	5  everything else           Invalid
func (j *judgement) refused(no status.Status) {
	_, denied := no.Denied()
	switch {
	case no.ManagerConflict():
		j.contested(no)
		if j.Forced != nil && j.Forced.No != nil && !j.Forced.No.ManagerConflict() {
			j.refused(*j.Forced.No)
		}
	case j.exported(no): // it has added the findings
	case strings.Contains(no.Message, "failed to create typed patch object"):
		j.invalid(no)
	case strings.Contains(no.Message, "field not declared in schema"):
		j.undeclared(no)
	case no.Code == status.CodeMethodNotAllowed && no.Told:
		j.unpatched(" The server says: " + strings.TrimSuffix(j.clean(no.Message), ".") + ".")
	case denied, no.Code == 0, no.Code == status.CodeUnauthorized, no.Code == status.CodeTooManyRequests, no.Code == status.CodeMethodNotAllowed,
		no.Code == status.CodeUnsupportedMediaType, no.Code == status.CodeConflict, no.Code >= status.CodeInternalError, no.NoDryRun():
		j.unknown(no)
	case no.Is(status.NotFound):
		j.missing(no)
	default:
		j.invalid(no)
	}
}

// missing judges a 404. An apply creates a missing object, so its namespace doesn't exist.
func (j *judgement) missing(no status.Status) {
	in := j.object.Namespace
	definition, defined := j.contents.namespaces[in]
	at := definition.At()
	switch {
	case in == "" || !strings.HasPrefix(no.Message, "namespaces "+strconv.Quote(in)+" not found"):
		j.invalid(no)
		return
	case !defined:
		j.addFinding(Finding{Kind: Invalid, Path: j.stating(".metadata.namespace"), Lacks: in, Why: lacking(in, 0)})
		return
	}
	if j.contents.before(j.Document, definition) {
		j.addFinding(Finding{Kind: Invalid, Path: ".metadata.namespace", Why: "The namespace " + j.object.Namespace + " doesn't exist yet, and the document at " + at +
			" creates it only after this document. kubectl applies documents in their order, so the first apply fails. Move the namespace before this document."})
		return
	}
	j.addFinding(Finding{Kind: Created, Why: NotThere(j.object.Namespace) + " The document at " + at + " creates it."})
}

// stating is a path if the manifest has it, otherwise empty.
func (j *judgement) stating(path string) string {
	if len(j.Document.Source.Find(path)) > 0 {
		return path
	}
	return ""
}

// lacking are sentences about a namespace that doesn't exist.
func lacking(namespace string, others int) string {
	why := "The namespace " + namespace + " doesn't exist, so no dry run could be made."
	if others > 0 {
		why += " The same is true of " + words.Count(int64(others), "other document", "other documents") + " in this namespace."
	}
	return why + " Create it first: kubectl create namespace " + request.Quote(namespace)
}

// Lacking folds findings about a namespace that doesn't exist into the first of them.
type Lacking map[string]*lack

type lack struct {
	first  *Finding
	others int
}

// Fold removes the finding about a namespace from a document's findings if another document had it before, and counts it there. The caller must
// not move the findings that Fold returned before.
func (l Lacking) Fold(findings []Finding) []Finding {
	at := slices.IndexFunc(findings, func(f Finding) bool { return f.Lacks != "" })
	if at < 0 {
		return findings
	}
	namespace := findings[at].Lacks
	met := l[namespace]
	if met == nil {
		l[namespace] = &lack{first: &findings[at]}
		return findings
	}
	met.others++
	met.first.Why = lacking(namespace, met.others)
	return slices.Delete(findings, at, at+1)
}

// contested judges the fields of a conflict. Not every one becomes a Conflict. A field is Changed if the tool first folds the owners' entries into
// its own, and Taken if the apply has force.
func (j *judgement) contested(no status.Status) {
	for _, c := range change.Conflicts(no, change.Refused{Live: j.live, Sent: j.stated, Manager: j.me, Schema: j.Schema}) {
		owners := make([]ownership.Owner, 0, len(c.Owners))
		likely := ""
		for _, o := range c.Owners {
			owners = append(owners, o.Owner)
			if o.Likely.Controller && likely == "" {
				likely = " The owner will probably write its value again. " + o.Likely.Why
			}
		}
		f := Finding{Kind: Conflict, Path: c.Path, Owners: owners, field: field{parts: c.Parts, node: c.Node, ambiguous: c.Ambiguous}}
		owned := names(owners)
		if c.Claimed != "" {
			owned += " in " + owners[0].APIVersion + ", where it is " + c.Claimed
		}
		f.Why = "On the server, the field has another value, owned by " + owned + ". " + j.otherName(c.Path, owners) + j.same(c) + j.outcome(f) + likely
		switch {
		case j.tool.first(owners):
			f.Kind, f.Why = Changed, j.tool.how+" So the field only changes. A dry run conflicts with the older entry."+j.tool.unless
		case j.Force:
			f.Kind, f.Why = Taken, taken(owners)+likely
		case j.tool.all(owners):
			f.Why += " " + earlier(owners)
		}
		if c.Ambiguous {
			f.Why += " Other fields have the same path: this one is " + spelled(c.Parts) + "."
		}
		f.Why += constant(owners)
		j.addFinding(f)
	}
}

// otherName is a sentence about the name that a field of a conflict has in the version of the manifest, or of the object if there is no manifest. A
// server names the field as in the version of its owner, and doesn't say which version that is.
func (j *judgement) otherName(path string, owners []ownership.Owner) string {
	in, _ := j.live["apiVersion"].(string)
	if j.Document.Source.Root != nil {
		in = j.object.APIVersion
	}
	if len(owners) == 0 {
		return ""
	}
	if name := ownership.Spelled(j.object.Kind, owners[0].APIVersion, path, in); name != "" {
		return "The owner wrote " + owners[0].APIVersion + ". In " + in + ", the field is " + name + ". "
	}
	return ""
}

// spelled names the parts of a path one by one, as in "spec", "x.y".
func spelled(parts []string) string {
	names := make([]string, 0, len(parts))
	for _, part := range parts {
		names = append(names, strconv.Quote(strings.TrimPrefix(part, ".")))
	}
	return strings.Join(names, ", ")
}

// same is a sentence about two values that mean the same or look the same; empty if they don't.
func (j *judgement) same(c change.Conflict) string {
	if alike := c.Alike(); alike != "" && !j.secret {
		return alike + " "
	}
	return ""
}

// outcome is a sentence about the result of a conflict.
func (j *judgement) outcome(f Finding) string {
	switch {
	case j.resized(f):
		return "The API server refuses the apply, also with force: the resources of a Pod change only through its subresource resize."
	case j.Forced != nil && j.Forced.No != nil && !transient(*j.Forced.No):
		return "The API server refuses the apply. It refuses a forced apply, too, for another reason."
	case j.tool.forces:
		return j.Manager + " always applies with force, so it takes the field."
	}
	return "The API server refuses the apply, unless it is forced."
}

var (
	// badField finds the fields that strict decoding refuses.
	badField = regexp.MustCompile(`(unknown|duplicate) field "([^"]+)"`)
	// namedField finds the fields in a server's message, in quotes or as paths that begin with a dot.
	namedField = regexp.MustCompile(`"([^"]+)"|(\.[^\s:,]+)`)
)

// wholeObject is how validation names the whole object.
const wholeObject = "[]"

// invalid judges a manifest that the server refuses. If the server names fields, each becomes a finding. The names can be in three
// places: in errors of strict decoding, in causes, or in lines about wrong types. The first place with names counts. Without any, the whole message is one
// finding.
func (j *judgement) invalid(no status.Status) {
	if j.fields(no.Message) {
		return
	}
	said := false
	for _, c := range no.Causes {
		if c.Field == "" {
			continue
		}
		said = true
		if c.Field == wholeObject {
			j.addFinding(Finding{Kind: Invalid, Why: j.clean(c.Message)})
			continue
		}
		f := Finding{Kind: Invalid, Path: j.path(c.Field), Why: j.clean(c.Message), Line: j.Document.line(c.Field)}
		if j.sent != nil && j.stuckDefault(f) != nil {
			f.Why += ". The manifest doesn't have the field. It is a default that nobody owns, so no apply removes it."
		}
		j.addFinding(f)
	}
	if said {
		return
	}
	if j.typed(no.Message) {
		return
	}
	j.addFinding(Finding{Kind: Invalid, Path: j.namedPath(no.Message), Why: j.clean(no.Message)})
}

// namedPath is the first field of the manifest that a server's message names; empty if it names none.
func (j *judgement) namedPath(words string) string {
	for _, named := range namedField.FindAllStringSubmatch(words, -1) {
		if path := named[1] + named[2]; len(j.Document.Source.Find(path)) > 0 {
			return j.path(path)
		}
	}
	return ""
}

// undeclared judges an apply that needs the object in another version, whose schema lacks a field of it. API servers respond with 500, each time
// (kubernetes#111937).
func (j *judgement) undeclared(no status.Status) {
	j.addFinding(Finding{Kind: Invalid, Path: j.namedPath(no.Message), Why: "Another version of the type lacks a field of this object, so the API server can't compare the versions. " +
		"It refuses each such apply (kubernetes#111937). Add the field to the schema of every version, or remove the field from the object. The server says: " +
		strings.TrimSuffix(j.clean(no.Message), ".") + "."})
}

// typed judges fields with wrong types, if the server lists them, one in each line. It tells whether there are any.
func (j *judgement) typed(words string) bool {
	_, list, _ := strings.Cut(words, "errors:\n")
	said := false
	for line := range strings.Lines(list) {
		field, why, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && strings.HasPrefix(field, ".") {
			said = true
			j.addFinding(Finding{Kind: Invalid, Path: j.path(field), Why: j.clean(why)})
		}
	}
	return said
}

// meant asks whether another field was meant, if the schema has no field at a path. Empty: it has, or no name is similar.
func (j *judgement) meant(at string) string {
	if j.Schema == nil || at == "" {
		return ""
	}
	steps, err := schema.ParsePath(at)
	if err != nil {
		return ""
	}
	for i := range steps {
		if _, found := j.Schema.Field(steps[:i+1]); found {
			continue
		}
		var names []string
		for _, f := range j.Schema.Children(steps[:i]) {
			names = append(names, f.Path[len(f.Path)-1])
		}
		return typed.DidYouMean(steps[i], names)
	}
	return ""
}

// fields judges fields that strict decoding refuses. It tells whether there are any.
func (j *judgement) fields(words string) bool {
	found := badField.FindAllStringSubmatch(words, -1)
	for _, f := range found {
		why := "The type has no such field. The API server refuses it, or ignores it without strict validation."
		if f[1] == "duplicate" {
			why = "The manifest has the field twice."
		}
		j.addFinding(Finding{Kind: Invalid, Path: j.path(f[2]), Line: j.Document.line(f[2]), Why: why + " The server says: " + j.clean(f[0]) + "."})
	}
	return len(found) > 0
}

// warnings judges fields that the server ignores: the dry run's warnings, and fields that the text has twice.
func (j *judgement) warnings() {
	for _, w := range j.Plain.Warnings {
		j.fields(w.Text)
	}
	for _, p := range j.Document.Problems {
		if p.Twice() || p.Dropped() {
			j.addFinding(Finding{Kind: Invalid, Line: p.Start.Line, Why: p.Message})
		}
	}
}

// path writes a server's path, such as spec.containers[0].image, in the notation of managedFields.
func (j *judgement) path(field string) string {
	for _, n := range j.Document.Source.Find(field) {
		if same := nodeOf(j.sent, n); same != nil {
			return j.sent.Path(same)
		}
	}
	return "." + strings.TrimPrefix(field, ".")
}

// unknown judges a document without a dry run. If the live object is known, its managedFields still tell the owners of the manifest's fields.
func (j *judgement) unknown(no status.Status) {
	failed := "The dry run could not be made: "
	if j.Plain.No == nil && j.Plain.made() {
		failed = "The live object could not be read: "
	}
	why := failed + strings.TrimSuffix(j.clean(no.Message), ".") + "."
	if no.Code == status.CodeUnsupportedMediaType { // of the body, which is an apply
		f := feature.ServerSideApply
		why = f.Lacking() + " " + f.Since + " " + f.Instead
	}
	if no.NoDryRun() {
		why += " The configuration of the webhook doesn't say that it has no side effects. So nobody can predict this apply, which may succeed."
	}
	if j.live == nil {
		j.addFinding(Finding{Kind: Unknown, Why: why})
		return
	}
	j.addFinding(Finding{Kind: Unknown, Why: why + " The other findings come from managedFields alone."})
	j.contests(j.before.Root, j.sent.Root)
}

// contests finds fields that other managers own with other values than the manifest's.
func (j *judgement) contests(was, sent *manifest.Node) {
	for _, pair := range ownership.Counterparts(j.before, j.sent, was, sent) {
		if pair.Old == nil || pair.New == nil || housekept(j.before.Path(pair.Old)) {
			continue
		}
		if whole, ok := j.before.Whole(pair.Old); len(pair.Old.Children) > 0 && !(ok && whole) {
			j.contests(pair.Old, pair.New)
			continue
		}
		others := without(j.before.Owners(pair.Old), j.me)
		if len(others) > 0 && string(written(pair.Old.Value)) != string(written(pair.New.Value)) {
			j.addFinding(Finding{Kind: Unknown, Path: j.before.Path(pair.Old), Owners: others, Why: "On the server, the field has another value, owned by " +
				names(others) + ". " + j.same(change.Conflict{Sent: true, Held: true, YourValue: pair.New.Value, LiveValue: pair.Old.Value}) + "The apply would probably conflict."})
		}
	}
}

// clean removes secret values from a server's message, which may quote the manifest.
func (j *judgement) clean(words string) string {
	if j.hides == nil {
		j.hides = map[string]bool{}
		j.secrets(func(secret string) { j.hides[secret] = true })
	}
	return object.Hushed(words, j.hides)
}

// secrets visits the values of all versions of the object that masking replaced.
func (j *judgement) secrets(visit func(string)) {
	object.Secrets(j.Document.Source.Fields(), j.stated, visit)
	object.Secrets(j.Live.Object, j.live, visit)
	object.Secrets(j.would(), j.predicted, visit)
}
