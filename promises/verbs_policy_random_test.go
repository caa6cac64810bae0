package promises

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
)

// policed writes to ConfigMaps on which both policies look, and knows what they must say.
type policed struct {
	hookScene
	base   *url.URL
	client *http.Client
	caught map[string]int // by what the policies must do and did
}

// policyManagers are names with which the policies must do. The empty one is a client that names no manager.
var policyManagers = []string{
	"agent/policy-r", `agent/policy-o'brien "q"`, "agent/policy-a,b", "agent/policy-é日本", "agent/policy-" + strings.Repeat("x", 128-len("agent/policy-")), `agent/policy-\n${x}`,
	`odd'"\name 1`, "agent/policy", "ada lovelace", "argocd-controller", "kubectl", "kubectl2", "",
}

// objectFields is the part of an object that the test looks at.
type objectFields struct {
	Metadata struct {
		ResourceVersion string
		ManagedFields   []struct {
			Manager, Operation, Subresource, Time string
			FieldsV1                              map[string]any
		}
	}
}

// policedName tells whether the policies of the test are about a manager.
func policedName(by string) bool {
	return strings.HasPrefix(by, "agent/policy-") || strings.HasPrefix(by, `odd'"\name`)
}

// ask sends a request, and returns the status code, the body and the warnings.
func (p policed) ask(method, path, contentType, by string, force bool, body string) (code int, text []byte, warnings string) {
	p.Helper()
	u := *p.base
	u.Path = "/api/v1/namespaces/" + p.namespace + "/configmaps" + path
	query := url.Values{}
	if by != "" && method != http.MethodGet {
		query.Set("fieldManager", by)
	}
	if force {
		query.Set("force", "true")
	}
	u.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(p.Context(), method, u.String(), strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("User-Agent", "somebody/1")
	response, err := p.client.Do(r)
	if err != nil {
		p.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if text, err = io.ReadAll(response.Body); err != nil {
		p.Fatal(err)
	}
	return response.StatusCode, text, strings.Join(response.Header["Warning"], "\n")
}

// claims are who owns which field: "manager|operation" and the path.
func (o objectFields) claims() map[[2]string]bool {
	all := map[[2]string]bool{}
	for _, m := range o.Metadata.ManagedFields {
		leaves(m.FieldsV1, "", func(path string) { all[[2]string{m.Manager + "|" + m.Operation, path}] = true })
	}
	return all
}

// applied is the entry of a manager's applies, as a text.
func (o objectFields) applied(by string) string {
	for _, m := range o.Metadata.ManagedFields {
		if m.Manager == by && m.Operation == "Apply" {
			return fmt.Sprint(m.Time, m.FieldsV1)
		}
	}
	return ""
}

// lostBy are the managers that a write took something from.
func lostBy(before, after objectFields, by, operation string) (all []string) {
	now := after.claims()
	for claim := range before.claims() {
		name, _, _ := strings.Cut(claim[0], "|")
		if !now[claim] && claim[0] != by+"|"+operation && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// write sends one random write, and compares the warnings with what the write took.
func (p policed) write(r *rand.Rand, name string) {
	p.Helper()
	by := policyManagers[r.IntN(len(policyManagers))]
	key, value := string(rune('a'+r.IntN(3))), fmt.Sprint(r.IntN(3))
	_, text, _ := p.ask(http.MethodGet, "/"+name, "", "", false, "")
	var before objectFields
	if err := json.Unmarshal(text, &before); err != nil {
		p.Fatal(err)
	}
	existed := before.Metadata.ResourceVersion != ""
	data, _ := json.Marshal(map[string]string{key: value})
	manifest := func(more string) string {
		return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"` + more + `},"data":` + string(data) + `}`
	}
	var code int
	var warnings string
	how := []string{"apply", "force", "force", "put", "application/merge-patch+json", "application/json-patch+json", "application/strategic-merge-patch+json", "delete"}[r.IntN(8)]
	operation := "Update"
	switch how {
	case "apply", "force":
		if operation = "Apply"; by == "" {
			return // the API server refuses it
		}
		code, text, warnings = p.ask(http.MethodPatch, "/"+name, "application/apply-patch+yaml", by, how == "force", manifest(""))
	case "put":
		code, text, warnings = p.ask(http.MethodPut, "/"+name, "application/json", by, false, manifest(`,"resourceVersion":"`+before.Metadata.ResourceVersion+`"`))
	case "application/json-patch+json":
		code, text, warnings = p.ask(http.MethodPatch, "/"+name, how, by, false, `[{"op":"add","path":"/data/`+key+`","value":"`+value+`"}]`)
	case "delete":
		if r.IntN(4) > 0 {
			return
		}
		path := []string{"/" + name, ""}[r.IntN(2)] // one, or the collection
		if code, _, warnings = p.ask(http.MethodDelete, path, "application/json", by, false, ""); code != http.StatusOK && code != http.StatusNotFound || strings.Contains(warnings, "ValidatingAdmissionPolicy") {
			p.Errorf("a deletion is %d %s", code, warnings)
		}
		return
	default:
		code, text, warnings = p.ask(http.MethodPatch, "/"+name, how, by, false, `{"data":`+string(data)+`}`)
	}
	var after objectFields
	if code < http.StatusBadRequest {
		if err := json.Unmarshal(text, &after); err != nil {
			p.Fatal(err)
		}
	}
	done := code < http.StatusBadRequest && existed
	lost := lostBy(before, after, by, operation)
	if before.applied(by) != after.applied(by) || len(lost) == 0 || operation == "Update" { // docs/policy.md: within a second, the policy may see no apply
		p.judged(done && operation == "Apply" && policedName(by) && len(lost) > 0, strings.Contains(warnings, "fieldmark-forced-applies"), fmt.Sprintf("%s by %s, taken from %q", how, by, lost), warnings+was(before, after))
	}
	owned := before.applied("argocd-controller") != ""
	p.judged(done && owned && (policedName(by) || by == "kubectl"), strings.Contains(warnings, "fieldmark-gitops-objects"), how+" by "+by, warnings)
}

// was are the records of owners before and after a write.
func was(before, after objectFields) string {
	a, _ := json.Marshal(before.Metadata.ManagedFields)
	b, _ := json.Marshal(after.Metadata.ManagedFields)
	return fmt.Sprintf("\nbefore %s\nafter %s", a, b)
}

// judged compares what a policy must do with what it did.
func (p policed) judged(must, did bool, what, warnings string) {
	p.Helper()
	p.caught[fmt.Sprint(must, did)]++
	if must != did {
		p.Errorf("%s: must be caught: %v, is caught: %v: %s", what, must, did, warnings)
	}
}

// TestPoliciesAgainstRandomWrites: the policies catch each write that takes something, and no other: applies with and without force, through the path that
// creates, updates and all kinds of patches, and deletions, by managers with odd names.
func TestPoliciesAgainstRandomWrites(t *testing.T) {
	to, transport := reach(t, practiceKubeconfig(t))
	s := newPolicyScene(t, "policy-random", "forced-applies", "--managers", `agent/policy-*,"odd'""\name*"`, "--types", "configmaps")
	_, out, _ := onInput(t, "", os.Getenv(practiceEnv), "policy", "gitops-objects", "--managers", `agent/policy-*,kubectl,"odd'""\name*"`, "--owners", "argocd-controller", "--types", "configmaps")
	s.file("policy2.yaml", out)
	t.Cleanup(func() { _, _ = s.command("kubectl delete -f policy2.yaml --ignore-not-found").CombinedOutput() })
	s.run("kubectl apply -f policy2.yaml")
	p := policed{s, to, &http.Client{Transport: transport}, map[string]int{}}
	s.inForce("kubectl apply --server-side --force-conflicts -f settings2.yaml --field-manager agent/policy-a")
	p.bothInForce()
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 600 {
		if p.write(r, fmt.Sprint("random-", i%3)); t.Failed() {
			return
		}
	}
	if p.caught["true true"] < 20 || p.caught["false false"] < 50 {
		t.Errorf("the writes are not random enough: %v", p.caught)
	}
	t.Log(p.caught)
}

// bothInForce waits until a write is caught by both policies.
func (p policed) bothInForce() {
	p.Helper()
	p.inForce("kubectl label configmap settings a=b --field-manager agent/policy-a")
	var seen bytes.Buffer
	for seen.Len() == 0 {
		out, _ := p.command("kubectl label configmap settings a=b --field-manager agent/policy-a --dry-run=server -n " + p.namespace).CombinedOutput()
		if bytes.Contains(out, []byte("fieldmark-gitops-objects")) {
			seen.Write(out)
		}
	}
}
