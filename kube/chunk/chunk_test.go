package chunk

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/watch"
)

func list(version, token string, remaining int, names ...string) string {
	items := make([]string, 0, len(names))
	for _, n := range names {
		items = append(items, fmt.Sprintf(`{"metadata":{"namespace":"lab","name":%q,"uid":"u-%s","resourceVersion":"1"}}`, n, n))
	}
	left := ""
	if remaining >= 0 {
		left = fmt.Sprintf(`,"remainingItemCount":%d`, remaining)
	}
	return fmt.Sprintf(`{"kind":"PodList","metadata":{"resourceVersion":%q,"continue":%q%s},"items":[%s]}`, version, token, left, strings.Join(items, ","))
}

const (
	gone = `{"kind":"Status","status":"Failure","reason":"Expired","code":410,"message":"too old","metadata":{"continue":"offered"}}`
	bare = `{"kind":"Status","status":"Failure","reason":"Expired","code":410,"message":"too old","metadata":{}}`
	no   = `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`
)

// play plays answers to a list by two: lists as they are, refusals with their code before them, "lost" for none, "go on".
func play(t *testing.T, answers ...string) (Run, []string) {
	t.Helper()
	r := Begin(2)
	var asked []string
	for _, a := range answers {
		if a == "go on" {
			r, _ = r.GoOn()
			continue
		}
		var ok bool
		if r, ok = r.Ask(); !ok {
			asked = append(asked, "nothing")
			continue
		}
		asked = append(asked, r.Query(url.Values{"labelSelector": {"a=b"}}).Encode())
		var code int
		switch _, err := fmt.Sscanf(a, "%d ", &code); {
		case a == "lost":
			r = r.Lost()
		case err == nil:
			r = r.Denied(ParseRefusal(code, []byte(a[4:])))
		default:
			answer, err := Parse([]byte(a))
			if err != nil {
				t.Fatal(err)
			}
			r = r.Took(answer)
		}
	}
	return r, asked
}

func TestRun(t *testing.T) {
	first, second, last := list("7", "t1", 3, "a", "b"), list("7", "t2", 1, "c", "d"), list("7", "", -1, "e")
	const begin, next, third = "labelSelector=a%3Db&limit=2", "continue=t1&labelSelector=a%3Db&limit=2", "continue=t2&labelSelector=a%3Db&limit=2"
	for name, c := range map[string]struct {
		answers []string
		asked   string
		phase   Phase
		count   int
		seams   int
		left    string
	}{
		"nothing yet":               {nil, "", Ready, 0, 0, "unknown"},
		"one":                       {[]string{first}, begin, Ready, 2, 0, "3"},
		"all":                       {[]string{first, second, last}, begin + " " + next + " " + third, Whole, 5, 0, "0"},
		"nothing after the last":    {[]string{last, first}, begin + " nothing", Whole, 1, 0, "0"},
		"an empty collection":       {[]string{list("7", "", -1)}, begin, Whole, 0, 0, "0"},
		"with selectors":            {[]string{list("7", "t1", -1, "a", "b")}, begin, Ready, 2, 0, "unknown"},
		"no answer, asked again":    {[]string{first, "lost", second}, begin + " " + next + " " + next, Ready, 4, 0, "1"},
		"expired":                   {[]string{first, "410 " + gone}, begin + " " + next, Expired, 2, 0, "3"},
		"expired, nothing offered":  {[]string{first, "410 " + bare, "go on", second}, begin + " " + next + " nothing", Expired, 2, 0, "3"},
		"expired, and gone on":      {[]string{first, "410 " + gone, "go on", list("9", "", -1, "c", "d")}, begin + " " + next + " continue=offered&labelSelector=a%3Db&limit=2", Whole, 4, 1, "0"},
		"gone without a token":      {[]string{"410 " + gone}, begin, Refused, 0, 0, "unknown"},
		"refused":                   {[]string{"403 " + no}, begin, Refused, 0, 0, "unknown"},
		"refused on the way":        {[]string{first, "403 " + no, second}, begin + " " + next + " nothing", Refused, 2, 0, "3"},
		"another version unasked":   {[]string{first, list("8", "", -1, "c")}, begin + " " + next, Whole, 3, 1, "0"},
		"to go on is only after it": {[]string{first, "go on", second}, begin + " " + next, Ready, 4, 0, "1"},
	} {
		r, asked := play(t, c.answers...)
		left := "unknown"
		if n, ok := r.Left(); ok {
			left = fmt.Sprint(n)
		}
		if got := strings.Join(asked, " "); got != c.asked || r.Phase != c.phase || r.Count() != c.count || r.Seams() != c.seams || left != c.left {
			t.Errorf("%s: %s, %d objects, %d seams, %s left, asked\n%s\nwant %s, %d, %d, %s\n%s", name, r.Phase, r.Count(), r.Seams(), left, got, c.phase, c.count, c.seams, c.left, c.asked)
		}
	}
}

func TestStuck(t *testing.T) {
	empties := func(n int) (all []string) {
		for i := range n {
			all = append(all, list("7", fmt.Sprintf("e%d", i), -1))
		}
		return all
	}
	for name, c := range map[string]struct {
		answers []string
		want    string // in the words
	}{
		"nothing yet":            {nil, ""},
		"gets on":                {[]string{list("7", "t1", -1, "a"), list("7", "t2", -1, "b")}, ""},
		"the last chunk":         {[]string{list("7", "t1", -1, "a"), list("7", "", -1)}, ""},
		"a token again":          {[]string{list("7", "t1", -1, "a"), list("7", "t2", -1, "b"), list("7", "t1", -1, "c")}, "continue token"},
		"an object again":        {[]string{list("7", "t1", -1, "a", "b"), list("7", "t2", -1, "a", "b")}, "a chunk that it has sent before"},
		"some chunks of nothing": {empties(watch.MaxEmpty), ""},
		"one too many":           {empties(watch.MaxEmpty + 1), "9 chunks without objects"},
	} {
		r, _ := play(t, c.answers...)
		if got := r.Stuck(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A run is a value: what is done with a copy leaves it as it was.
func TestRunIsAValue(t *testing.T) {
	r, _ := play(t, list("7", "t1", 3, "a", "b"))
	one, _ := r.Ask()
	a, _ := Parse([]byte(list("7", "t2", 1, "c", "d")))
	b, _ := Parse([]byte(list("8", "", -1, "x")))
	one, other := one.Took(a), one.Took(b)
	if r.Count() != 2 || one.Count() != 4 || other.Count() != 3 || one.Version() != "7" || other.Version() != "8" {
		t.Errorf("%+v, %+v, %+v", r, one, other)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, body := range []string{``, `{`, `[]`, `{}`, `{"kind":"Status"}`, `{"items":7}`, `{"items":[],"metadata":7}`, `{"items":[{"metadata":[]}]}`} {
		if a, err := Parse([]byte(body)); err == nil {
			t.Errorf("%s was read as %+v", body, a)
		}
	}
}

func TestPeek(t *testing.T) {
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for token, want := range map[string]Inside{
		"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NzY1LCJzdGFydCI6Ii9hMlx1MDAwMCJ9":    {Form: "meta.k8s.io/v1", Version: 765, Start: "/a2\x00"},
		encode(`{"v":"meta.k8s.io/v1","rv":-1,"start":"shop/web\u0000"}`):         {Form: "meta.k8s.io/v1", Version: -1, Start: "shop/web\x00"},
		base64.URLEncoding.EncodeToString([]byte(`{"v":"x","rv":5,"start":"a"}`)): {Form: "x", Version: 5, Start: "a"},
	} {
		if got, ok := Peek(token); !ok || got != want {
			t.Errorf("%s holds %+v (%v)", token, got, ok)
		}
	}
	for _, token := range []string{"", "abc", "!", encode(`{}`), encode(`{"v":"x","rv":1}`), encode(`{"v":"x","rv":"1","start":"a"}`), encode(`{"v":"x","rv":1.5,"start":"a"}`), encode(`7`), encode(strings.Repeat(" ", maxToken))} {
		if got, ok := Peek(token); ok {
			t.Errorf("%q holds %+v", token, got)
		}
	}
	if i, _ := Peek(encode(`{"v":"x","rv":-1,"start":"/shop/web\u0000"}`)); i.After() != "shop/web" || !i.Newest() {
		t.Errorf("%+v", i)
	}
}

func FuzzPeek(f *testing.F) {
	f.Add("eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NzY1LCJzdGFydCI6Ii9hMlx1MDAwMCJ9")
	f.Add("e30")
	f.Fuzz(func(t *testing.T, token string) {
		in, ok := Peek(token)
		if !ok {
			return
		}
		text, err := json.Marshal(map[string]any{"v": in.Form, "rv": in.Version, "start": in.Start})
		if err != nil {
			t.Fatal(err)
		}
		if again, ok := Peek(base64.RawURLEncoding.EncodeToString(text)); !ok || again != in {
			t.Errorf("%+v, then %+v", in, again)
		}
		_ = in.After()
	})
}

func FuzzParse(f *testing.F) {
	f.Add(list("7", "t", 3, "a"))
	f.Add(gone)
	f.Fuzz(func(t *testing.T, body string) {
		_, _ = Parse([]byte(body))
		if r := ParseRefusal(410, []byte(body)); !r.Expired() {
			t.Error("410 is expired")
		}
	})
}

func TestBeside(t *testing.T) {
	r, _ := play(t, list("7", "t1", 3, "b", "d"))
	named := func(name, uid string) Item { return Item{Namespace: "lab", Name: name, UID: uid, Version: "9"} }
	var b Beside
	for _, e := range []struct {
		kind watch.Type
		item Item
	}{
		{watch.Added, named("c", "u-c")},
		{watch.Modified, named("c", "u-c")}, // stays born
		{watch.Deleted, named("b", "u-b")},
		{watch.Added, named("b", "u-b2")}, // another of the same name
		{watch.Modified, named("d", "u-d")},
		{watch.Added, named("a", "u-a")},
		{watch.Deleted, named("a", "u-a")},
		{watch.Bookmark, named("z", "u-z")},
	} {
		b = b.Happened(e.kind, e.item)
	}
	var got []string
	for _, a := range b.Of(r) {
		got = append(got, fmt.Sprintf("%s %s at %d, listed %v, %d", a.Name, a.Fate, a.Place, a.Listed, a.Count))
	}
	want := "a gone at 0, listed false, 2; b gone at 0, listed true, 1; b born at 0, listed false, 1; c born at 1, listed false, 2; d changed at 1, listed true, 1"
	if strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
}

// After a seam, a list has what had happened by then.
func TestBesideAListWithASeam(t *testing.T) {
	r, _ := play(t, list("7", "t1", 1, "a", "b"), "410 "+gone, "go on", list("9", "", -1, "c", "d"))
	var b Beside
	b = b.Happened(watch.Modified, Item{Namespace: "lab", Name: "a", UID: "u-a", Version: "8"})
	b = b.Happened(watch.Added, Item{Namespace: "lab", Name: "c", UID: "u-c", Version: "1"})
	for _, a := range b.Of(r) {
		if !a.Listed || a.Same != (a.Name == "c") {
			t.Errorf("%+v", a)
		}
	}
}

func TestBesideIsBounded(t *testing.T) {
	var b Beside
	for n := range besideKept + 20 {
		b = b.Happened(watch.Added, Item{UID: fmt.Sprint(n)})
	}
	for range 2 * eventsKept {
		b = b.Happened(watch.Modified, Item{UID: "0"})
	}
	all := b.Of(Begin(1))
	if len(all) != besideKept || b.Over() != 20 || len(all[0].Events) > eventsKept {
		t.Errorf("%d objects, %d over", len(all), b.Over())
	}
}

// An API server lists by the bytes of its keys, in which the namespace ends with a slash.
func TestKeysAreInTheOrderOfTheList(t *testing.T) {
	a, b := Item{Namespace: "shop-2", Name: "a"}, Item{Namespace: "shop", Name: "a"}
	if a.Key() >= b.Key() {
		t.Errorf("%s comes before %s", a.Key(), b.Key())
	}
}
