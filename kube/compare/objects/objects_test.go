package objects

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// made is an object as an API server sends it, with one manager for its data.
func made(kind, uid, manager, data string) string {
	owned := map[string]any{"f:data": map[string]any{}}
	var values map[string]any
	_ = json.Unmarshal([]byte(data), &values)
	for name := range values {
		owned["f:data"].(map[string]any)["f:"+name] = map[string]any{}
	}
	fields, _ := json.Marshal(owned)
	return fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"metadata":{"name":"web","namespace":"shop","uid":%q,"resourceVersion":%q,"managedFields":[
		{"manager":%q,"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":%s,"time":"2026-01-02T03:04:05Z"}]},"data":%s}`,
		kind, uid, uid, manager, fields, data)
}

func response(body string) compare.Response { return compare.Response{Status: 200, Body: []byte(body)} }

// drawn writes the differences, a field in a line.
func drawn(p *Pair) string {
	if p == nil {
		return "none"
	}
	names := func(owners []ownership.Owner) string {
		var all []string
		for _, o := range owners {
			all = append(all, o.Words())
		}
		return strings.Join(all, "+")
	}
	var all []string
	for _, f := range p.Fields {
		all = append(all, fmt.Sprintf("%s %s %s by %s | %s by %s", f.Path, f.What, f.Left.Value, names(f.Left.Owners), f.Right.Value, names(f.Right.Owners)))
	}
	return strings.Join(append(all, fmt.Sprintf("%d values, %d owners, %d vary", p.Values, p.Owners, p.Varies)), "\n")
}

func TestTwoObjects(t *testing.T) {
	for name, c := range map[string]struct{ left, right, want string }{
		"the same": {made("ConfigMap", "1", "helm", `{"a":"b"}`), made("ConfigMap", "1", "helm", `{"a":"b"}`), "0 values, 0 owners, 0 vary"},
		"what always differs": {
			made("ConfigMap", "1", "helm", `{"a":"b"}`), made("ConfigMap", "2", "helm", `{"a":"b"}`), "0 values, 0 owners, 2 vary",
		},
		"a value, with its owners": {
			made("ConfigMap", "1", "helm", `{"a":"b"}`), made("ConfigMap", "1", "argocd", `{"a":"c"}`),
			".data.a changes \"b\" by helm (Apply) | \"c\" by argocd (Apply)\n1 values, 0 owners, 0 vary",
		},
		"equal values of other owners": {
			made("ConfigMap", "1", "helm", `{"a":"b"}`), made("ConfigMap", "1", "argocd", `{"a":"b"}`),
			".data.a  \"b\" by helm (Apply) | \"b\" by argocd (Apply)\n0 values, 1 owners, 0 vary",
		},
		"a field of one of them": {
			made("ConfigMap", "1", "helm", `{"a":"b"}`), made("ConfigMap", "1", "helm", `{"a":"b","c":"d"}`),
			".data.c only  by  | \"d\" by helm (Apply)\n1 values, 0 owners, 0 vary",
		},
		"the other has it": {
			made("ConfigMap", "1", "helm", `{"a":"b","c":"d"}`), made("ConfigMap", "1", "helm", `{"a":"b"}`),
			".data.c only \"d\" by helm (Apply) |  by \n1 values, 0 owners, 0 vary",
		},
		"a list":      {`{"kind":"ConfigMapList","metadata":{},"items":[]}`, `{"kind":"ConfigMapList","metadata":{},"items":[]}`, "none"},
		"not JSON":    {"kind: ConfigMap", "kind: ConfigMap", "none"},
		"one is none": {made("ConfigMap", "1", "helm", `{}`), `{"kind":"Status","code":404}`, "none"},
	} {
		if got := drawn(Of(response(c.left), response(c.right))); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
	whole, cut, refused := response(made("ConfigMap", "1", "helm", `{}`)), response(made("ConfigMap", "1", "helm", `{}`)), response(made("ConfigMap", "1", "helm", `{}`))
	cut.Cut, refused.Status = true, 403
	for _, other := range []compare.Response{cut, refused} {
		if Of(whole, other) != nil || Of(other, whole) != nil {
			t.Errorf("compared with a response that is no whole object: %+v", other)
		}
	}
}

// The comparison goes into documents, so it has no secret value: not of a Secret, not of a copy in an annotation, and not of what calls itself otherwise.
func TestSecretsAreHidden(t *testing.T) {
	secret, other := made("Secret", "1", "helm", `{"key":"`+canary.Coded+`"}`), made("Secret", "1", "helm", `{"key":"YWJj"}`)
	p := Of(response(secret), response(other))
	text, err := json.Marshal(p)
	if err != nil || p == nil || p.Values != 1 {
		t.Fatal(drawn(p), err)
	}
	if canary.Escapes(string(text)) {
		t.Errorf("a secret value is shown: %s", text)
	}
	if !strings.Contains(string(text), "hidden") {
		t.Errorf("no word of what is hidden: %s", text)
	}
	liar := response(strings.Replace(secret, `"Secret"`, `"ConfigMap"`, 1))
	liar.Secret = true
	if Of(liar, liar) != nil {
		t.Error("compared what came from the path of Secrets, and is no Secret")
	}
}

func TestManyFields(t *testing.T) {
	var left, right []string
	for i := range MostFields + 10 {
		left, right = append(left, fmt.Sprintf(`"k%d":"a"`, i)), append(right, fmt.Sprintf(`"k%d":"b"`, i))
	}
	p := Of(response(made("ConfigMap", "1", "helm", "{"+strings.Join(left, ",")+"}")), response(made("ConfigMap", "1", "helm", "{"+strings.Join(right, ",")+"}")))
	if p == nil || len(p.Fields) != MostFields || p.Values != MostFields+10 || p.More() != 10 {
		t.Error(drawn(p))
	}
}
