package pages

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/write/check"
)

// checked is the page after a form was sent: its status, its markup, and what was found, as "kind path".
func checked(t *testing.T, s *site, form url.Values) (code int, markup string, found []string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+web.Tool(cluster.Practice, web.Check), strings.NewReader(form.Encode()))
	must(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	tree, err := html.Parse(strings.NewReader(string(body)))
	must(t, err)
	for n := range tree.Descendants() {
		kind, path := "", ""
		for _, a := range n.Attr {
			switch a.Key {
			case "data-finding":
				kind = a.Val
			case "data-path":
				path = a.Val
			}
		}
		if kind != "" {
			found = append(found, strings.TrimSpace(kind+" "+path))
		}
	}
	return response.StatusCode, string(body), found
}

func TestPracticeACheckWithoutTheProgram(t *testing.T) {
	d := newDesk(t, nil)
	space := d.namespace()
	path := "/api/v1/namespaces/" + space + "/configmaps/"
	d.apply(path+"held", "helm", configMap(space, "held", "  x: \"1\"\n  z: \"1\"\n"))
	d.apply(path+"mine", "ada", configMap(space, "mine", "  x: \"1\"\n  z: \"1\"\n"))
	var many []string
	for i := range check.MostWithoutProgram + 3 {
		many = append(many, configMap(space, fmt.Sprintf("new-%02d", i), "  x: \"1\"\n"))
	}
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: " + space + "}\nstringData: {word: hunter22}\n"
	for name, c := range map[string]struct {
		text, manager, force string
		want                 []string
		says                 string
	}{
		"a conflict":    {text: configMap(space, "held", "  x: \"2\"\n  z: \"1\"\n"), manager: "ada", want: []string{"conflict .data.x", "shared .data.z"}, says: "helm"},
		"with force":    {text: configMap(space, "held", "  x: \"2\"\n  z: \"1\"\n"), manager: "ada", force: "1", want: []string{"taken .data.x"}},
		"pruned":        {text: configMap(space, "mine", "  x: \"1\"\n"), manager: "ada", want: []string{"pruned .data.z"}},
		"chosen":        {text: configMap(space, "held", "  x: \"1\"\n"), want: []string{"pruned .data.z"}, says: "Checked as the manager helm. It owns 1 of the 1 values"},
		"nothing":       {text: configMap(space, "mine", "  x: \"1\"\n  z: \"1\"\n"), manager: "ada", says: "Nothing to report."},
		"unserved":      {text: "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n", want: []string{"unserved"}},
		"one is broken": {text: "a: [\n---\n" + configMap(space, "new", ""), want: []string{"invalid", "created"}},
		"no template":   {text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n", want: []string{"invalid"}, says: "helm template"},
		"a secret":      {text: secret, want: []string{"created"}, says: "••••••••"},
		"too many":      {text: strings.Join(many, "---\n"), want: strings.Fields(strings.Repeat("created ", check.MostWithoutProgram)), says: "3 more documents were not checked."},
	} {
		t.Run(name, func(t *testing.T) {
			code, markup, found := checked(t, d.site, url.Values{check.FieldText: {c.text}, check.QueryManager: {c.manager}, check.QueryForce: {c.force}, check.QueryNamespace: {space}})
			if code != http.StatusOK || fmt.Sprint(found) != fmt.Sprint(c.want) || !strings.Contains(markup, c.says) {
				t.Errorf("%d, it finds %q, wanted %q and %q", code, found, c.want, c.says)
			}
		})
	}
	if d.get(path+"new-00").Meta("name") != "" || d.get(path+"held").Meta("resourceVersion") == "" {
		t.Error("a check wrote something")
	}
}

func TestPracticeAFormThatIsTooLong(t *testing.T) {
	s := practiceSite(t)
	code, markup, _ := checked(t, s, url.Values{check.FieldText: {strings.Repeat("#", 3*source.MaxText+64<<10)}})
	if code != http.StatusRequestEntityTooLarge || !strings.Contains(markup, "Fieldmark can’t read the text") {
		t.Errorf("%d, %.200s", code, markup)
	}
	if code, markup, _ = checked(t, s, url.Values{check.FieldText: {strings.Repeat("#", source.MaxText+1)}}); code != http.StatusOK || !strings.Contains(markup, "accepts requests of at most 3 MB") {
		t.Errorf("%d, %.200s", code, markup)
	}
}
