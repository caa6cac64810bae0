package check

import (
	"encoding/json"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// A way out of a refusal must not lead into the same refusal, so each is tried:
//
//	Judge ──▶ findings with ways ──▶ Trials ──▶ dry runs ──▶ Input.Tried ──▶ Judge again ──▶ findings with the ways that lead out
//
// Decision 0088 says which ways can't be tried.

// Trial is a way out as a request, to be sent as a dry run. A POST goes to the collection of the object, all else to the object or its subresource.
type Trial = patch.Request

// Key identifies a trial among the responses to trials.
func Key(t Trial) string {
	return t.Method + " " + t.Subresource + "?" + t.Query.Encode() + " " + t.ContentType + " " + string(t.Body)
}

// mostTrials is the most trials about one document.
const mostTrials = 6

// Trials are the dry runs that show which ways lead out of a refusal. Ways that were tried have none.
func Trials(findings []Finding) []Trial {
	var ways []Way
	for _, f := range findings {
		ways = append(ways, f.Ways...)
	}
	return TrialsOf(ways)
}

// TrialsOf are the dry runs that show which of the ways lead out of a refusal.
func TrialsOf(ways []Way) []Trial {
	var all []Trial
	known := map[string]bool{}
	for _, w := range ways {
		if w.Trial != nil && w.NotTried && !known[Key(*w.Trial)] && len(all) < mostTrials {
			known[Key(*w.Trial)] = true
			all = append(all, *w.Trial)
		}
	}
	return all
}

// Offered are the ways that may be offered. A way whose trial was refused isn't one of them, and a way without a response to its trial is marked.
func Offered(ways []Way, tried map[string]Response) []Way {
	var all []Way
	for _, w := range ways {
		if w.Trial != nil {
			heard := tried[Key(*w.Trial)]
			if heard.No != nil && !transient(*heard.No) {
				continue
			}
			w.NotTried = heard.Object == nil
		}
		all = append(all, w)
	}
	return all
}

// transient tells that the same request could be answered otherwise, at another time or to another user.
func transient(no status.Status) bool {
	_, denied := no.Denied()
	return denied || no.Code == 0 || no.Code == status.CodeUnauthorized || no.Code == status.CodeTooManyRequests ||
		no.Code == status.CodeConflict || no.Code >= status.CodeInternalError || no.NoDryRun()
}

// applied is the trial of an apply. It has force, so that conflicts with other managers don't hide what the way is about.
func (j *judgement) applied(fields any) *Trial {
	body, err := json.Marshal(fields)
	if err != nil || j.object.Name == "" || j.Document.Source.Root == nil {
		return nil
	}
	return &Trial{Method: "PATCH", ContentType: patch.ServerSideType, Query: url.Values{"fieldManager": {j.Manager}, "force": {"true"}}, Body: body}
}

// corrected is the trial of the manifest with the corrections of all findings together, because the server would refuse a manifest with only one.
func (j *judgement) corrected() *Trial {
	var fields any = j.Document.Source.Fields()
	for _, f := range j.findings {
		for _, c := range j.corrections(f) {
			found := j.unmaskedBlame(fields).Find(c.path)
			if len(found) == 0 {
				continue // deleted with the field around it
			}
			fields = source.Replaced(found[0], func(any) (any, bool) { return c.value, c.way == WayShare })
		}
	}
	return j.applied(fields)
}

// unmaskedBlame has the owners of an object's fields, without masks.
func (j *judgement) unmaskedBlame(fields any) *ownership.Blame {
	return ownership.Parse(j.Live.Object).On(manifest.Tree(fields), j.known())
}
