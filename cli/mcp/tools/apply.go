package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// preview is the arguments of preview_apply.
type preview struct {
	target
	Manifest  string `json:"manifest"`
	Patch     string `json:"patch"`
	PatchType string `json:"patch_type"`
	Manager   string `json:"manager"`
	Details   bool   `json:"details"`
	Cursor    string `json:"cursor"`
}

// Bounds of what is previewed at once.
const (
	maxManifest   = 1 << 20 // bytes
	mostDocuments = 20
	mostFindings  = 20
	mostTakes     = 50
)

// outcome is what one write would do.
type outcome struct {
	object   check.Object
	before   map[string]any // nil: there is no such object
	after    map[string]any // nil: the write is refused, also with force
	no       *status.Status
	conflict bool // without force, the write is refused as a conflict
	takes    []Take
	removed  []string
	findings []check.Finding
}

func (d *desk) previewApply(ctx context.Context, in preview) (Answer, error) {
	switch {
	case len(in.Manifest) > maxManifest || len(in.Patch) > maxManifest:
		return Answer{}, sorry("The manifest is longer than 1 MiB. Preview its objects one by one.")
	case (in.Manifest == "") == (in.Patch == ""):
		return Answer{}, sorry("Give either a manifest, or a patch with the resource and the name of its object.")
	case in.Manager == "" || manager.Valid(in.Manager) != nil:
		return Answer{}, sorry("The API server would refuse this name of a manager. It has at most 128 printable characters, as in agent/claude.")
	}
	c, err := d.open(ctx, in.Cluster)
	if err != nil {
		return Answer{}, err
	}
	var all []outcome
	if in.Manifest != "" {
		all, err = d.manifest(ctx, c, in)
	} else {
		all, err = d.patched(ctx, c, in)
	}
	if err != nil {
		return Answer{}, err
	}
	return d.previewed(all, in)
}

// manifest is what an apply of each document of a manifest would do.
func (d *desk) manifest(ctx context.Context, c Cluster, in preview) ([]outcome, error) {
	documents, err := documentsOf(in.Manifest, first(in.Namespace, c.Namespace()))
	if err != nil {
		return nil, err
	}
	plan := &check.Plan{Manager: in.Manager, Contents: check.ContentsOf(documents), Body: source.Document.JSON}
	all := make([]outcome, len(documents))
	for i, one := range documents {
		for range mostTries {
			if all[i], err = d.applied(ctx, c, plan, one); err != nil {
				return nil, err
			}
			if all[i].steady() {
				break
			}
		}
	}
	return all, nil
}

// mostTries is how often a preview is made again because somebody else wrote to the object between two of its requests.
const mostTries = 3

// steady tells whether all responses are about the same version of the object. A dry run keeps the version that it started from.
func (o outcome) steady() bool {
	was, is := object.Object{Fields: o.before}, object.Object{Fields: o.after}
	return o.before == nil || o.after == nil || was.Meta("resourceVersion") == is.Meta("resourceVersion")
}

// documentsOf are the documents of a manifest, with their problems.
func documentsOf(text, namespace string) ([]check.Document, error) {
	var all []check.Document
	for _, piece := range source.Pieces(0, text) {
		parsed := piece.Parse()
		for i, one := range parsed.Documents {
			document := check.Document{File: "manifest", Source: one, Namespace: namespace}
			for _, p := range parsed.Problems {
				if p.Document == i {
					document.Problems = append(document.Problems, p)
				}
			}
			if all = append(all, document); len(all) > mostDocuments {
				return nil, sorry(fmt.Sprintf("The manifest has more than %d documents. Preview it in parts.", mostDocuments))
			}
		}
	}
	if len(all) == 0 {
		return nil, sorry("The manifest has no document. Give YAML or JSON with apiVersion, kind and metadata.name.")
	}
	return all, nil
}

// applied is what an apply of one document would do: as check finds it, and as the dry run with force shows it.
func (d *desk) applied(ctx context.Context, c Cluster, plan *check.Plan, of check.Document) (o outcome, err error) {
	served, err := servedType(ctx, c, of)
	if err != nil {
		return o, err
	}
	q := plan.Inquire(of, served)
	o.object = q.Document.Object()
	if _, asks := q.Next(); asks {
		q.Schema = c.Schema(ctx, served.Type)
	}
	for {
		ask, asks := q.Next()
		if !asks {
			break
		}
		r, err := c.Ask(ctx, ask)
		if err != nil && !ask.Trial {
			return o, failure{"There was no response from the API server. Try again later, or check the connection.", err.Error()}
		}
		if err != nil {
			r = check.Response{No: &status.Status{Message: err.Error()}}
		}
		o.take(ask, r)
		q.Take(r)
	}
	if q.Err != nil {
		return o, failure{"The manifest can't be sent.", q.Err.Error()}
	}
	var known ownership.Schema
	if q.Schema != nil {
		known = q.Schema.Knowledge()
	}
	if o.after != nil {
		o.takes = Takes(o.before, o.after, manager.Manager{Name: plan.Manager, Operation: manager.Apply})
		o.removed = stated(Removed(o.before, o.after, known), served.Type)
	}
	o.findings = q.Judge()
	return o, nil
}

// servedType is what discovery says of the type of a document.
func servedType(ctx context.Context, c Cluster, of check.Document) (s check.Served, err error) {
	if !of.Askable() {
		return s, nil
	}
	group, version := discovery.SplitGroupVersion(of.Source.APIVersion)
	for _, fresh := range []bool{false, true} {
		catalog, err := c.Catalog(ctx, fresh)
		if err != nil {
			return s, failure{"The types of the cluster can't be read.", err.Error()}
		}
		if t, found := catalog.Kind(group, version, of.Source.Kind); found {
			return check.Served{Type: t}, nil
		}
		if f, unread := catalog.Unread(group, version); unread {
			return check.Served{No: &status.Status{Message: f.Words()}}, nil
		}
	}
	return s, nil
}

// take remembers what the requests of a check have shown.
func (o *outcome) take(ask check.Ask, r check.Response) {
	switch {
	case ask.Trial:
	case ask.Method == http.MethodGet:
		o.before = r.Object
	case ask.Query.Get("force") == "true":
		o.after, o.no = r.Object, r.No
	case r.No != nil && r.No.ManagerConflict():
		o.conflict = true
	default: // without a conflict, a force changes nothing about the write
		o.after, o.no = r.Object, r.No
	}
}

// patchTypes are the media types of patches.
var patchTypes = map[string]string{"": patch.MergeType, "merge": patch.MergeType, "strategic": patch.StrategicType, "json": patch.JSONPatchType}

// patched is what a patch of an object would do. A patch is an update: it takes fields without asking.
func (d *desk) patched(ctx context.Context, c Cluster, in preview) ([]outcome, error) {
	if in.Resource == "" || in.Name == "" {
		return nil, sorry("A patch needs the resource and the name of its object.")
	}
	p, err := d.read(ctx, in.target)
	if err != nil {
		return nil, err
	}
	body := []byte(in.Patch)
	if !json.Valid(body) {
		parsed := source.Parse(in.Patch)
		if len(parsed.Documents) != 1 {
			return nil, sorry("The patch is neither JSON nor one YAML document.")
		}
		if body, err = parsed.Documents[0].JSON(); err != nil {
			return nil, failure{"The patch can't be read.", err.Error()}
		}
	}
	r, err := c.Ask(ctx, check.DryRun(p.path, patch.Request{Method: http.MethodPatch, Query: url.Values{"fieldManager": {in.Manager}}, ContentType: patchTypes[in.PatchType], Body: body}))
	if err != nil {
		return nil, failure{"There was no response from the API server. Try again later, or check the connection.", err.Error()}
	}
	o := outcome{object: check.Object{APIVersion: p.of.GroupVersion(), Kind: p.of.Kind, Namespace: p.path.Namespace, Name: p.path.Name}, before: p.object.Fields, after: r.Object, no: r.No}
	if r.Object != nil {
		var known ownership.Schema
		if p.schema != nil {
			known = p.schema.Knowledge()
		}
		o.takes = Takes(o.before, o.after, manager.Manager{Name: in.Manager, Operation: manager.Update, APIVersion: p.of.GroupVersion()})
		o.removed = stated(Removed(o.before, o.after, known), p.of)
	}
	return []outcome{o}, nil
}

// previewed is the answer about all documents.
func (d *desk) previewed(all []outcome, in preview) (a Answer, err error) {
	takes, removed, findings := []taking{}, []removal{}, []finding{}
	kinds := map[check.Kind]int{}
	conflicts, refused, created := 0, []string{}, 0
	for _, o := range all {
		of := reference{o.object.APIVersion, o.object.Kind, o.object.Namespace, o.object.Name}
		for _, t := range o.takes {
			takes = append(takes, taking{Take{cut(t.Path, 300), cut(t.From, 160), t.LastWrite}, of})
		}
		for _, path := range o.removed {
			removed = append(removed, removal{cut(path, 300), of})
		}
		for _, f := range o.findings {
			kinds[f.Kind]++
			if in.Details || !quiet[f.Kind] {
				findings = append(findings, d.found(f, in.Details))
			}
		}
		switch {
		case o.after == nil:
			refused = append(refused, cut(d.refusal(o), 600))
		case o.before == nil:
			created++
		}
		if o.conflict {
			conflicts++
		}
	}
	safe := len(refused) == 0 && len(takes) == 0 && len(removed) == 0
	a.Accepted, a.SafeToForce = yes(len(refused) == 0 && conflicts == 0), yes(safe)
	word := "A force"
	if in.Patch != "" {
		word = "The patch"
	}
	a.Says = digest(word, len(all), conflicts, len(refused), created, len(takes), len(removed))
	if len(kinds) > 0 {
		a.Says += " Findings: " + check.Tally(kinds) + "; details has all of them, with values and the texts of the ways out."
	}
	data := map[string]any{"tell_user": tell(in, takes, removed, refused)}
	some, err := page(findings, in.Cursor, mostFindings, &a)
	if err != nil {
		return a, err
	}
	data["findings"] = some
	data["would_take"] = takes[:min(len(takes), mostTakes)]
	data["would_remove"] = removed[:min(len(removed), mostTakes)]
	if len(takes) > mostTakes || len(removed) > mostTakes {
		a.Says += fmt.Sprintf(" The lists have the first %d of them.", mostTakes)
	}
	if len(refused) > 0 {
		data["refused"] = refused
	}
	a.Data = data
	return a, nil
}

// quiet are the findings that only details has: nobody loses anything by them.
var quiet = map[check.Kind]bool{check.Extra: true, check.Shared: true, check.Created: true, check.Server: true, check.Released: true}

// refusal is why a write is refused. Admission may quote secret values of the object.
func (d *desk) refusal(o outcome) string {
	switch {
	case o.no != nil:
		return d.Redact.Text(o.no.Message)
	case len(o.findings) > 0:
		return d.Redact.Text(o.findings[0].Why)
	}
	return "The document can't be applied."
}

// taking is a field that the write takes, with its object.
type taking struct {
	Take
	Object reference `json:"object"`
}

// removal is a value that the write removes.
type removal struct {
	Path   string    `json:"path"`
	Object reference `json:"object"`
}

// digest says in Fieldmark's own words what a write would do.
func digest(word string, documents, conflicts, refused, created, takes, removed int) string {
	says := []string{fmt.Sprintf("Nothing was written: these are dry runs of %s.", count(documents, "object", "objects"))}
	if conflicts > 0 {
		says = append(says, fmt.Sprintf("Without force, the API server refuses %d as conflicts.", conflicts))
	}
	if refused > 0 {
		says = append(says, fmt.Sprintf("The API server refuses %d, also with force.", refused))
	}
	if created > 0 {
		says = append(says, fmt.Sprintf("%d would be created.", created))
	}
	switch {
	case takes > 0:
		says = append(says, fmt.Sprintf("%s would take %s from other managers. Don't do it without your user's consent.", word, count(takes, "field", "fields")))
	case refused == 0:
		says = append(says, word+" would take no field from another manager.")
	}
	if removed > 0 {
		says = append(says, fmt.Sprintf("The write would remove %s.", count(removed, "value", "values")))
	}
	return strings.Join(says, " ")
}

// mostTold is how many fields the sentence for the user names.
const mostTold = 3

// tell is the sentence that an assistant can repeat to its user. It has names from the cluster.
func tell(in preview, takes []taking, removed []removal, refused []string) string {
	var says []string
	act := "Forcing this as " + in.Manager
	if in.Patch != "" {
		act = "Patching this as " + in.Manager
	}
	if len(refused) > 0 {
		says = append(says, "The API server refuses this: "+refused[0])
	}
	if len(takes) == 0 && len(removed) == 0 && len(refused) == 0 {
		return act + " takes no field from anybody and removes nothing."
	}
	for i, t := range takes {
		if i == mostTold {
			says = append(says, fmt.Sprintf("%s more would be taken.", count(len(takes)-i, "field", "fields")))
			break
		}
		when := ""
		if t.LastWrite != "" {
			when = ", who last wrote at " + t.LastWrite
		}
		says = append(says, fmt.Sprintf("%s takes %s of %s %s from %s%s.", act, t.Path, t.Object.Kind, t.Object.Name, t.From, when))
	}
	for i, r := range removed {
		if i == mostTold {
			says = append(says, fmt.Sprintf("%s more would be removed.", count(len(removed)-i, "value", "values")))
			break
		}
		says = append(says, fmt.Sprintf("It removes %s of %s %s.", r.Path, r.Object.Kind, r.Object.Name))
	}
	return strings.Join(says, " ")
}

// finding is a finding of check in an answer.
type finding struct {
	Finding string          `json:"finding"`
	Object  string          `json:"object"`
	Path    string          `json:"path,omitempty"`
	Line    int             `json:"line,omitempty"`
	Owners  []string        `json:"owners,omitempty"`
	Why     string          `json:"why,omitempty"`
	Live    json.RawMessage `json:"live,omitempty"`
	Stated  json.RawMessage `json:"stated,omitempty"`
	Ways    []way           `json:"ways,omitempty"`
}

// way is a way out of a finding.
type way struct {
	Way  string   `json:"way"`
	Text []string `json:"lines,omitempty"` // to paste
}

// linesOf are the lines of a text to paste, at most mostPasted.
func linesOf(text string) []string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range all {
		all[i] = cut(all[i], maxLine)
	}
	return all[:min(len(all), mostPasted)]
}

// mostPasted is how many lines of a text to paste an answer has.
const mostPasted = 60

// found is a finding. Without details, it has no values and no texts of its ways.
func (d *desk) found(f check.Finding, details bool) finding {
	one := finding{Finding: string(f.Kind), Object: f.Object.Kind + " " + cut(f.Object.Name, 253), Path: cut(f.Path, 300), Line: f.Line, Owners: ownerWords(f.Owners)}
	hide := d.hider(f.Path, f.Live, f.Stated)
	one.Why = cut(hide(f.Why), 600)
	for _, w := range f.Ways {
		out := way{Way: w.Words()}
		if details {
			out.Text = linesOf(hide(w.Text))
		}
		one.Ways = append(one.Ways, out)
	}
	if details {
		one.Live, one.Stated = d.value(f.Path, f.Live), d.value(f.Path, f.Stated)
	}
	return one
}

// credential tells whether the value at a path is a credential, by the names on the path.
func (d *desk) credential(path string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(`.[]="`, r) }), d.Redact.Names)
}

// value is a value at a path, without credentials.
func (d *desk) value(path string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	if clean, _, withheld := d.Redact.Body(v, "application/json", false); withheld == "" && !d.credential(path) && len(clean) <= 500 {
		return clean
	}
	mark, _ := json.Marshal(d.Redact.Mark) // a text can be written
	return mark
}

// hider takes credentials out of a text about values at a path.
func (d *desk) hider(path string, values ...json.RawMessage) func(string) string {
	if !d.credential(path) {
		return func(text string) string { return text }
	}
	var secrets []string
	for _, v := range values {
		var s string
		if json.Unmarshal(v, &s) == nil && s != "" {
			secrets = append(secrets, s)
		} else if len(v) > 2 {
			secrets = append(secrets, string(v))
		}
	}
	return func(text string) string {
		for _, s := range secrets {
			text = strings.ReplaceAll(text, s, d.Redact.Mark)
		}
		return text
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
