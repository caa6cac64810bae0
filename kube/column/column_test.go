package column

import (
	"errors"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]struct {
		text   string
		source Source
		err    error
	}{
		"age":                               {text: "age"},
		" Age ":                             {text: "age"},
		"label:app":                         {text: "label:app"},
		"label: app.kubernetes.io/name ":    {text: "label:app.kubernetes.io/name"},
		".metadata.labels.app":              {text: "label:app"},
		`metadata.labels["example.com/a"]`:  {text: "label:example.com/a"},
		"annotation:team":                   {text: "annotation:team", source: Metadata},
		`.metadata.annotations["a.b/c"]`:    {text: "annotation:a.b/c", source: Metadata},
		".metadata.annotations":             {text: ".metadata.annotations", source: Metadata},
		`["metadata"].generation`:           {text: ".metadata.generation", source: Metadata},
		"spec.replicas":                     {text: ".spec.replicas", source: Whole},
		`.spec["replicas"]`:                 {text: ".spec.replicas", source: Whole},
		".spec.containers[].image":          {text: ".spec.containers[*].image", source: Whole},
		".spec.containers[name=app].image":  {text: `.spec.containers[name="app"].image`, source: Whole},
		".spec.containers[0].image":         {text: ".spec.containers[0].image", source: Whole},
		`.data["tls.crt"]`:                  {text: `.data["tls.crt"]`, source: Whole},
		"":                                  {err: ErrEmpty},
		"label:":                            {err: ErrEmpty},
		"annotation: ":                      {err: ErrEmpty},
		".":                                 {err: ErrPath},
		".spec..replicas[":                  {err: ErrPath},
		"." + strings.Repeat("a", mostText): {err: ErrLong},
	} {
		c, err := Parse(text)
		if !errors.Is(err, want.err) || c.String() != want.text || c.Source() != want.source {
			t.Errorf("%q: %q from %d, %v", text, c, c.Source(), err)
		}
	}
}

// Whatever spelling of the data of a Secret: no column reads it.
func TestTheDataOfSecretsIsNoColumn(t *testing.T) {
	for _, text := range []string{
		".data", "data", " .data ", ".data.password", `["data"]`, `[data].password`, `["data"]["password"]`, `["\u0064ata"]`, ".data[*]", "[*]", "[*].password", "[0]",
		".stringData", "stringData.password", ".Data", ".type", ".immutable", "annotation:kubectl.kubernetes.io/last-applied-configuration",
		`.metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`, "annotation:x/last-applied-configuration",
	} {
		c, err := Parse(text)
		if err == nil && c.FitsSecrets() == nil {
			t.Errorf("%s is a column", text)
		}
		r := Reader{Columns: []Column{c}, Secrets: true}
		one, err := r.Object([]byte(secret))
		if err != nil || strings.Contains(strings.Join(one.Texts, ""), "aHVudGVyMg") || strings.Contains(strings.Join(one.Texts, ""), "hunter") {
			t.Errorf("%s: %q, %v", text, one.Texts, err)
		}
	}
	for _, text := range []string{"age", "label:app", "annotation:team", ".metadata.generation", ".metadata.annotations", ".metadata", ".metadata.annotations[*]"} {
		c, err := Parse(text)
		if err != nil || c.FitsSecrets() != nil {
			t.Errorf("%s: %v, %v", text, err, c.FitsSecrets())
		}
		one, err := Reader{Columns: []Column{c}, Secrets: true}.Object([]byte(secret))
		if got := strings.Join(one.Texts, ""); err != nil || strings.Contains(got, "aHVudGVyMg") || strings.Contains(got, "hunter") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

const secret = `{"apiVersion":"v1","kind":"Secret","type":"Opaque","metadata":{"name":"a","uid":"u","resourceVersion":"7","generation":3,
"annotations":{"team":"core","copy":"aHVudGVyMg==","kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"password\":\"aHVudGVyMg==\"}}"}},
"data":{"password":"aHVudGVyMg=="},"stringData":{"password":"hunter2"}}`

const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"u1","resourceVersion":"7",
"annotations":{"checksum/config":"01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"},"finalizers":["a","b"],"creationTimestamp":"2026-11-21T12:00:00Z"},
"spec":{"replicas":3,"paused":false,"empty":"","none":null,"template":{"spec":{"containers":[
{"name":"app","image":"web:1","resources":{"limits":{"cpu":"500m"}}},{"name":"log","image":"log:<2>"}]}}},
"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"Stalled","status":"False"}]}}`

func TestValues(t *testing.T) {
	for path, want := range map[string]string{
		".spec.replicas":                                        "3",
		".spec.paused":                                          "false",
		".spec.empty":                                           `""`,
		".spec.none":                                            "",
		".spec.missing.more":                                    "",
		".spec.replicas.more":                                   "",
		".metadata.finalizers":                                  "a, b",
		".metadata.finalizers[1]":                               "b",
		".spec.template.spec.containers[*].image":               "web:1, log:<2>",
		".spec.template.spec.containers.image":                  "web:1, log:<2>",
		".spec.template.spec.containers[name=log].image":        "log:<2>",
		".spec.template.spec.containers[0]":                     `{"image":"web:1","name":"app","resources":{"limits":{"cpu":"500m"}}}`,
		".spec.template.spec.containers[0].resources.limits[*]": "500m",
		`.status.conditions[type="Ready"].status`:               "True",
		"annotation:checksum/config":                            "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b",
		".kind":                                                 "Deployment",
	} {
		c, err := Parse(path)
		if err != nil {
			t.Error(err)
			continue
		}
		one, err := Reader{Columns: []Column{c}}.Object([]byte(deployment))
		if err != nil || one.Texts[0] != want || one.UID != "u1" || one.Version != "7" {
			t.Errorf("%s: %+v, %v", path, one, err)
		}
	}
}

func TestMetadataAloneIsNotMaskedUnlessItIsOfSecrets(t *testing.T) {
	c, _ := Parse("annotation:checksum/config")
	body := []byte(strings.Replace(deployment, `"apiVersion":"apps/v1","kind":"Deployment"`, `"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata"`, 1))
	if one, err := (Reader{Columns: []Column{c}}).Object(body); err != nil || !strings.HasPrefix(one.Texts[0], "01ba") {
		t.Errorf("%q, %v", one.Texts, err)
	}
	if one, err := (Reader{Columns: []Column{c}, Secrets: true}).Object(body); err != nil || !strings.Contains(one.Texts[0], "hidden") {
		t.Errorf("%q, %v", one.Texts, err)
	}
}

func TestLists(t *testing.T) {
	c, _ := Parse(".spec.replicas")
	r := Reader{Columns: []Column{c}}
	l, err := r.List([]byte(`{"kind":"DeploymentList","metadata":{"continue":"more"},"items":[` + deployment + `,{"metadata":{"name":"b","annotations":{"z":"1","a":"2"}}}]}`))
	if err != nil || len(l.All) != 2 || l.Continue != "more" || l.All[0].Texts[0] != "3" || l.All[1].UID != "/b" {
		t.Errorf("%+v, %v", l, err)
	}
	if got := strings.Join(Annotations([]byte(`{"items":[`+deployment+`,{"metadata":{"annotations":{"z":"1","a":"2"}}}]}`)), " "); got != "a checksum/config z" {
		t.Error(got)
	}
	for _, body := range []string{"{", `{"kind":"Status"}`, `{"kind":"XList","items":[3]}`} {
		if _, err := r.List([]byte(body)); err == nil {
			t.Errorf("%s is read", body)
		}
	}
	if _, err := r.Object([]byte("null")); err == nil {
		t.Error("null is an object")
	}
}

func TestLongValuesAreCut(t *testing.T) {
	c, _ := Parse(".spec[*]")
	many := `{"spec":[` + strings.Repeat(`"größer",`, 500) + `"end"]}`
	one, err := Reader{Columns: []Column{c}}.Object([]byte(many))
	if err != nil || len(one.Texts[0]) > mostCell+len("…") || !strings.HasSuffix(one.Texts[0], "…") {
		t.Errorf("%q, %v", one.Texts[0], err)
	}
}

func TestQuantities(t *testing.T) {
	for path, want := range map[string]bool{".spec.interval": false, ".status.capacity.storage": true, ".spec.containers[*].resources.limits.cpu": true, "label:cpu": false} {
		if c, _ := Parse(path); c.Quantity() != want {
			t.Errorf("%s", path)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"age", "label:a", "annotation:a/b", ".spec.containers[name=app].image", `["a.b"][*][0]`, ".data", `["\u0064ata"]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(c.String())
		if err != nil || again.String() != c.String() || again.Source() != c.Source() {
			t.Errorf("%q ▸ %q ▸ %q, %v", text, c, again, err)
		}
		if len(c.String()) > mostText {
			t.Errorf("%d bytes", len(c.String()))
		}
		one, err := Reader{Columns: []Column{c}, Secrets: true}.Object([]byte(secret))
		if err != nil || strings.Contains(strings.Join(one.Texts, ""), "hunter") || strings.Contains(strings.Join(one.Texts, ""), "aHVudGVyMg") {
			t.Errorf("%q reads %q, %v", text, one.Texts, err)
		}
	})
}

// What is skipped makes no difference.
func FuzzLean(f *testing.F) {
	f.Add(deployment, ".spec.template.spec.containers[*].image")
	f.Add(`{"a": [1, {"b":"\\\"}"}], "c" : {"d":{}}}`, ".a.b")
	f.Add(secret, ".metadata.annotations")
	f.Add(`{"spec":{"kind":"Secret","apiVersion":"v1","data":{"a":"aHVudGVyMg=="}}}`, ".spec.data.a")
	f.Fuzz(func(t *testing.T, body, path string) {
		c, err := Parse(path)
		o, bad := object.Parse([]byte(body))
		if err != nil || bad != nil || len(c.steps) == 0 {
			_, _ = Reader{Columns: []Column{c}}.Object([]byte(body)) // it ends
			return
		}
		r := Reader{Columns: []Column{c}}
		one, err := r.Object([]byte(body))
		if want := r.texts(o); err != nil || one.Texts[0] != want.Texts[0] {
			t.Errorf("%s of %s: %q, want %q, %v", c, body, one.Texts, want.Texts, err)
		}
	})
}
