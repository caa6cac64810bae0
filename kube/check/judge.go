package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Judge returns the findings about an apply of one document, the worst first.
func Judge(in Input, contents Contents) []Finding {
	j := startJudging(in, contents)
	switch {
	case in.Document.kustomization():
		j.kustomization()
	case in.Document.unreadable():
		j.broken()
	case contents.beyond(in.Document):
		j.addFinding(Finding{Kind: Invalid, Why: fmt.Sprintf("The input has more than %d documents about this object. Fieldmark checks the first %d, because each is compared with all others. It didn't check this one.", mostAlike, mostAlike)})
	case in.Document.templated() != "":
		j.template(in.Document.line(in.Document.templated()))
	case in.Document.misnames():
		j.misnamed()
	case in.Unserved:
		j.unserved()
	case in.Unpatched():
		j.unpatched("")
	case in.Document.elsewhere():
		j.addFinding(Finding{Kind: Invalid, Path: ".metadata.namespace", Why: "The manifest has the namespace " + in.Document.Source.Namespace + ", and the command has --namespace=" + in.Document.Namespace +
			". kubectl refuses that. Leave out the option, or change the manifest."})
	case in.Document.Source.Name == "" && in.Document.Source.GenerateName != "":
		j.addFinding(Finding{Kind: Invalid, Path: ".metadata.generateName", Why: "An apply needs the name of its object. Use kubectl create for a manifest with generateName."})
	default:
		j.answered()
	}
	return j.finishFindings()
}

// Refused judges an apply that somebody else sent and the server refused. Plain is the refusal. The document's text and the live object may be
// missing; then the findings say less.
func Refused(in Input) []Finding {
	j := startJudging(in, Contents{})
	j.lay()
	if in.Plain.No.ManagerConflict() {
		j.tool.later, j.tool.forces = true, false // the apply did conflict, so the tool didn't force it or fold entries before
		j.contested(*in.Plain.No)
	} else if !j.exported(*in.Plain.No) {
		j.invalid(*in.Plain.No)
	}
	return j.finishFindings()
}

func startJudging(in Input, contents Contents) *judgement {
	in.Document = in.Document.readSource()
	return &judgement{Input: in, contents: contents, object: in.Document.Object(), me: applier(in.Manager), tool: toolOf(in.Manager, recorded(in)), seen: map[string]bool{}, around: map[string]bool{}}
}

// finishFindings sorts the findings and adds the ways out of each.
func (j *judgement) finishFindings() []Finding {
	Sort(j.findings)
	for i, f := range j.findings {
		if j.sent != nil {
			j.findings[i].Ways = Offered(j.ways(f), j.Tried)
		}
		j.findings[i].field = field{} // it holds the whole manifest
		j.findings[i].placeIn(j.Document)
	}
	return j.findings
}

// judgement is the state while one document is judged.
type judgement struct {
	Input
	contents Contents
	object   Object
	me       ownership.Manager
	tool     tool // the tool that applies as the manager

	live, predicted, stated map[string]any   // masked
	before, after, sent     *ownership.Blame // of these three
	hides                   map[string]bool  // secret texts that no message may have; nil: not collected yet
	secret                  bool             // the object has secrets, so that no text may quote it
	knowledge               *schema.Knowledge

	findings []Finding
	seen     map[string]bool     // paths that a finding is about
	together map[string][]string // all paths of a finding about several shared fields, by its first path
	around   map[string]bool     // paths of what is around them
	others   []*ownership.Blame  // the other documents about the same object; nil: not read yet
	reread   int                 // how many bytes were read again for patches
}

// would is the object after the apply, as a dry run predicts it; nil if no dry run succeeded.
func (in Input) would() map[string]any {
	switch {
	case in.Plain.No == nil:
		return in.Plain.Object
	case in.Forced != nil && in.Forced.No == nil:
		return in.Forced.Object
	}
	return nil
}

func (j *judgement) answered() {
	j.lay()
	j.warnings()
	if no := j.refusal(); no != nil {
		j.refused(*no)
	}
	if j.would() != nil && (j.live != nil || j.Live.missing()) {
		j.compare()
	}
	if j.live != nil && !j.Document.hook() {
		j.unstated()
		if j.predicted != nil {
			j.shared()
		}
	}
	if (j.live != nil || j.Live.missing()) && !j.Document.hook() {
		j.repeated()
	}
}

// lay finds the owners of all fields in the three versions of the object.
func (j *judgement) lay() {
	j.live, j.predicted, j.stated = masked(j.Live.Object, j.would(), object.Object{Fields: j.Document.Source.Fields()}.Encoded().Fields)
	known := j.known()
	on := func(record, o map[string]any) *ownership.Blame {
		if o == nil { // an object that doesn't exist has no fields
			o = map[string]any{}
		}
		return ownership.Parse(record).On(manifest.Tree(object.Object{Fields: o}.WithoutManagedFields().Fields), known)
	}
	shown := j.predicted
	if shown == nil {
		shown = j.live
	}
	j.before, j.after, j.sent = on(j.live, j.live), on(shown, shown), on(shown, j.stated)
	j.secret = object.Holds(j.object.APIVersion, j.object.Kind)
	j.secrets(func(string) { j.secret = true })
}

// addFinding adds a finding, with its object, file, line and values.
func (j *judgement) addFinding(f Finding) {
	if f.parts != nil {
		f.ambiguous = f.ambiguous || len(j.before.Readings(f.Path)) > 1 || len(j.after.Readings(f.Path)) > 1
		for i := len(f.parts); f.node == nil && f.around == nil; i-- {
			if f.around = j.sent.At(f.parts[:i]); i == len(f.parts) {
				f.node = f.around
			}
		}
	}
	if f.Path != "" && j.seen[placeOf(f)] {
		return
	}
	j.markSeen(f)
	if meant := j.meant(f.Path); f.Kind == Invalid && meant != "" {
		f.Why = strings.TrimSuffix(f.Why, ".") + "." + meant
	}
	f.Object = j.object
	if f.File == "" {
		f.File = j.Document.File
	}
	if f.Line == 0 && f.Folder == "" {
		f.Line = j.Document.lineOf(f)
	}
	switch {
	case j.sent == nil || f.Path == "":
	case f.parts != nil:
		f.Live, f.Stated = valueOf(j.before.At(f.parts)), valueOf(j.sent.At(f.parts))
	default:
		f.Live, f.Stated = valueAt(j.before, f.Path), valueAt(j.sent, f.Path)
	}
	j.findings = append(j.findings, f)
}

// markSeen notes the field of a finding: each field that its path can mean, if only that is known.
func (j *judgement) markSeen(f Finding) {
	j.seen[placeOf(f)] = f.Path != ""
	fields := [][]string{f.parts}
	if f.parts == nil {
		fields = nil
		for _, b := range []*ownership.Blame{j.before, j.after, j.sent} {
			if b != nil && f.Path != "" {
				fields = append(fields, b.Readings(f.Path)...)
			}
		}
	}
	for _, parts := range fields {
		j.seen[key(parts)] = true
		for i := range parts {
			j.around[key(parts[:i])] = true
		}
	}
}

// placeOf is the field of a finding as a key, or its path if only that is known.
func placeOf(f Finding) string {
	if f.parts == nil {
		return f.Path
	}
	return key(f.parts)
}

// key is a key of steps that lead to a field. Names of fields can have any character, so the steps can't be joined without marks.
func key(parts []string) string { return fmt.Sprintf("%q", parts) }

// covered tells whether a finding is about a field, or about one around it.
func (j *judgement) covered(parts []string) bool {
	for i := range parts {
		if j.seen[key(parts[:i+1])] {
			return true
		}
	}
	return false
}

// within tells whether a finding is about a field inside another one.
func (j *judgement) within(parts []string) bool { return j.around[key(parts)] }

// valueAt is the value at a path, as JSON; nil if there is none.
func valueAt(b *ownership.Blame, path string) json.RawMessage {
	for _, n := range b.Find(path) {
		return written(n.Value)
	}
	return nil
}

func valueOf(n *manifest.Node) json.RawMessage {
	if n == nil {
		return nil
	}
	return written(n.Value)
}

func written(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return nil // a decoded value can always be written
	}
	return text
}

// names lists owners in a sentence.
func names(owners []ownership.Owner) string { return manager.Names(owners) }

func without(owners []ownership.Owner, m ownership.Manager) []ownership.Owner {
	return slices.DeleteFunc(slices.Clone(owners), func(o ownership.Owner) bool { return o.Same(m) })
}

func owns(owners []ownership.Owner, m ownership.Manager) bool {
	return slices.ContainsFunc(owners, func(o ownership.Owner) bool { return o.Same(m) })
}
