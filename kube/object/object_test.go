package object

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const secret = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","namespace":"shop","uid":"u","generation":12345678901234567890,
"creationTimestamp":"2026-11-21T11:00:00Z","labels":{"b":"2","a":"1"},"finalizers":["x/y"],
"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"o","controller":true}],
"annotations":{"note":"plain","kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"password\":\"aHVudGVyMg==\"}}","other/copy":"{\"stringData\":{\"password\":\"hunter2\"}}"}},
"data":{"password":"aHVudGVyMg==","odd":"not base64!"},"stringData":{"token":"hunter2"},
"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-21T11:00:00Z"},{"status":"False"},"odd"]}}`

func parse(t *testing.T, text string) Object {
	t.Helper()
	o, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestMetadata(t *testing.T) {
	o := parse(t, secret)
	if o.APIVersion() != "v1" || o.Kind() != "Secret" || o.Meta("name") != "db" || o.Meta("generation") != "12345678901234567890" {
		t.Errorf("identity: %s %s %s %s", o.APIVersion(), o.Kind(), o.Meta("name"), o.Meta("generation"))
	}
	if o.Created().IsZero() || !o.Deleted().IsZero() {
		t.Errorf("times: %v %v", o.Created(), o.Deleted())
	}
	if got := strings.Join(o.Labels(), ","); got != "a=1,b=2" {
		t.Errorf("labels: %s", got)
	}
	if got := o.OwnerReferences(); len(got) != 1 || got[0].Name != "web" || !got[0].Controller || got[0].Blocks {
		t.Errorf("owners: %+v", got)
	}
	if got := o.Conditions(); len(got) != 1 || got[0].Type != "Ready" {
		t.Errorf("conditions: %+v", got)
	}
	if got := o.Finalizers(); len(got) != 1 || got[0] != "x/y" {
		t.Errorf("finalizers: %v", got)
	}
}

func TestMaskedSecretHoldsNoValue(t *testing.T) {
	o := parse(t, secret)
	text, err := json.Marshal(o.Masked().Fields)
	if err != nil {
		t.Fatal(err)
	}
	for _, leak := range []string{"hunter2", "aHVudGVyMg", "not base64"} {
		if strings.Contains(string(text), leak) {
			t.Errorf("the masked secret still holds %q: %s", leak, text)
		}
	}
	if !strings.Contains(string(text), "plain") || !strings.Contains(string(text), "(7 bytes, hidden)") {
		t.Errorf("the masked secret lost what it may show: %s", text)
	}
	if v, _ := o.Reveal("password"); string(v) != "hunter2" {
		t.Errorf("masking changed the original: %q", v)
	}
}

func TestMaskedSecretOfOddShape(t *testing.T) {
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"Secret","data":"hunter2"}`,
		`{"apiVersion":"v1","kind":"Secret","metadata":7,"data":["hunter2"]}`,
		`{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":3},"data":{"a":["hunter2"]}}`,
	} {
		masked, err := json.Marshal(parse(t, text).Masked().Fields)
		if err != nil || strings.Contains(string(masked), "hunter2") {
			t.Errorf("%s became %s (%v)", text, masked, err)
		}
	}
}

func TestOnlySecretsAreMasked(t *testing.T) {
	o := parse(t, `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"}}`)
	if got := fields(o.Masked().Fields["data"])["a"]; got != "b" {
		t.Errorf("a ConfigMap's value became %v", got)
	}
	if _, ok := o.Reveal("a"); ok {
		t.Error("Reveal answered for something that is no Secret")
	}
}

func TestSecretValues(t *testing.T) {
	got := parse(t, secret).SecretValues()
	if len(got) != 2 || got[0] != (SecretValue{"odd", 11}) || got[1] != (SecretValue{"password", 7}) {
		t.Errorf("%+v", got)
	}
	if _, ok := parse(t, secret).Reveal("absent"); ok {
		t.Error("Reveal answered for a key that is not there")
	}
}

func TestAMaskedSecretStaysAsItIs(t *testing.T) {
	once := parse(t, secret).Masked()
	if twice := once.Masked(); !reflect.DeepEqual(once, twice) {
		t.Errorf("masking again changed\n%v\ninto\n%v", once, twice)
	}
	if got, want := once.SecretValues(), parse(t, secret).SecretValues(); !slices.Equal(got, want) {
		t.Errorf("the masked secret's values are %+v, not %+v", got, want)
	}
	for _, raw := range []string{"•••••••• (7 bytes, hidden) and more", "•••••••• (-1 bytes, hidden)", "•••••••• (9999999999999999999999 bytes, hidden)"} {
		o := Object{Fields: map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": map[string]any{"a": raw}}}
		if got := fields(o.Masked().Fields["stringData"])["a"]; got == raw {
			t.Errorf("%q was taken for a mask", raw)
		}
	}
}

func TestEventSelector(t *testing.T) {
	for text, want := range map[string]string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":"u"}}`:             "involvedObject.uid=u",
		`{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","uid":"u"}}`:            "involvedObject.kind=Node,involvedObject.name=a",
		`{"apiVersion":"infra.test/v1","kind":"Node","metadata":{"name":"a","uid":"u"}}`: "involvedObject.uid=u",
		`{"apiVersion":"v1","kind":"Odd","metadata":{"name":"a"}}`:                       "involvedObject.kind=Odd,involvedObject.name=a",
	} {
		if got := parse(t, text).EventSelector(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestManagedFieldsCanBeLeftOut(t *testing.T) {
	o := parse(t, `{"kind":"Pod","metadata":{"name":"a","managedFields":[{"manager":"x"},{"manager":"y"}]}}`)
	bare := o.WithoutManagedFields()
	if o.ManagedFields() != 2 || bare.ManagedFields() != 0 || bare.Meta("name") != "a" {
		t.Errorf("%+v became %+v", o, bare)
	}
}

func TestOversizedInput_NestingIsBounded(t *testing.T) {
	chain := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	if _, err := Parse([]byte(chain(150))); err != nil {
		t.Errorf("150 deep: %v", err)
	}
	for _, n := range []int{300, 10_000, 1_000_000} {
		if _, err := Parse([]byte(chain(n))); err == nil {
			t.Errorf("%d deep was taken", n)
		}
	}
}

func TestObjectSurvivesBeingEmbedded(t *testing.T) {
	o := parse(t, secret)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var back Object
	if err := json.Unmarshal(text, &back); err != nil || back.Meta("generation") != "12345678901234567890" || !reflect.DeepEqual(back, o) {
		t.Errorf("%v: %v", err, back)
	}
}

func TestNoObjectSurvivesBeingEmbedded(t *testing.T) {
	text, err := json.Marshal(Object{})
	if err != nil {
		t.Fatal(err)
	}
	var back Object
	if err := json.Unmarshal(text, &back); err != nil || back.Fields != nil {
		t.Errorf("%s became %+v: %v", text, back, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{``, `null`, `[]`, `{} {}`, `{`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("Parse(%q) gave no error", text)
		}
	}
}

func TestMaskedBesideAnotherShowsThatAValueDiffersAndNotWhich(t *testing.T) {
	was := parse(t, `{"apiVersion":"v1","kind":"Secret","data":{"same":"aHVudGVyMg==","other":"aHVudGVyMg==","gone":"eA=="},
		"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":1}","note":"a"}}}`)
	is := parse(t, `{"apiVersion":"v1","kind":"Secret","data":{"same":"aHVudGVyMg==","other":"aHVudGVyMw==","new":"eA=="},
		"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":2}","note":"b"}}}`)
	before, after := fields(was.Masked().Fields["data"]), fields(is.MaskedBeside(was).Fields["data"])
	if before["same"] != after["same"] || before["other"] == after["other"] {
		t.Errorf("before %v, after %v", before, after)
	}
	text, err := json.Marshal(is.MaskedBeside(was).Fields)
	if err != nil {
		t.Fatal(err)
	}
	for _, leak := range []string{"aHVudGVyM", `"{\"data`} {
		if strings.Contains(string(text), leak) {
			t.Errorf("%q is shown: %s", leak, text)
		}
	}
	if fields(is.Fields["data"])["other"] != "aHVudGVyMw==" {
		t.Error("masking changed the original")
	}
}
