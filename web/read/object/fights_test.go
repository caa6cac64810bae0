package object

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
)

const stopIt = `href="/c/practice/-/assist?do=stop-fight&amp;field=.spec.replicas&amp;manager=gitops%7CApply%7C%7C&amp;manager=autoscaler%7CUpdate%7Cscale%7C&amp;path=`

func knownFight(on string) report.Known {
	return report.Known{From: report.FromScan, Fight: report.Fight{
		Object: report.Object{Path: on}, Path: ".spec.replicas", Count: 12, Values: [2]string{"3", "5"},
		Managers: []manager.Manager{{Name: "gitops", Operation: manager.Apply}, {Name: "autoscaler", Operation: manager.Update, Subresource: "scale"}},
	}}
}

func TestAFightOfAScanIsMarked(t *testing.T) {
	m := recorded(t, "scaled", "field=.spec.replicas")
	m.Shell.Fights = []report.Known{knownFight(path), knownFight(path + "-other")}
	html := (&story{t: t, m: m}).html()
	for _, want := range []string{
		`<details id="fought"`, "gitops and autoscaler overwrite each other’s .spec.replicas, 12 times", "Found by a scan.",
		`<span class="mark" title="1 field is fought over">`, `data-fight=".spec.replicas"`, stopIt,
		`<a class="fight-mark" ` + stopIt, `current fought"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing", want)
		}
	}
	m.Fields.Reading = fields.Reading{Field: ".spec.paused"}
	if html = (&story{t: t, m: m}).html(); strings.Contains(html, "data-fight=") || strings.Count(html, `class="fight-mark"`) != 1 {
		t.Error("another field is marked")
	}
	m.Shell.Fights = m.Shell.Fights[1:]
	if html = (&story{t: t, m: m}).html(); strings.Contains(html, stopIt) {
		t.Error("a fight over another object is shown")
	}
}

func TestAFightOfThePagesOwnRecordingIsMarked(t *testing.T) {
	s := aliveAt(t, owned("1", "gitops", 3))
	s.state(1, owned("1", "gitops", 3))
	s.hides(`id="fought"`)
	for i, who := range []string{"autoscaler", "gitops", "autoscaler"} {
		s.happens(watch.Modified, owned(string(rune('2'+i)), who, map[string]int{"gitops": 3, "autoscaler": 5}[who]))
		s.pass(time.Second)
	}
	s.shows(`id="fought"`, "autoscaler and gitops overwrite each other’s .spec.replicas, 2 times", "seen on this page")
	s.m.Shell.Fights = []report.Known{knownFight(path)}
	s.pass(time.Second)
	s.shows(".spec.replicas, 12 times")
}

// owned is the Deployment in a version in which one manager owns the number of replicas.
func owned(version, who string, replicas int) string {
	return strings.NewReplacer("VERSION", version, "WHO", who, "REPLICAS", string(rune('0'+replicas))).Replace(
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"VERSION","managedFields":[{"manager":"WHO","operation":"Update","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}}}]},"spec":{"replicas":REPLICAS}}`)
}
