package ownership

import (
	"fmt"
	"strings"
	"testing"
)

func spellEffect(e Effect) string {
	var words []string
	for _, part := range []struct {
		name   string
		claims []Claim
	}{{"conflicts", e.Conflicts}, {"takes", e.Takes}, {"shares", e.Shares}} {
		for _, c := range part.claims {
			words = append(words, part.name+" "+c.Name+" "+c.Operation+" "+strings.Join(c.Keys, " "))
		}
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"owns", e.Owns}, {"gone", e.Gone}, {"may pass", e.MayPass}} {
		if flag.set {
			words = append(words, flag.name)
		}
	}
	return strings.Join(words, "; ")
}

// Rules 7, 12 and 13, on the objects of a real server.
func TestEffect(t *testing.T) {
	apply := func(name string) Manager { return Manager{Name: name, Operation: Apply, APIVersion: "v1"} }
	patch := func(name string) Manager { return Manager{Name: name, Operation: Update, APIVersion: "v1"} }
	for _, c := range []struct {
		file, path string
		write      Write
		want       string
	}{
		{"coowners", ".data.both", Write{apply("alice"), Set, false}, "conflicts bob Apply f:data f:both; owns"},
		{"coowners", ".data.both", Write{apply("alice"), Equal, false}, "shares bob Apply f:data f:both; owns"},
		{"coowners", ".data.both", Write{apply("alice"), Set, true}, "takes bob Apply f:data f:both; owns"},
		{"coowners", ".data.both", Write{apply("alice"), Remove, false}, "shares bob Apply f:data f:both"},
		{"coowners", ".data.alice", Write{apply("alice"), Remove, false}, "gone"},
		{"coowners", ".data.alice", Write{apply("bob"), Remove, false}, "shares alice Apply f:data f:alice"},
		{"coowners", ".data.alice", Write{patch("bob"), Remove, false}, "takes alice Apply f:data f:alice; gone"},
		{"coowners", ".data.both", Write{patch("carol"), Set, false}, "takes alice Apply f:data f:both; takes bob Apply f:data f:both; owns"},
		{"coowners", ".data.both", Write{patch("carol"), Equal, false}, "shares alice Apply f:data f:both; shares bob Apply f:data f:both"},
		{"coowners", ".data.new", Write{apply("carol"), Set, false}, "owns"},
		{"coowners", ".data", Write{apply("carol"), Set, false}, "conflicts carol Update f:data f:added; conflicts alice Apply f:data f:alice; conflicts bob Apply f:data f:bob; " +
			"conflicts alice Apply f:data f:both; conflicts bob Apply f:data f:both; conflicts carol Update f:data f:taken"},
		{"twice", ".data.a", Write{apply("alice"), Set, false}, "conflicts alice Update f:data f:a"},
		{"scaled", ".spec.replicas", Write{Manager{Name: "kubectl", Operation: Update, APIVersion: "apps/v1"}, Set, false}, "takes kubectl Update f:spec f:replicas; owns"},
		{"scaled", ".spec.replicas", Write{Manager{Name: "kubectl", Operation: Update, Subresource: "scale", APIVersion: "apps/v1"}, Set, false}, "owns"},
		{"scaled", ".spec.selector.matchLabels.app", Write{apply("other"), Set, false}, "conflicts deployer Apply f:spec f:selector"},
		{"moving", ".spec.former", Write{apply("present"), Set, false}, "conflicts past Apply f:spec f:former"},
		{"owned", ".metadata.labels", Write{apply("other"), Set, false}, "conflicts owner Apply f:metadata f:labels"},
	} {
		t.Run(fmt.Sprint(c.file, c.path, c.write), func(t *testing.T) {
			b, _ := blamed(t, load(t, "testdata/"+c.file+".json"))
			if got := spellEffect(b.Effect(c.path, c.write)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestKubectlMayPass(t *testing.T) {
	const object = `{"apiVersion":"v1","a":1,"b":2,"ports":[{"port":80,"protocol":"TCP"}],"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":%q}}}`
	const claims = `{"f:a":{},"f:b":{},"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}`
	const port = `.ports[port=80,protocol="TCP"].port`
	for _, c := range []struct {
		applied, by, path string
		want              bool
	}{
		{`{"apiVersion":"v1","a":1}`, "kubectl", ".a", true},
		{`{"apiVersion":"v1","a":1}`, "other", ".a", false},
		{`{"apiVersion":"v1","a":0}`, "kubectl", ".a", false},
		{`{"apiVersion":"v2","a":1}`, "kubectl", ".a", false},
		{`{"apiVersion":"v1","a":1}`, "kubectl", ".b", false},
		{`{"apiVersion":"v1","ports":[{"port":80}]}`, "kubectl", port, true},
		{`{"apiVersion":"v1","ports":[{"port":80,"protocol":"UDP"}]}`, "kubectl", port, false},
		{`{"apiVersion":"v1","a":`, "kubectl", ".a", false},
		{`{"apiVersion":"v1","a":1} 1`, "kubectl", ".a", false},
		{"", "kubectl", ".a", false},
		{"null", "kubectl", ".a", false},
	} {
		b, _ := blamed(t, with(t, fmt.Sprintf(object, c.applied), "["+entry("kubectl-client-side-apply", Update, claims)+"]"))
		if e := b.Effect(c.path, Write{By: Manager{Name: c.by, Operation: Apply}, Change: Set}); e.MayPass != c.want || len(e.Conflicts) != 1 {
			t.Errorf("%s on %s, where %q was applied: %s", c.by, c.path, c.applied, spellEffect(e))
		}
	}
	// Of several conflicts, each must be in it.
	b, _ := blamed(t, with(t, fmt.Sprintf(`{"m":{"a":1,"b":2},"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":%q}}}`, `{"m":{"a":1,"b":3}}`),
		"["+entry("x", Update, `{"f:m":{"f:a":{},"f:b":{}}}`)+"]"))
	if e := b.Effect(".m", Write{By: Manager{Name: "kubectl", Operation: Apply}, Change: Set}); e.MayPass || len(e.Conflicts) != 2 {
		t.Error(spellEffect(e))
	}
}

func TestIdentity(t *testing.T) {
	one := Manager{Name: "m", Operation: Apply, APIVersion: "v1"}
	for _, c := range []struct {
		a, b Manager
		want bool
	}{
		{one, one, true},
		{one, Manager{Name: "m", Operation: Apply, APIVersion: "v2"}, true},
		{one, Manager{Name: "m", Operation: Apply, Subresource: "status", APIVersion: "v1"}, false},
		{one, Manager{Name: "m", Operation: Update, APIVersion: "v1"}, false},
		{one, Manager{Name: "n", Operation: Apply, APIVersion: "v1"}, false},
		{Manager{Name: "m", Operation: Update, APIVersion: "v1"}, Manager{Name: "m", Operation: Update, APIVersion: "v2"}, false},
	} {
		if c.a.Same(c.b) != c.want || c.b.Same(c.a) != c.want {
			t.Errorf("%v and %v: want %v", c.a, c.b, c.want)
		}
	}
}

func TestRecord(t *testing.T) {
	o := load(t, "testdata/crowd.json")
	r := Parse(o.Fields)
	if first := r.Entries[0]; len(r.Entries) != 10 || !first.History() || r.Entries[1].History() {
		t.Errorf("%d entries, the first of %s", len(r.Entries), first.Name)
	}
	r = Parse(with(t, `{}`, `[
		{"manager":"late","operation":"Update","apiVersion":"v2","time":"2026-01-02T00:00:00Z","fieldsType":"FieldsV1"},
		{"manager":"early","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1"},
		{"manager":"timeless","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1"},
		{"manager":"applier","operation":"Apply","apiVersion":"v1","time":"2026-01-03T00:00:00Z","fieldsType":"FieldsV1"}]`).Fields)
	var names []string
	for _, m := range r.Managers() {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "applier timeless early late" {
		t.Error(got)
	}
	if got := strings.Join(r.Versions(), " "); got != "v1 v2" {
		t.Error(got)
	}
	if !r.Entries[1].Written().IsZero() || r.Entries[0].Written().Day() != 3 {
		t.Error("the times are others")
	}
}

func TestHoldings(t *testing.T) {
	b, _ := blamed(t, load(t, "testdata/moving.json"))
	for name, want := range map[string]string{
		"past":    ".spec.former (version) f:spec f:former, .spec.kept () f:spec f:kept",
		"present": ".spec.kept () f:spec f:kept, .spec.later () f:spec f:later",
		"nobody":  "",
	} {
		var words []string
		for _, h := range b.Holdings(Manager{Name: name, Operation: Apply}) {
			words = append(words, fmt.Sprintf("%s (%s) %s", h.Path, h.Lost, strings.Join(h.Keys, " ")))
		}
		if got := strings.Join(words, ", "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestSummary(t *testing.T) {
	b, _ := blamed(t, load(t, "testdata/coowners.json"))
	s := b.Summarize()
	got := fmt.Sprintf("%d leaves, %d nobody's, %d shared; %v", s.Leaves, s.Nobody, s.Shared, s.Fields)
	for _, m := range s.Managers {
		got += fmt.Sprintf("; %s %d, %d alone %v", m.Name, m.Leaves, m.Alone, m.Fields)
	}
	want := "13 leaves, 7 nobody's, 1 shared; [apiVersion data kind metadata]; alice 3, 2 alone [0 2 0 1]; bob 2, 1 alone [0 2 0 0]; carol 2, 2 alone [0 2 0 0]"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
