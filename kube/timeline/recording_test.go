package timeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

var plenty = Limits{Versions: 100, Bytes: 1 << 20}

// numbered words a recording's versions: number, resourceVersion, and what else there is to say.
func numbered(r *Recording) string {
	var all []string
	for _, v := range r.Versions() {
		words := fmt.Sprintf("%d:%s", v.Number, v.Step.ResourceVersion)
		if v.Missed != "" {
			words += " after " + v.Missed
		}
		if v.Deleted {
			words += " deleted"
		}
		if v.Another {
			words += " another"
		}
		all = append(all, words)
	}
	return strings.Join(all, ", ")
}

func parsed(t testing.TB, text string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func subject(t testing.TB, uid string, version int, data string) object.Object {
	t.Helper()
	return parsed(t, fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","data":{"x":%q},"metadata":{"uid":%q,"resourceVersion":"%d"}}`, data, uid, version))
}

func TestRecording(t *testing.T) {
	add := func(uid string, version int) func(*Recording) {
		return func(r *Recording) { r.Add(subject(t, uid, version, fmt.Sprint(version)), start) }
	}
	gap := func(r *Recording) { r.Break("gap") }
	gone := func(version int) func(*Recording) {
		return func(r *Recording) { r.Delete(subject(t, "u", version, "last"), start) }
	}
	for _, c := range []struct {
		name   string
		happen []func(*Recording)
		want   string
	}{
		{"nothing", nil, ""},
		{"one after the other", []func(*Recording){add("u", 1), add("u", 2)}, "1:1, 2:2"},
		{"the same again", []func(*Recording){add("u", 1), add("u", 1)}, "1:1"},
		{"a gap", []func(*Recording){add("u", 1), gap, add("u", 5), add("u", 6)}, "1:1, 2:5 after gap, 3:6"},
		{"a gap in which nothing happened", []func(*Recording){add("u", 1), gap, add("u", 1), add("u", 2)}, "1:1, 2:2"},
		{"a gap before anything", []func(*Recording){gap, add("u", 1)}, "1:1"},
		{"gone, and another comes", []func(*Recording){add("u", 1), gone(2), add("v", 3)}, "1:1, 2:2 deleted, 3:3 another"},
		{"gone in a gap", []func(*Recording){add("u", 1), gap, gone(1), add("v", 3)}, "1:1, 2:1 after gap deleted, 3:3 another"},
		{"more than are kept", []func(*Recording){add("u", 1), add("u", 2), add("u", 3), add("u", 4)}, "2:2, 3:3, 4:4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewRecording(Limits{Versions: 3, Bytes: 1 << 20})
			for _, f := range c.happen {
				f(r)
			}
			if got := numbered(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, v := range r.Versions() {
				found, ok := r.Find(v.Number)
				if !ok || found.Step.ResourceVersion != v.Step.ResourceVersion || found.Object().Meta("resourceVersion") != v.Step.ResourceVersion {
					t.Errorf("%d is not found", v.Number)
				}
			}
		})
	}
}

func TestVersionsThatChangedOnlyStatusAreQuiet(t *testing.T) {
	object := func(version, spec, status int, subresource string) string {
		return fmt.Sprintf(`{"metadata":{"uid":"u","resourceVersion":"%d","managedFields":[{"manager":"c","operation":"Update","subresource":%q,"time":"2026-11-21T12:00:%02dZ"}]},`+
			`"spec":{"x":%d},"status":{"ready":%d},"statusLike":%d}`, version, subresource, version, spec, status, spec)
	}
	for _, c := range []struct {
		name, text string
		missed     string
		want       bool
	}{
		{"status alone", object(2, 0, 1, "status"), "", true},
		{"spec, too", object(2, 1, 1, ""), "", false},
		{"written again, by a controller of status", object(2, 0, 0, "status"), "", true},
		{"written again, by another manager", object(2, 0, 0, ""), "", false},
		{"after a gap", object(2, 0, 1, "status"), "gap", false},
		{"another object", strings.Replace(object(2, 0, 1, "status"), `"u"`, `"v"`, 1), "", false},
	} {
		r := NewRecording(plenty)
		r.Add(parsed(t, object(1, 0, 0, "status")), start)
		if first := r.Versions()[0]; first.Quiet() {
			t.Fatal("the first version is quiet")
		}
		if c.missed != "" {
			r.Break(c.missed)
		}
		r.Add(parsed(t, c.text), start)
		if got := r.Versions()[1].Quiet(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		r.Delete(parsed(t, c.text), start)
		if last := r.Versions()[2]; last.Quiet() {
			t.Errorf("%s: the deletion is quiet", c.name)
		}
	}
}

func TestRecordingIsBoundedInBytes(t *testing.T) {
	r := NewRecording(Limits{Versions: 1000, Bytes: 100_000})
	for i := range 100 {
		r.Add(subject(t, "u", i+1, strings.Repeat("x", 10_000)+fmt.Sprint(i)), start)
	}
	if r.Bytes() > 100_000 || r.Last() != 100 || r.Dropped() != 100-len(r.Versions()) || len(r.Versions()) < 5 {
		t.Errorf("%d bytes in %d versions, %d dropped", r.Bytes(), len(r.Versions()), r.Dropped())
	}
	if r.Add(subject(t, "u", 200, strings.Repeat("x", 200_000)), start); len(r.Versions()) != 1 {
		t.Errorf("%d versions beside one that is larger than all may be", len(r.Versions()))
	}
	if _, ok := r.Find(r.Dropped()); ok {
		t.Error("what was dropped is found")
	}
}

func TestAFileTellsTheSame(t *testing.T) {
	r := NewRecording(plenty)
	for i, v := range []version{fight(0, "a"), fight(10, "b"), fight(20, "a"), fight(30, "b")} {
		if i == 3 {
			r.Break("the connection was lost")
		}
		r.Add(v.object(t, i+1), start.Add(time.Duration(i)*time.Second))
	}
	r.Delete(fight(30, "b").object(t, 9), start.Add(time.Minute))
	from := Origin{Cluster: "practice", Path: "/api/v1/x", Written: start}
	again, origin, err := Read(r.Write(from), plenty)
	if err != nil || origin != from {
		t.Fatalf("%v, %+v", err, origin)
	}
	if numbered(again) != numbered(r) || fmt.Sprint(again.Flips()) != fmt.Sprint(r.Flips()) {
		t.Errorf("got  %s %v\nwant %s %v", numbered(again), again.Flips(), numbered(r), r.Flips())
	}
	for i, v := range again.Versions() {
		if was := r.Versions()[i]; spell(v.Step) != spell(was.Step) || !v.Step.Seen.Equal(was.Step.Seen) {
			t.Errorf("%s, was %s", spell(v.Step), spell(was.Step))
		}
	}
}

func TestSecretsStayMasked(t *testing.T) {
	const text = `{"apiVersion":"v1","kind":"Secret","data":{"password":"aHVudGVyMg=="},"metadata":{"uid":"u","resourceVersion":"1"}}`
	r := NewRecording(plenty)
	r.Add(parsed(t, text), start)
	if written := string(r.Write(Origin{})); strings.Contains(written, "aHVudGVyMg") || !strings.Contains(written, "7 bytes, hidden") {
		t.Errorf("%s", written)
	}
	file := fmt.Sprintf(`{"format":%q,"versions":[{"seen":"2026-01-01T00:00:00Z","object":%s}]}`, Format, text)
	read, _, err := Read([]byte(file), plenty)
	if err != nil {
		t.Fatal(err)
	}
	if shown, _ := json.Marshal(read.Versions()[0].Object()); strings.Contains(string(shown), "aHVudGVyMg") {
		t.Errorf("%s", shown)
	}
}

func TestFilesThatMakeNoSense(t *testing.T) {
	one := `{"seen":"2026-01-01T00:00:00Z","object":{"metadata":{"uid":"u","resourceVersion":"1"}}}`
	in := func(versions string) string { return `{"format":"` + Format + `","versions":[` + versions + `]}` }
	for _, c := range []struct{ name, text, want string }{
		{"nothing", ``, "it isn't the JSON of a timeline"},
		{"no JSON", `apiVersion: v1`, "it isn't the JSON of a timeline"},
		{"another JSON", `{"kind":"List"}`, `its format is "", not`},
		{"a list", `[1]`, "it isn't the JSON of a timeline"},
		{"a later format", `{"format":"fieldmark.timeline/v9"}`, `its format is "fieldmark.timeline/v9"`},
		{"a long format", `{"format":"` + strings.Repeat("x", 100) + `"}`, `xxx…", not`},
		{"a long path", `{"format":"` + Format + `","path":"` + strings.Repeat("x", 3000) + `"}`, "its origin isn't valid"},
		{"nothing in it", in(""), "it has no versions"},
		{"too much in it", in(one + strings.Repeat(","+one, 100)), "it has 101 versions, but at most 100"},
		{"no object", in(`{"seen":"2026-01-01T00:00:00Z"}`), "version 1 of 1: reading the object"},
		{"an object that is none", in(`{"seen":"2026-01-01T00:00:00Z","object":[]}`), "version 1 of 1: reading the object"},
		{"an object too deep", in(`{"seen":"2026-01-01T00:00:00Z","object":` + strings.Repeat(`{"a":`, 300) + `1` + strings.Repeat(`}`, 300) + `}`), "nested more than"},
		{"no time", in(`{"object":{"metadata":{"uid":"u","resourceVersion":"1"}}}`), "it has no time"},
		{"a version twice", in(one + "," + one), "version 2 of 2: it is equal to the version before"},
		{"long words", in(`{"seen":"2026-01-01T00:00:00Z","missed":"` + strings.Repeat("x", 300) + `","object":{"metadata":{"uid":"u","resourceVersion":"1"}}}`), "too long"},
		{"too large", `"` + strings.Repeat("x", MaxFile) + `"`, "it is larger than 32 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r, _, err := Read([]byte(c.text), plenty); err == nil || r != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestWritersOfOneSecond(t *testing.T) {
	entry := claim("fast", "Update", 0, `{"f:data":{"f:x":{}}}`)
	r := NewRecording(plenty)
	for i := range 2 {
		r.Add(version{fmt.Sprintf(`{"x":%d}`, i), []string{entry}}.object(t, i+1), start)
	}
	v, _ := r.Find(2)
	if names(v.Step.Wrote) != "" || names(v.Writers()) != "fast" || !v.Touches(".data.x") || v.Touches(".data") {
		t.Errorf("%q wrote, %q", names(v.Step.Wrote), names(v.Writers()))
	}
}

// FuzzRead: whatever a file holds, it is read within bounds or refused.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"format":"` + Format + `","versions":[{"seen":"2026-01-01T00:00:00Z","object":{"metadata":{"uid":"u","resourceVersion":"1"}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, _, err := Read(data, Limits{Versions: 4, Bytes: 1 << 12})
		if err != nil {
			return
		}
		if n := len(r.Versions()); n == 0 || n > 4 || r.Bytes() > 1<<12 && n > 1 {
			t.Errorf("%d versions of %d bytes", n, r.Bytes())
		}
	})
}

// A recording, and its file, hold no secret. Objects come as the page hears them: with a kind.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		o, r := parsed(t, d.JSON), NewRecording(Limits{Versions: 10, Bytes: 1 << 20})
		if object.Holds(o.APIVersion(), o.Kind()) {
			r.AddText(o, []byte(d.JSON), time.Unix(1, 0)) // of others, what comes is kept as it is
		}
		r.Add(o, time.Unix(1, 0))
		r.Delete(o, time.Unix(2, 0))
		if file := string(r.Write(Origin{})); canary.Escapes(file) || !strings.Contains(file, canary.Plain) {
			t.Errorf("%s: %s", d.Name, file)
		}
	}
}
