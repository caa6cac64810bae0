package inquiry

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
)

// telling writes one explanation.
type telling struct {
	*Inquiry
	*matter
	e       *explain.Explanation
	subject subject
	secret  bool // values must not be shown
}

// tellers has the function that explains each reason.
var tellers = map[refusal.Reason]func(*telling){
	refusal.Conflict:             (*telling).conflict,
	refusal.Modified:             (*telling).modified,
	refusal.Invalid:              (*telling).invalid,
	refusal.Immutable:            (*telling).immutable,
	refusal.Forbidden:            (*telling).forbidden,
	refusal.Denied:               (*telling).denied,
	refusal.WebhookFailed:        (*telling).webhookFailed,
	refusal.QuotaExceeded:        (*telling).quota,
	refusal.NotFound:             (*telling).notFound,
	refusal.Unserved:             (*telling).unserved,
	refusal.AlreadyExists:        (*telling).exists,
	refusal.NotAdopted:           (*telling).notAdopted,
	refusal.Expired:              (*telling).expired,
	refusal.Unauthorized:         (*telling).unauthorized,
	refusal.NotAcceptable:        (*telling).notAcceptable,
	refusal.UnsupportedMediaType: (*telling).mediaType,
	refusal.TooManyRequests:      (*telling).tooMany,
}

func (t *telling) explainReason() {
	if tell := tellers[t.no.Reason]; tell != nil {
		tell(t)
		return
	}
	t.e.What = "A request" + t.about() + " was refused."
	t.e.Why = "Fieldmark doesn't know this message, so only the server's own words are shown."
	if t.no.Code >= status.CodeInternalError {
		t.e.What, t.e.Why = "A request"+t.about()+" caused an error in the API server.", "The API server, or another server that it called, had an error. The request itself may be correct."
		t.way(explain.WayRetry, "Send the request again in a moment. If the error occurs again, read the API server's log.")
	}
}

func (t *telling) addNote(words string) { t.e.Notes = append(t.e.Notes, words) }

func (t *telling) way(way string, texts ...string) {
	for _, text := range texts {
		t.offer(check.Way{Way: way, Text: text})
	}
}

// untried adds a way out of a refusal that no dry run can try, because the user must choose a value.
func (t *telling) untried(way, text string) { t.offer(check.Way{Way: way, Text: text, NotTried: true}) }

func (t *telling) offer(w check.Way) {
	if w.Text != "" && !slices.ContainsFunc(t.e.Ways, func(other check.Way) bool { return other.Way == w.Way && other.Text == w.Text }) {
		t.e.Ways = append(t.e.Ways, w)
	}
}

// about names the object, or its type, to follow "a request".
func (t *telling) about() string {
	o := t.subject.object
	switch {
	case o.Name != "" && o.Kind != "":
		return " for " + worded(o)
	case o.Name != "":
		return " for " + strings.TrimSpace(t.subject.resource+" "+strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"))
	case t.subject.resource != "":
		return " for " + t.subject.resource
	}
	return ""
}

// kubectl is a command about the object; empty if the text doesn't tell enough.
func (t *telling) kubectl(verb string, rest ...string) string {
	o := t.subject.object
	if o.Name == "" || t.subject.resource == "" {
		return ""
	}
	words := "kubectl " + verb + " " + request.Named(t.subject.resource, o.Name)
	if o.Namespace != "" {
		words += " -n " + request.Quote(o.Namespace)
	}
	return strings.Join(append([]string{words}, rest...), " ") + "\n"
}

// file is the manifest's file for a command.
func (t *telling) file() string {
	switch {
	case t.subject.document != nil && t.subject.document.File != "":
		return request.Quote(t.subject.document.File)
	case t.no.File != "":
		return request.Quote(t.no.File)
	}
	return "FILE"
}

// judged returns the findings of a check for the refusal.
func (t *telling) judged(no status.Status) []check.Finding {
	in := check.Input{Plain: check.Response{No: &no}, Live: check.Response{Object: t.subject.live}, Schema: t.subject.schema, Manager: cmp.Or(t.e.Manager, managers[t.no.Tool], placeholder)}
	if d := t.subject.document; d != nil {
		in.Document = *d
	}
	s := &in.Document.Source
	o := t.subject.object
	if s.Name == "" {
		s.APIVersion, s.Kind, s.Name = o.APIVersion, o.Kind, o.Name
	}
	in.Document.Namespace = o.Namespace
	if in.Document.File == "" {
		in.Document.File = t.no.File
	}
	return check.Refused(in)
}

// fields adds the findings of a check for each field.
func (t *telling) fields(findings []check.Finding) {
	for i, f := range findings {
		if i == mostFields {
			t.addNote(strconv.Itoa(len(findings)-i) + " more fields are not shown.")
			break
		}
		why := f.Why
		if t.secret {
			why = masked(why)
		}
		t.e.Fields = append(t.e.Fields, explain.Field{Path: f.Path, Owners: f.Owners, Live: f.Live, Stated: f.Stated, Why: why})
		for _, w := range f.Ways {
			t.offer(w)
		}
	}
	order := []string{check.WayGiveUp, check.WayShare, check.WayCorrect, check.WayOverwrite, check.WayHandOver, check.WayRule}
	slices.SortStableFunc(t.e.Ways, func(a, b check.Way) int { return slices.Index(order, a.Way) - slices.Index(order, b.Way) })
}

// assume replaces the default manager of the tool if the live object gives a better one: the only manager that applies it and has no part
// in the conflict.
func (t *telling) assume() {
	if t.e.Manager != "" && !t.e.Assumed {
		return
	}
	var appliers []string
	for _, e := range ownership.Parse(t.subject.live).Entries {
		if e.Operation == ownership.Apply && !slices.ContainsFunc(t.no.Holdings(), func(h refusal.Holding) bool { return h.Same(e.Manager) }) {
			appliers = append(appliers, e.Name)
		}
	}
	if len(appliers) == 1 && appliers[0] != t.e.Manager {
		t.e.Manager, t.e.Assumed = appliers[0], true
		t.addNote("The text doesn't name the manager that was refused. Fieldmark assumes " + t.e.Manager + ", because no other manager applies this object.")
		return
	}
	switch {
	case t.e.Manager == "":
		t.addNote("The text doesn't name the manager of the apply. Replace " + placeholder + " with its name.")
	case t.e.Assumed:
		t.addNote("The text doesn't name the manager that was refused. Fieldmark assumes " + t.e.Manager + ", because it is the default manager of " + string(t.no.Tool) + ".")
	}
}

// conflict explains that an apply would change fields of other managers.
func (t *telling) conflict() {
	t.assume()
	no := status.Status{Code: status.CodeConflict, Reason: status.Conflict, Message: t.no.Message}
	var who []string
	for _, h := range t.no.Holdings() {
		if name := h.Words(); !slices.Contains(who, name) {
			who = append(who, name)
		}
		for _, path := range h.Paths {
			no.Causes = append(no.Causes, status.Cause{Reason: status.FieldManagerConflict, Field: path, Message: "conflict with " + status.WriteOwner(h.Owner)})
		}
	}
	as := ""
	if t.e.Manager != "" {
		as = " as " + t.e.Manager
	}
	whose := "other managers own."
	if last := len(who) - 1; last == 0 {
		whose = who[0] + " owns."
	} else if last > 0 {
		first := who[:min(len(who), manager.MostNamed)]
		whose = manager.Listed(first, len(who)-len(first)) + " own."
	}
	t.e.What = "An apply" + t.about() + as + " was refused: it would change fields that " + whose
	t.e.Why = "With server-side apply, the managers that set a field own it. An apply can change a field of another manager only by force."
	if len(no.Causes) > 0 {
		t.fields(t.judged(no))
	}
	t.ambiguous()
	t.ofTool()
	if t.no.Untold > 0 {
		t.addNote("The text was cut, so " + strconv.Itoa(t.no.Untold) + " more conflicts are missing.")
	}
}

// ambiguous says which paths of the text can be read in several ways.
func (t *telling) ambiguous() {
	for _, f := range t.no.Fields {
		if f.Several {
			t.addNote("The text has " + strconv.Quote(f.Path) + " more than once, so this is the path of several fields: names of fields can have dots, and paths don't quote them.")
		}
	}
}

// ofTool replaces the kubectl command that forces an apply with the setting of the tool.
func (t *telling) ofTool() {
	var text string
	switch t.no.Tool {
	case refusal.Terraform:
		text = "# Terraform: in the resource kubernetes_manifest\nfield_manager {\n  force_conflicts = true\n}\n"
	case refusal.KubectlProvider:
		text = "# Terraform: in the resource kubectl_manifest\nserver_side_apply = true\nforce_conflicts   = true\n"
	case refusal.Pulumi:
		text = "# Pulumi: in the resource\nmetadata:\n  annotations:\n    pulumi.com/patchForce: \"true\"\n"
	default:
		return
	}
	for i, w := range t.e.Ways {
		if w.Way == check.WayOverwrite {
			t.e.Ways[i].Text = text
		}
	}
}

// modified explains that an object has changed since it was read.
func (t *telling) modified() {
	if t.exported(status.Status{Code: status.CodeConflict, Message: t.no.Message}) {
		return
	}
	t.e.What = "A write" + t.about() + " was refused: the object has changed since it was read."
	t.e.Why = "The request has the resourceVersion that the writer has read. The API server has a newer version, so the write could undo a change that the writer hasn't seen."
	t.way(explain.WayCorrect, "If the manifest has metadata.resourceVersion, delete that line. Otherwise every run is refused. Force doesn't help.")
	t.way(explain.WayRetry, "Read the object again, make the change again, and send it. In Go, use retry.RetryOnConflict.")
	t.way(explain.WayLook, t.kubectl("get", "-o yaml --show-managed-fields"))
	t.lastWriters("wrote last")
}

// lastWriters says who wrote the live object last.
func (t *telling) lastWriters(did string) {
	entries := slices.Clone(ownership.Parse(t.subject.live).Entries)
	slices.SortStableFunc(entries, func(a, b ownership.Entry) int { return b.Written().Compare(a.Written()) })
	const some = 3
	for _, e := range entries[:min(some, len(entries))] {
		t.addNote(e.Words() + " " + did + " at " + e.Time + ".")
	}
}

// exists explains that the object exists already.
func (t *telling) exists() {
	t.e.What = "A create" + t.about() + " was refused: the object exists already."
	t.e.Why = "A create can only make a new object. An apply creates an object, or changes the existing one."
	t.way(explain.WayCorrect, "kubectl apply --server-side -f "+t.file()+"\n")
	t.way(explain.WayLook, t.kubectl("get", "-o yaml --show-managed-fields"))
	t.lastWriters("wrote it last")
}
