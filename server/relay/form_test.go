package relay

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const (
	secretRest = `"metadata":{"name":"db","uid":"u","resourceVersion":"7","managedFields":[{"manager":"m"}],
		"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"password\":\"aHVudGVyMg==\"}}"}},"data":{"password":"aHVudGVyMg=="}}`
	secretItem  = `{` + secretRest
	secretEvent = `{"apiVersion":"v1","kind":"Secret",` + secretRest
)

func asked(t *testing.T, as wire.As, path string) form {
	t.Helper()
	q, err := newQuestion(path)
	must(t, err)
	return formOf(as, q)
}

// No form of a Secret that goes to a page holds its values, whether it says what it is or not (threat: secret values).
func TestSecretValues_SecretsAreMasked(t *testing.T) {
	list := `{"apiVersion":"v1","kind":"SecretList","metadata":{"resourceVersion":"9"},"items":[` + secretItem + `]}`
	vague := strings.Replace(list, `"apiVersion":"v1","kind":"SecretList"`, `"kind":"List"`, 1)
	var told []string
	for path, list := range map[string]string{"/api/v1/secrets": vague, "/api/v1/namespaces/n/secrets/db": list, "/apis/example.org/v1/things": list} {
		c, err := asked(t, wire.Object, path).chunk([]byte(list), time.Now())
		must(t, err)
		told = append(told, string(c.items[0].object))
	}
	for path, object := range map[string]string{"/api/v1/secrets": secretItem, "/apis/example.org/v1/things": secretEvent} {
		c, _, err := asked(t, wire.Object, path).change(watch.Event{Type: watch.Modified, Object: []byte(object)}, time.Now())
		must(t, err)
		told = append(told, string(c.item.object))
	}
	for _, text := range told {
		if strings.Contains(text, "aHVudGVyMg") || strings.Contains(text, "hunter2") || !strings.Contains(text, "(7 bytes, hidden)") {
			t.Errorf("told: %s", text)
		}
		if !strings.Contains(text, `"kind":"Secret"`) || !strings.Contains(text, `"managedFields"`) {
			t.Errorf("lost: %s", text)
		}
	}
}

func TestObjectsOfAListSayWhatTheyAre(t *testing.T) {
	c, err := asked(t, wire.Object, "/apis/apps/v1/deployments").chunk([]byte(`{"apiVersion":"apps/v1","kind":"DeploymentList",
		"metadata":{"resourceVersion":"9","continue":"more","remainingItemCount":4},"items":[{"metadata":{"name":"web","generation":12345678901234567890}}]}`), time.Now())
	must(t, err)
	if want := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"generation":12345678901234567890,"name":"web"}}`; string(c.items[0].object) != want {
		t.Errorf("%s", c.items[0].object)
	}
	if c.version != "9" || c.next != "more" || *c.remaining != 4 || len(c.items) != 1 {
		t.Errorf("%+v", c)
	}
}

func TestAnswersThatMakeNoSense(t *testing.T) {
	for _, body := range []string{``, `{}`, `[]`, `{"kind":"Pod"}`, `{"kind":"PodList","items":[7]}`, `{"kind":"PodList","items":{}}`} {
		if c, err := asked(t, wire.Object, pods).chunk([]byte(body), time.Now()); err == nil {
			t.Errorf("%s was read as %+v", body, c)
		}
	}
	deep := `{"a":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5001)
	if _, _, err := asked(t, wire.Object, pods).change(watch.Event{Type: watch.Added, Object: []byte(deep)}, time.Now()); err == nil {
		t.Error("5000 deep was taken")
	}
}

func TestObjectsWithoutUID(t *testing.T) {
	const object = `{"kind":"Thing","apiVersion":"v1","metadata":{"namespace":"n","name":"a","resourceVersion":"7"}}`
	for _, as := range []wire.As{wire.Object, wire.Table} {
		c, _, err := asked(t, as, pods).change(watch.Event{Type: watch.Added, Object: json.RawMessage(object)}, time.Now())
		if err != nil || c.item.key != "n/a" || c.version != "7" {
			t.Errorf("%s: %+v (%v)", as, c, err)
		}
	}
}

func TestFollowAnObject(t *testing.T) {
	list := `{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a","uid":"u","resourceVersion":"3"}}]}`
	gone := `{"type":"DELETED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":"u","resourceVersion":"6"}}}` + "\n"
	h, s := scripted(t, says(list), stays(gone))
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods + "/a", As: wire.Object})
	if m := p.want(1, wire.Rows); len(m.Objects) != 1 || len(m.Rows) != 0 || !strings.Contains(string(m.Objects[0]), `"kind":"Pod"`) {
		t.Errorf("%+v", m)
	}
	p.want(1, wire.Synced)
	if m := p.want(1, wire.Events); len(m.Events) != 1 || m.Events[0].Type != watch.Deleted || m.Events[0].Row != nil || m.ResourceVersion != "6" {
		t.Errorf("%+v", m)
	}
	if asked := s.Requests(); !strings.HasPrefix(asked[0], pods+"?fieldSelector=metadata.name%3Da&") {
		t.Errorf("%q", asked)
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		path, _, _ := strings.Cut(d.Path, "?")
		if strings.Contains(path, "token") {
			continue // tokens can only be created
		}
		f, told := asked(t, wire.Object, path), ""
		if c, err := f.chunk([]byte(d.JSON), time.Now()); err == nil {
			for _, i := range c.items {
				told += string(i.object)
			}
		}
		if event, err := watch.ParseEvent([]byte(d.JSON)); err == nil {
			if c, _, err := f.change(event, time.Now()); err == nil {
				told += string(c.item.object)
			}
		}
		if c, _, err := f.change(watch.Event{Type: watch.Added, Object: []byte(d.JSON)}, time.Now()); err == nil {
			told += string(c.item.object)
		}
		if told == "" || canary.Escapes(told) {
			t.Errorf("%s: %q", d.Name, told)
		}
	}
}

// Rows of custom resources say what their conditions say, if a page asks for whole objects. Nobody gets whole Secrets or pods that way.
func TestRowsOfWholeObjects(t *testing.T) {
	table := `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Name"}],"rows":[{"cells":["a"],"object":{"kind":"Thing","metadata":{"name":"a","uid":"u"},"status":{"conditions":[{"type":"Ready","status":"False","reason":"Broken"}]}}}]}`
	for path, judged := range map[string]bool{
		"/apis/example.com/v1/things?includeObject=Object":   true,
		"/apis/example.com/v1/things?includeObject=Metadata": false,
		"/apis/example.com/v1/things":                        false,
		"/api/v1/secrets?includeObject=Object":               false,
		"/api/v1/pods?includeObject=Object":                  false,
	} {
		q, err := newQuestion(path)
		must(t, err)
		if got := strings.Contains(q.List(5, ""), "includeObject=Object"); got != judged || strings.Contains(q.Stream(), "includeObject") != judged || strings.Contains(q.Name(), "includeObject") != judged {
			t.Errorf("%s asks for %s", path, q.List(5, ""))
		}
		f := formOf(wire.Table, q)
		c, err := f.chunk([]byte(table), time.Now())
		must(t, err)
		changed, columns, err := f.change(watch.Event{Type: watch.Added, Object: []byte(table)}, time.Now())
		must(t, err)
		if told := strings.Contains(c.items[0].row, "Ready False"); told != judged || strings.Contains(changed.item.row, "Broken") != judged || len(c.columns) != len(columns) || (len(columns) == 3) != judged {
			t.Errorf("%s: %q %q %v", path, c.items[0].row, changed.item.row, columns)
		}
	}
}
