package object

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
)

const withPorts = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","resourceVersion":"42","uid":"u","labels":{"a":"1","b":"2"}},
"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"app","image":"web:1","ports":[{"containerPort":80,"protocol":"TCP"},{"containerPort":81}]},{"name":"side"}]}}}}`

func outlined(t *testing.T, text string) Model {
	t.Helper()
	data, err := os.ReadFile("../../../kube/schema/testdata/apis_apps_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := schema.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	known, found := document.Schema(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if !found {
		t.Fatal("there is no schema")
	}
	m := pageOf(t, path, withPorts)
	m.Tab, m.Outline = Schema, outline.New(known, query(t, text))
	return m
}

func TestTheSchemaLivesWithoutAsking(t *testing.T) {
	const here = "/c/practice" + path
	s := alive(t, travelledPage(t, outlined(t, "")))
	s.tell(page.Addressed{Query: query(t, "tab=schema&field=.spec.replicas")})
	s.does("Remember{Address:" + here + "?field=.spec.replicas&tab=schema Replace:false}")
	s.shows(`aria-label="The field replicas"`, "<code>3</code>")
	s.tell(page.Addressed{Query: query(t, "tab=json")})
	s.does("Remember{Address:" + here + "?tab=json Replace:false} Announce{Words:JSON}")
	s.tell(page.Addressed{Query: query(t, "tab=schema")})
	s.does("Remember{Address:" + here + "?field=.spec.replicas&tab=schema Replace:false} Announce{Words:Schema}")
	s.tell(page.Addressed{Query: query(t, "tab=schema&field=.spec.replicas")})
	s.does("Reload{}")
	s.state(1, withPorts)
	s.happens(watch.Modified, strings.NewReplacer(`"42"`, `"43"`, `"replicas":3`, `"replicas":7`).Replace(withPorts))
	s.shows("<code>7</code>")
}

func travelledPage(t *testing.T, m Model) Model {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var there Model
	if err := json.Unmarshal(text, &there); err != nil {
		t.Fatal(err)
	}
	return there
}

func TestKeysWalkTheTree(t *testing.T) {
	const here = "/c/practice" + path
	s := alive(t, outlined(t, "tab=schema"))
	for _, c := range []struct{ key, field string }{
		{"j", ".apiVersion"}, {"j", ".kind"}, {"k", ".apiVersion"}, {"k", ".apiVersion"}, {"G", ".status"}, {"j", ".status"}, {"k", ".spec.template"}, {"g", ".apiVersion"},
	} {
		s.tell(page.Pressed{Key: c.key})
		if got := s.m.Outline.Field.String(); got != c.field {
			t.Errorf("%s leads to %s, want %s", c.key, got, c.field)
		}
	}
	s.does("Scroll{Top:0 Bottom:26} Focus{ID:field-.apiVersion}")
	s.pass(time.Second)
	s.does("Remember{Address:" + here + "?field=.apiVersion&open=.spec&tab=schema Replace:true}")
	s.pass(time.Second)
	s.does("")
	s.tell(page.Pressed{Key: "s"})
	s.does("")
	s = alive(t, outlined(t, "tab=schema&field=.spec.template"))
	if !strings.HasPrefix(s.said(), "Scroll{Top:156 Bottom:416} ") {
		t.Errorf("it begins with %s", s.said())
	}
}
