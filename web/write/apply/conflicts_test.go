package apply

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// contestedMap is a manifest with so many keys.
func contestedMap(keys int, value string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\ndata:\n  free: \"1\" # of nobody\n")
	for i := range keys {
		fmt.Fprintf(&b, "  k%d: %q # of k%d\n", i, value, i)
	}
	return b.String()
}

// server answers for a ConfigMap whose keys k0, k1, … have the value 1 and belong to bob.
type server struct {
	keys int
	live map[string]string // nil: each key has the value 1
}

func (s server) answer(m *Model) func(method, path string) (int, string) {
	return func(method, path string) (int, string) {
		live, claims := map[string]string{}, map[string][]string{}
		for i := range s.keys {
			key := fmt.Sprintf("k%d", i)
			live[key], claims["bob"] = "1", append(claims["bob"], key)
		}
		for key, value := range s.live {
			live[key] = value
		}
		switch {
		case strings.Contains(path, "selfsubjectaccessreviews"):
			return 201, `{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`
		case method == "GET" && strings.Contains(path, "openapi"):
			return 404, notFound
		case method == "GET":
			return 200, configMap("7", live, claims)
		}
		data, _ := m.live.docs[0].read.Fields()["data"].(map[string]any)
		var causes []string
		for i := range s.keys {
			key := fmt.Sprintf("k%d", i)
			if value, is := data[key].(string); is && value != live[key] {
				causes = append(causes, fmt.Sprintf(`{"reason":"FieldManagerConflict","message":"conflict with \"bob\"","field":".data.%s"}`, key))
				live[key] = value
			}
		}
		if len(causes) > 0 && !strings.Contains(path, "force=true") {
			return 409, `{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed","details":{"causes":[` + strings.Join(causes, ",") + `]}}`
		}
		return 200, configMap("7", live, claims)
	}
}

// disputed is the preview of a manifest that is in conflict with bob about each key but free. Tell tells it actions and answers it.
func disputed(t *testing.T, s server) (m *Model, tell func(...page.Msg)) {
	t.Helper()
	first, commands := begun(t, contestedMap(s.keys, "2"))
	m = &first
	*m, _ = answered(t, *m, commands, s.answer(m))
	return m, func(messages ...page.Msg) {
		for _, msg := range messages {
			p, commands := m.Update(msg)
			*m = p.(Model)
			*m, _ = answered(t, *m, commands, s.answer(m))
		}
	}
}

func acted(actions ...string) []page.Msg {
	var all []page.Msg
	for _, a := range actions {
		all = append(all, page.Acted{Action: a})
	}
	return all
}

// without is the manifest without some lines, and with the live value in others.
func without(keys int, given, shared []string) string {
	var lines []string
	for _, line := range strings.Split(contestedMap(keys, "2"), "\n") {
		key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case slices.Contains(given, key):
		case slices.Contains(shared, key):
			lines = append(lines, strings.Replace(line, `"2"`, `"1"`, 1))
		default:
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func TestChoicesMakeTheManifest(t *testing.T) {
	for name, c := range map[string]struct {
		actions       []string
		given, shared []string // keys that leave the text, and that get the live value
		says          string
		button        string
		forced        bool
	}{
		"no choice":              {nil, nil, nil, "3 conflicts", "Apply, 3 undecided", false},
		"one of three":           {[]string{"give-up 0 1"}, []string{"k1"}, nil, "3 conflicts (2 undecided)", "Apply, 2 undecided", false},
		"each another":           {[]string{"overwrite 0 0", "give-up 0 1", "share 0 2"}, []string{"k1"}, []string{"k2"}, "3 conflicts decided", "Apply, overwrite 1", true},
		"all overwritten":        {[]string{"overwrite all"}, nil, nil, "3 conflicts decided", "Apply, overwrite 3", true},
		"all given up":           {[]string{"give-up all"}, []string{"k0", "k1", "k2"}, nil, "3 conflicts decided", "Apply", false},
		"all shared":             {[]string{"share all"}, nil, []string{"k0", "k1", "k2"}, "3 conflicts decided", "Apply", false},
		"another choice":         {[]string{"give-up all", "share 0 1"}, []string{"k0", "k2"}, []string{"k1"}, "3 conflicts decided", "Apply", false},
		"given up and then kept": {[]string{"give-up all", "overwrite all"}, nil, nil, "3 conflicts decided", "Apply, overwrite 3", true},
		"taken back":             {[]string{"give-up 0 0", "give-up 0 0"}, nil, nil, "3 conflicts", "Apply, 3 undecided", false},
		"all taken back":         {[]string{"share all", "share all"}, nil, nil, "3 conflicts", "Apply, 3 undecided", false},
		"no such row":            {[]string{"share 0 7", "share 9 0", "give-up x", "overwrite 0"}, nil, nil, "3 conflicts", "Apply, 3 undecided", false},
	} {
		t.Run(name, func(t *testing.T) {
			m, tell := disputed(t, server{keys: 3})
			tell(acted(c.actions...)...)
			if want := without(3, c.given, c.shared); m.live.whole != want {
				t.Errorf("the text is\n%s\nnot\n%s", m.live.whole, want)
			}
			if n := count(m.live.docs...); n.words() != c.says || n.all != 3 {
				t.Errorf("it says %q of %d", n.words(), n.all)
			}
			if got := m.applyWords(); got != c.button {
				t.Errorf("the button: %q", got)
			}
			if ready := m.unready() == ""; ready == strings.Contains(c.button, "undecided") {
				t.Errorf("it can be applied: %v (%s)", ready, m.unready())
			}
			if got := strings.Contains(sending(t, *m), "force=true"); got != c.forced {
				t.Errorf("force: %v", got)
			}
			for place, said := range map[string]string{"the head": m.sum(), "the verdict": first(m.verdict(m.live.docs[0]))} {
				if !strings.HasPrefix(said, c.says) {
					t.Errorf("%s says %q, not %q", place, said, c.says)
				}
			}
		})
	}
}

func first[T, U any](a T, _ U) T { return a }

func TestRowsStayUntilTheTextChangesByHand(t *testing.T) {
	m, tell := disputed(t, server{keys: 2})
	tell(acted("give-up 0 0", "overwrite 0 1")...)
	if n := count(m.live.docs...); n.all != 2 {
		t.Fatalf("after the choices: %+v", n)
	}
	tell(page.Typed{Field: Field, Text: m.live.whole + "  mine: \"1\"\n"})
	if n := count(m.live.docs...); n != (conflictCount{all: 1, overwritten: 1}) {
		t.Errorf("after a change by hand: %+v", n)
	}
	tell(acted("give-up 0 0")...)
	if !strings.Contains(m.live.whole, "mine") || strings.Contains(m.live.whole, "k0") || strings.Contains(m.live.whole, "k1") {
		t.Errorf("the text is\n%s", m.live.whole)
	}
}

func TestAChoiceThatNoLongerHoldsIsAskedAgain(t *testing.T) {
	s := server{keys: 2, live: map[string]string{}}
	m, tell := disputed(t, s)
	tell(acted("share 0 0", "overwrite 0 1")...)
	s.live["k0"], s.live["k1"] = "5", "5" // bob writes
	tell(acted(doPreview)...)
	if n := count(m.live.docs...); n.open != 2 || n.all != 2 {
		t.Errorf("bob has written other values: %+v", n)
	}
	tell(acted("share all")...)
	if strings.Count(m.live.whole, `"5"`) != 2 {
		t.Errorf("the text is\n%s", m.live.whole)
	}
}

func TestKeysOfConflicts(t *testing.T) {
	m, tell := disputed(t, server{keys: 3})
	pressed := func(key string) (focus string) {
		p, commands := m.Update(page.Pressed{Key: key})
		*m = p.(Model)
		for _, c := range commands {
			if f, is := c.(page.Focus); is {
				focus = f.ID
				tell(page.Focused(f))
			}
		}
		*m, _ = answered(t, *m, commands, server{keys: 3}.answer(m))
		return focus
	}
	pressed("2")
	if n := count(m.live.docs...); n.open != 3 {
		t.Error("a key chooses, and no row has the focus")
	}
	for _, step := range []struct{ key, focus string }{
		{"j", "conflict-0-0-overwrite"},
		{"j", "conflict-0-1-overwrite"},
		{"3", ""},
		{"k", "conflict-0-0-overwrite"},
		{"k", ""},
		{"j", "conflict-0-1-share"},
		{"j", "conflict-0-2-overwrite"},
		{"j", ""},
	} {
		if got := pressed(step.key); got != step.focus {
			t.Errorf("%s: the focus goes to %q, not %q", step.key, got, step.focus)
		}
	}
	if got := m.live.docs[0].rows[1].choice; got != share {
		t.Errorf("the second row: %q", got)
	}
}

func TestConsequences(t *testing.T) {
	holder := func(name string, controller bool) change.Holder {
		return change.Holder{Owner: ownership.Owner{Manager: ownership.Manager{Name: name, Operation: ownership.Update}}, Likely: change.Likely{Controller: controller, Why: name + " is one."}}
	}
	bob, ann, hpa := holder("bob", false), holder("ann", false), holder("hpa", true)
	for _, c := range []struct {
		choice choice
		partly bool
		held   bool
		owners []change.Holder
		want   string
		warns  bool
	}{
		{open, false, true, []change.Holder{bob}, "Choose what happens to the field.", false},
		{open, false, true, []change.Holder{bob, hpa}, "hpa looks like a controller. After an overwrite, expect a fight.", true},
		{overwrite, false, true, []change.Holder{bob}, "You become the only owner. bob loses the field.", false},
		{overwrite, false, true, []change.Holder{bob, ann}, "You become the only owner. bob and ann lose the field.", false},
		{overwrite, false, true, []change.Holder{hpa}, "hpa will probably write its value again. Expect a fight.", true},
		{giveUp, false, true, []change.Holder{bob}, `The value stays "1". Only your manifest loses the field.`, false},
		{giveUp, true, true, []change.Holder{bob, ann}, `The value stays "1". Your change is taken back.`, false},
		{giveUp, false, false, []change.Holder{bob}, "The field stays absent. Only your manifest loses the field.", false},
		{share, false, true, []change.Holder{bob}, `The value stays "1". You and bob own the field together.`, false},
	} {
		r := contested{choice: c.choice, Conflict: change.Conflict{Path: ".data.x", Held: c.held, Sent: true, Live: `"1"`, LiveValue: "1", Yours: `"2"`, YourValue: "2", Owners: c.owners}}
		if got, warns := r.consequence(c.partly); got != c.want || warns != c.warns {
			t.Errorf("%s of %d: %q (%v), want %q", c.choice, len(c.owners), got, warns, c.want)
		}
	}
}

func TestAFieldWithoutALiveValueIsNotShared(t *testing.T) {
	m := fought(t)
	m.live.docs[0].rows[0].Held = false
	if _, commands := after(t, m, page.Acted{Action: "share all"}); len(sent(commands)) > 0 || count(m.live.docs...).open != 1 {
		t.Errorf("it is shared: %v", commands)
	}
}
