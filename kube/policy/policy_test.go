package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

func written(t *testing.T, o Options) string {
	t.Helper()
	objects, err := Objects(o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(objects)
	if err != nil || len(objects) != 2 {
		t.Fatal(err, len(objects))
	}
	return strings.NewReplacer(`\"`, "'", `\u0026`, "&").Replace(string(text))
}

func TestObjects(t *testing.T) {
	for what, c := range map[string]struct {
		options    Options
		has, hasNo []string
	}{
		"usual":   {Options{Kind: Forced}, []string{"request.options.fieldManager.startsWith('agent/')", `"validationActions":["Warn","Audit"]`, `"resources":["*"]`}, []string{"Deny"}},
		"refused": {Options{Kind: GitOps, Deny: true}, []string{`"validationActions":["Deny","Audit"]`, "o.manager == 'argocd-controller'", "startsWith('kubectl-')"}, []string{"Warn"}},
		"types":   {Options{Kind: Forced, Types: []string{"deployments.apps", "configmaps"}}, []string{`"apiGroups":["apps"]`, `"apiGroups":[""]`, `"resources":["configmaps"]`}, []string{`"apiGroups":["*"]`}},
		"names":   {Options{Kind: GitOps, Managers: []string{"a'b", `c\d`}, Owners: []string{"x*"}}, []string{`fieldManager == 'a'b'`, `c\\\\d`, "o.manager.startsWith('x')"}, []string{"argocd", "kubectl"}},
	} {
		text := written(t, c.options)
		for _, has := range c.has {
			if !strings.Contains(text, has) {
				t.Errorf("%s has no %s: %s", what, has, text)
			}
		}
		for _, no := range c.hasNo {
			if strings.Contains(text, no) {
				t.Errorf("%s has %s: %s", what, no, text)
			}
		}
	}
}

func TestWrongOptions(t *testing.T) {
	for _, o := range []Options{
		{},
		{Kind: "other"},
		{Kind: Forced, Managers: []string{""}},
		{Kind: Forced, Managers: []string{"a*b"}},
		{Kind: Forced, Managers: []string{"a\nb"}},
		{Kind: Forced, Managers: []string{"é"}},
		{Kind: GitOps, Owners: []string{"*x"}},
		{Kind: Forced, Types: []string{"Deployment"}},
		{Kind: Forced, Types: []string{"a.b/c"}},
		{Kind: Forced, Types: []string{""}},
	} {
		if _, err := Objects(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
