package object

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
)

// recorded is the page of one of the objects that a real server kept a record of.
func recorded(t *testing.T, name, text string) Model {
	t.Helper()
	data, err := os.ReadFile("../../../kube/ownership/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	m := pageOf(t, path, string(data))
	m.Tab, m.Fields.Reading = Fields, fields.ParseReading(query(t, text))
	return m
}

// A claim of another version is said of the field that it may be on, and of each field in it.
func TestAFieldClaimedInAnotherVersion(t *testing.T) {
	for _, field := range []string{".spec.metrics", ".spec.metrics[0].type"} {
		m := pageOf(t, path, `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","managedFields":[
			{"manager":"legacy","operation":"Apply","apiVersion":"autoscaling/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:targetCPUUtilizationPercentage":{}}}}
		]},"spec":{"metrics":[{"type":"Resource"}]}}`)
		m.Tab, m.Fields.Reading = Fields, fields.ParseReading(query(t, "field="+field))
		s := alive(t, m)
		s.shows("legacy (Apply) claims .spec.targetCPUUtilizationPercentage in autoscaling/v1, which can’t be placed in this version. It may be this field.")
		s.hides("It only contains fields that others own")
	}
}

func TestTheLinesGrowOlder(t *testing.T) {
	s := alive(t, recorded(t, "scaled", ""))
	s.pass(1)
	before := s.html()
	s.now = s.now.Add(48 * time.Hour)
	s.pass(1)
	if after := s.html(); after == before || !strings.Contains(after, "<small>last wrote ") {
		t.Error("the lines have grown no older")
	}
}

func TestWalkingTheLines(t *testing.T) {
	const here = "/c/practice" + path
	s := alive(t, recorded(t, "scaled", ""))
	s.tell(page.Pressed{Key: "j"})
	s.does("Scroll{Top:0 Bottom:38} Focus{ID:at-line-1}")
	s.tell(page.Pressed{Key: "j"}, page.Pressed{Key: "j"}, page.Pressed{Key: "k"})
	if s.m.Fields.Reading.Field != ".kind" {
		t.Errorf("the focus is on %s", s.m.Fields.Reading.Field)
	}
	s.pass(1)
	s.does("Remember{Address:" + here + "?field=.kind Replace:true}")
	s.tell(page.Addressed{Query: query(t, "field=.spec.template")})
	s.shows(`data-field=".spec.template"`)
	s.tell(page.Addressed{Query: query(t, "field=.spec.template")})
	s.hides(`data-path=".spec.template.spec"`)
	s.shows(`aria-expanded="false"`)
	s.tell(page.Addressed{Query: query(t, "field=.spec.template.spec.restartPolicy")})
	s.shows(`data-path=".spec.template.spec"`)
	s.tell(page.Acted{Action: "fold .spec"})
	s.hides(`data-path=".spec.template"`)
	s.tell(page.Acted{Action: "fold .nosuch"}, page.Acted{Action: "fold .spec"}, page.Typed{Field: "filter", Text: "matchLabels"})
	s.hides(`data-path=".spec.template"`)
	s.tell(page.Pressed{Key: "Escape"})
	s.does("Remember{Address:" + here + " Replace:false}")
	s.shows(`data-path=".spec.template"`)
	s.tell(page.Pressed{Key: "Escape"})
	s.does("Navigate{Address:/c/practice/apis/apps/v1/namespaces/shop/deployments}")
}

func TestOwnersFollowTheObject(t *testing.T) {
	m := recorded(t, "scaled", "field=.spec.replicas")
	s := alive(t, m)
	text, err := json.Marshal(m.Object)
	if err != nil {
		t.Fatal(err)
	}
	s.state(1, string(text))
	s.happens(watch.Modified, strings.NewReplacer(`"resourceVersion":"`, `"resourceVersion":"9`, `"manager":"kubectl"`, `"manager":"autoscaler"`).Replace(string(text)))
	s.shows("it conflicts with autoscaler (Update, scale)")
}

func TestOfVeryManyLinesThoseInSightAreLaidOut(t *testing.T) {
	data := make([]string, 5000)
	for i := range data {
		data[i] = `"` + strings.Repeat("k", 1+i%7) + string(rune('a'+i%26)) + strings.Repeat("x", i/200) + string(rune('A'+i%25)) + `":"v"`
	}
	m := pageOf(t, "/api/v1/namespaces/shop/configmaps/web", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"},"data":{`+strings.Join(data, ",")+`}}`)
	m.Tab = Fields
	whole := strings.Count(markup(t, page.Main(m)), "<li id=")
	s := alive(t, m)
	if got := strings.Count(s.html(), "<li id="); whole != 1200 || got > 400 {
		t.Errorf("%d lines are laid out, and %d before the page was alive", got, whole)
	}
	s.tell(page.Scrolled{Top: 1500 * components.BlameRow, Height: 800})
	s.shows(`<span class="number" aria-hidden="true">1510</span>`)
	s.tell(page.Pressed{Key: "G"})
	s.shows(` current"`)
}
