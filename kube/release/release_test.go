package release

import (
	"slices"
	"strings"
	"testing"
)

func TestVersionsOfServers(t *testing.T) {
	for text, want := range map[string]Version{
		"v1.37.1": 37, "v1.33.4-eks-595af52": 33, "v1.32.2-gke.1182003": 32, "v1.31.5+k3s1": 31, "v1.36.0-alpha.1": 36, "1.33+": 33, "1.9": 9, "v1.30": 30,
		"": 0, "v2.1.0": 0, "v1": 0, "v1.": 0, "v1.x": 0, "v0.0.0-master+$Format:%H$": 0, "1.033": 0, "v1.33x": 0, "1.3333": 0, "1.33\n": 0, "1.0": 0,
	} {
		if got := Of(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for i, want := range map[Info]Version{
		{GitVersion: "v1.34.1", Major: "1", Minor: "33+"}:                   34,
		{GitVersion: "v0.0.0-master+$Format:%H$", Major: "1", Minor: "33+"}: 33,
		{Major: "1", Minor: "29"}:                                           29,
		{Major: "2", Minor: "33"}:                                           0,
		{GitVersion: "nonsense", Major: "one", Minor: "thirty-three"}:       0,
		{}: 0,
	} {
		if got := i.Version(); got != want {
			t.Errorf("%+v: %v, want %v", i, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		text   string
		holds  []Version // of 31 to 37
		words  string
		rest   string
		refuse string
	}{
		{text: "x", holds: []Version{31, 32, 33, 34, 35, 36, 37}, words: "all versions", rest: "x"},
		{text: "since=1.35 x y", holds: []Version{35, 36, 37}, words: "1.35 and later", rest: "x y"},
		{text: "until=1.32 x", holds: []Version{31, 32}, words: "1.32 and earlier", rest: "x"},
		{text: "since=1.32 until=1.34 x", holds: []Version{32, 33, 34}, words: "1.32 to 1.34", rest: "x"},
		{text: " until=1.33  since=1.33  x", holds: []Version{33}, words: "1.33 only", rest: "x"},
		{text: "x since=1.33", holds: []Version{31, 32, 33, 34, 35, 36, 37}, words: "all versions", rest: "x since=1.33"},
		{text: "since=1.33", holds: []Version{33, 34, 35, 36, 37}, words: "1.33 and later"},
		{text: "since=1.4.1 x", refuse: `since: "1.4.1" is no version: it is written with major and minor version, such as 1.34`},
		{text: "since=v1.34 x", refuse: `since: "v1.34" is no version: it is written with major and minor version, such as 1.34`},
		{text: "until= x", refuse: `until: "" is no version: it is written with major and minor version, such as 1.34`},
		{text: "since=1.33 since=1.34 x", refuse: "since is there twice"},
		{text: "since=1.35 until=1.34 x", refuse: "since=1.35 until=1.34 has no version: since is the first version, and until is the last one"},
	} {
		r, rest, err := Cut(c.text)
		if err != nil || c.refuse != "" {
			if err == nil || err.Error() != c.refuse {
				t.Errorf("%q: %v, want %s", c.text, err, c.refuse)
			}
			continue
		}
		var holds []Version
		for v := range (Range{Since: 31, Until: 37}).All() {
			if r.Holds(v) {
				holds = append(holds, v)
			}
		}
		if !slices.Equal(holds, c.holds) || r.Words() != c.words || rest != c.rest {
			t.Errorf("%q: holds for %v, %q, rest %q", c.text, holds, r.Words(), rest)
		}
	}
	if (Range{Since: 1}).Holds(0) || (Range{Until: 99}).Holds(0) || !(Range{}).Holds(0) {
		t.Error("an unknown version is only in the range of all versions")
	}
	if _, err := ParseRange("from=1.33"); err == nil || IsOption("since") || IsOption("sinc=1") || !IsOption("until=") {
		t.Errorf("other words are taken for a range: %v", err)
	}
}

func TestMeet(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"since=1.33", "", "since=1.33"},
		{"since=1.33", "until=1.34", "since=1.33 until=1.34"},
		{"since=1.33", "since=1.35", "since=1.35"},
		{"until=1.33", "until=1.35", "until=1.33"},
		{"since=1.34", "until=1.33", "none"},
	} {
		a, _ := ParseRange(strings.Fields(c.a)...)
		b, _ := ParseRange(strings.Fields(c.b)...)
		for _, pair := range [][2]Range{{a, b}, {b, a}} {
			got, ok := pair[0].Meet(pair[1])
			if text := got.String(); ok != (c.want != "none") || ok && text != c.want {
				t.Errorf("%v and %v: %q, %v", pair[0], pair[1], text, ok)
			}
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, text := range []string{"since=1.34 x", "until=1.33 since=1.31", "x", "since=1.34 until=1.30 x", "since=", "since=1.34  since=1.34"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, rest, err := Cut(text)
		if err != nil {
			return
		}
		if !strings.HasSuffix(text, rest) {
			t.Errorf("%q: the rest is %q", text, rest)
		}
		again, more, err := Cut(strings.TrimLeft(r.String()+" "+rest, " "))
		if err != nil || again != r || strings.TrimLeft(more, " ") != strings.TrimLeft(rest, " ") {
			t.Errorf("%q: %v %q, again %v %q, %v", text, r, rest, again, more, err)
		}
	})
}

func FuzzOf(f *testing.F) {
	f.Add("v1.33.4-eks-595af52")
	f.Fuzz(func(t *testing.T, text string) {
		v := Of(text)
		if v < 0 || v > 999 || v.Known() && !strings.Contains(text, v.String()) {
			t.Errorf("%q: %v", text, v)
		}
	})
}
