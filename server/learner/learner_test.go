package learner

import (
	"encoding/json"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/kube/record"
)

// opened is a Store on a file, whose wire log has these requests of the session “one”.
func opened(t *testing.T, path string, log map[uint64]string) *Store {
	t.Helper()
	s, err := Open(path, func(session string, number uint64) (record.Entry, bool) {
		body, ok := log[number]
		return record.Entry{Line: record.Line{ID: number}, Answer: record.Side{Body: []byte(body)}}, ok && session == "one"
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func file(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "state", "fieldmark", "progress.json")
}

// patch sends changes as a browser does.
func patch(t *testing.T, s *Store, body string) (code int, got whole) {
	t.Helper()
	w := httptest.NewRecorder()
	s.Serve(w, httptest.NewRequest(http.MethodPatch, "/-/progress", strings.NewReader(body)), "one")
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
	}
	return w.Code, got
}

func TestProgressSurvivesARestart(t *testing.T) {
	path := file(t)
	s := opened(t, path, nil)
	if got := s.Revision(); got != none {
		t.Errorf("a new store has the revision %s", got)
	}
	_, first := patch(t, s, `[{"name":"learner","was":null,"is":"bcdfg"},{"name":"lessons/paths","was":null,"is":{"done":true,"of tomorrow":[1]}},{"name":"tasks/kinds","was":null,"is":{"solved":true}}]`)
	if first.Revision == none || first.Revision != s.Revision() || len(first.Refused) > 0 {
		t.Errorf("%+v", first)
	}
	again := opened(t, path, nil)
	_, got := patch(t, again, `[]`)
	want := whole{
		Revision: first.Revision,
		Learn:    learn{Learner: []byte(`"bcdfg"`), Lessons: map[string]json.RawMessage{"paths": []byte(`{"done":true,"of tomorrow":[1]}`)}},
		Tasks:    map[string]json.RawMessage{"kinds": []byte(`{"solved":true}`)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("besides the file, there are %v", left)
	}
}

func TestNoEntryIsMixedFromTwoBrowsers(t *testing.T) {
	s := opened(t, file(t), nil)
	patch(t, s, `[{"name":"lessons/paths","was":null,"is":{"step":"one"}},{"name":"lessons/kinds","was":null,"is":{"step":"one"}}]`)
	for _, c := range []struct{ name, change, refused, paths string }{
		{"the first browser goes on", `{"name":"lessons/paths","was":{"step":"one"},"is":{"step":"two"}}`, "", `{"step":"two"}`},
		{"the second one was slower", `{"name":"lessons/paths","was":{"step":"one"},"is":{"step":"three"}}`, "lessons/paths", `{"step":"two"}`},
		{"the same change comes twice", `{"name":"lessons/paths","was":{"step":"one"},"is":{"step":"two"}}`, "", `{"step":"two"}`},
		{"spaces and order don't count", `{"name":"lessons/paths","was":{ "step" : "two" },"is":{"step":"four","done":true}}`, "", `{"step":"four","done":true}`},
		{"the order of names doesn't count", `{"name":"lessons/paths","was":{"done":true,"step":"four"},"is":{"step":"five"}}`, "", `{"step":"five"}`},
		{"it is forgotten", `{"name":"lessons/paths","was":{"step":"five"},"is":null}`, "", ``},
		{"the other browser knows nothing of that", `{"name":"lessons/paths","was":{"step":"five"},"is":{"step":"six"}}`, "lessons/paths", ``},
	} {
		code, got := patch(t, s, "["+c.change+"]")
		if code != http.StatusOK || strings.Join(got.Refused, " ") != c.refused || string(got.Learn.Lessons["paths"]) != c.paths || string(got.Learn.Lessons["kinds"]) != `{"step":"one"}` {
			t.Errorf("%s: %d, %+v", c.name, code, got)
		}
	}
}

func TestBadChangesChangeNothing(t *testing.T) {
	s := opened(t, file(t), nil)
	_, before := patch(t, s, `[{"name":"lessons/paths","was":null,"is":{"step":"one"}}]`)
	for name, body := range map[string]string{
		"no list":         `{}`,
		"no JSON":         `[`,
		"unknown":         `[{"name":"lessons/paths","was":{"step":"one"},"is":1},{"name":"cluster","was":null,"is":1}]`,
		"without an id":   `[{"name":"lessons/","was":null,"is":1}]`,
		"long id":         `[{"name":"lessons/` + strings.Repeat("x", 101) + `","was":null,"is":1}]`,
		"large":           `[{"name":"lessons/x","was":null,"is":"` + strings.Repeat("x", maxEntry) + `"}]`,
		"without a value": `[{"name":"lessons/x","was":null}]`,
		"far too large":   `[{"name":"lessons/x","was":null,"is":"` + strings.Repeat("x", maxChange) + `"}]`,
		"too many":        many(maxEntries + 1),
	} {
		if code, _ := patch(t, s, body); code < 400 {
			t.Errorf("%s: %d", name, code)
		}
		if got := s.Revision(); got != before.Revision {
			t.Errorf("%s: the progress has changed", name)
		}
	}
}

func many(n int) string {
	var all []string
	for i := range n {
		all = append(all, `{"name":"tasks/`+strconv.Itoa(i)+`","was":null,"is":1}`)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func TestResponsesAreKeptWhileALessonIsOpen(t *testing.T) {
	path, log := file(t), map[uint64]string{7: "first", 8: "a stream begins", 9: "second"}
	s := opened(t, path, log)
	bodies := func(s *Store) string {
		t.Helper()
		w := httptest.NewRecorder()
		s.Serve(w, httptest.NewRequest(http.MethodGet, "/-/progress?lesson=paths", nil), "two")
		var of map[string]record.Entry
		if err := json.Unmarshal(w.Body.Bytes(), &of); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, block := range slices.Sorted(maps.Keys(of)) {
			all = append(all, block+" "+strconv.FormatUint(of[block].ID, 10)+" "+string(of[block].Answer.Body))
		}
		return strings.Join(all, ", ")
	}
	step := func(s *Store, was, is, want string) {
		t.Helper()
		if code, got := patch(t, s, `[{"name":"lessons/paths","was":`+was+`,"is":`+is+`}]`); code != http.StatusOK || len(got.Refused) > 0 {
			t.Errorf("%d, %v", code, got.Refused)
		}
		if got := bodies(s); got != want {
			t.Errorf("%s, and not %s", got, want)
		}
	}
	one := `{"cluster":"practice","entries":{"0.1":"7"}}`
	step(s, `null`, one, "0.1 7 first")
	two := `{"cluster":"practice","entries":{"0.1":"7","0.2":"8"}}`
	step(s, one, two, "0.1 7 first, 0.2 8 a stream begins")
	log[8] += ", and goes on"
	if got := bodies(s); got != "0.1 7 first, 0.2 8 a stream begins, and goes on" {
		t.Errorf("the stream: %s", got)
	}
	delete(log, 7)
	three := `{"cluster":"practice","entries":{"0.1":"9","0.2":"8"}}`
	step(s, two, three, "0.1 9 second, 0.2 8 a stream begins, and goes on")

	clear(log)
	log[9] = "another request, which has this number after a restart"
	s = opened(t, path, log)
	if got := bodies(s); got != "0.1 0 second, 0.2 0 a stream begins, and goes on" {
		t.Errorf("after a restart: %s", got)
	}
	step(s, three, `{"cluster":"practice","entries":{"0.2":"8"}}`, "0.2 0 a stream begins, and goes on")
	step(s, `{"cluster":"practice","entries":{"0.2":"8"}}`, `{"done":true}`, "")
}

func TestAnotherFieldmarkWritesTheFile(t *testing.T) {
	path := file(t)
	one, two := opened(t, path, nil), opened(t, path, nil)
	patch(t, one, `[{"name":"lessons/paths","was":null,"is":{"step":"one"}}]`)
	if one.Revision() != two.Revision() {
		t.Error("two programs on one file have different revisions")
	}
	_, got := patch(t, two, `[{"name":"lessons/kinds","was":null,"is":{"step":"one"}}]`)
	if len(got.Learn.Lessons) != 2 {
		t.Errorf("%v", got.Learn.Lessons)
	}
}

func TestFilesThatCantBeRead(t *testing.T) {
	for name, content := range map[string]string{"cut": `{"fieldmark":"progress","ver`, "another": `{"kind":"Pod"}`, "empty": ""} {
		path := file(t)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s := opened(t, path, nil)
		if code, _ := patch(t, s, `[{"name":"tasks/kinds","was":null,"is":1}]`); code != http.StatusOK {
			t.Errorf("%s: %d", name, code)
		}
		if aside, err := os.ReadFile(path + ".unreadable"); err != nil || string(aside) != content {
			t.Errorf("%s: the file is lost: %q, %v", name, aside, err)
		}
	}
	path := filepath.Join(t.TempDir(), "progress.json")
	if err := os.WriteFile(path, []byte(`{"fieldmark":"progress","version":2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(path, nil, slog.New(slog.DiscardHandler)); s != nil || err == nil || !strings.Contains(err.Error(), "newer Fieldmark") {
		t.Errorf("%v, %v", s, err)
	}
}

func TestAFolderThatCantBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // no folder, so that root can't write there, either
		t.Fatal(err)
	}
	s, err := Open(filepath.Join(dir, "progress.json"), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return // the program says it at its start
	}
	if code, _ := patch(t, s, `[{"name":"tasks/kinds","was":null,"is":1}]`); code != http.StatusInsufficientStorage {
		t.Errorf("%d", code)
	}
	if got := s.Revision(); got != none {
		t.Errorf("what was not kept counts: %s", got)
	}
}

func TestWithoutAStore(t *testing.T) {
	var s *Store
	if code, _ := patch(t, s, `[]`); code != http.StatusNotFound || s.Revision() != "" {
		t.Errorf("%d, %q", code, s.Revision())
	}
}

// Browsers count the same few entries up, all at once. Each change that wasn't refused counts once.
func TestManyBrowsersAtOnce(t *testing.T) {
	s := opened(t, file(t), nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := map[string]int{}
	for browser := range uint64(8) {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(1, browser))
			known := map[string]json.RawMessage{}
			for range 30 {
				name := "lessons/" + strconv.Itoa(random.IntN(3))
				var counted struct{ N, By int }
				_ = json.Unmarshal(known[name], &counted) // none is zero
				counted.N, counted.By = counted.N+1, int(browser)
				is, _ := json.Marshal(counted)
				change, _ := json.Marshal([]Change{{Name: name, Was: known[name], Is: is}})
				_, got := patch(t, s, string(change))
				if len(got.Refused) == 0 {
					mu.Lock()
					made[name]++
					mu.Unlock()
				}
				for id, value := range got.Learn.Lessons {
					known["lessons/"+id] = value
				}
			}
		})
	}
	wg.Wait()
	_, got := patch(t, s, `[]`)
	for id, value := range got.Learn.Lessons {
		var counted struct{ N int }
		if err := json.Unmarshal(value, &counted); err != nil || counted.N != made["lessons/"+id] {
			t.Errorf("%s: %d changes were accepted, and the store has %s", id, made["lessons/"+id], value)
		}
	}
}
