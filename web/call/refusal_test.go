package call

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

func TestRefusal(t *testing.T) {
	for name, c := range map[string]struct {
		no          status.Status
		title, says string
	}{
		"no answer":                            {status.Status{Message: "x"}, "No response", "may or may not"},
		"forbidden":                            {status.Status{Code: 403, Reason: "Forbidden", Message: `configmaps "a" is forbidden: User "eve" cannot delete resource "configmaps" in API group "" in the namespace "shop"`}, "You don’t have permission", "delete configmaps"},
		"invalid":                              {status.Status{Code: 422, Reason: "Invalid", Kind: "Pod", Message: "x"}, "The object is invalid", ""},
		"a parameter is invalid":               {status.Status{Code: 422, Reason: "Invalid", Kind: "ListOptions", Message: "x", Told: true}, "A parameter of the request is invalid", ""},
		"a test of a JSON Patch failed":        {status.Parse(422, []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server rejected our request due to an error in our request","reason":"Invalid","details":{},"code":422}`)), "The patch can’t be applied to the object", ""},
		"gone":                                 {status.Status{Code: 404, Reason: "NotFound", Message: "x"}, "The object no longer exists", ""},
		"no dry run":                           {status.Status{Code: 400, Reason: "BadRequest", Message: "admission webhook does not support dry run"}, "The dry run isn’t possible", "webhook"},
		"signed out":                           {status.Status{Code: 401, Reason: "Unauthorized", Message: "Your sign-in has expired.", Told: true}, "You’re signed out", "Your sign-in has expired. Fieldmark sent nothing"},
		"a token that the server doesn't take": {status.Status{Code: 401, Reason: "Unauthorized", Message: "Unauthorized", Told: true}, "The API server refused the request", ""},
		"else":                                 {status.Status{Code: 409, Reason: "Conflict", Message: "x"}, "The API server refused the request", ""},
	} {
		if strings.Contains(c.title, "patch") && !strings.HasPrefix(Meaning(&c.no).Words, "A test in a JSON Patch failed") {
			t.Errorf("%s: it means %+v", name, Meaning(&c.no))
		}
		if got := Refusal(&c.no); got.Title != c.title || !strings.Contains(got.Words+" "+got.Advice, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
