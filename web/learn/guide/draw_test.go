package guide

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/kube/rounds"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// written is the guide as its files say: the chapters, and the lessons in their order.
func written(t *testing.T) ([]Chapter, []Lesson) {
	t.Helper()
	const folder = "../../../lessons/guide"
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var chapters []Chapter
	if err := yaml.Unmarshal(read("chapters.yaml"), &chapters); err != nil {
		t.Fatal(err)
	}
	var all []Lesson
	for _, c := range chapters {
		for _, id := range c.Lessons {
			_, head, _ := strings.Cut(string(read(filepath.Join(id, "lesson.md"))), "---\n")
			head, _, _ = strings.Cut(head, "\n---\n")
			l := Lesson{}
			if err := yaml.Unmarshal([]byte(head), &l); err != nil {
				t.Fatal(err)
			}
			l.ID = id
			all = append(all, l)
		}
	}
	return chapters, all
}

// invented is a guide in which lessons build on some before them. A chapter has one to five of them.
func invented(r *rand.Rand) (chapters []Chapter, all []Lesson) {
	room := 0
	for i := range 2 + r.IntN(40) {
		l := Lesson{ID: "lesson-" + strconv.Itoa(i) + strings.Repeat("-of-it", r.IntN(3))}
		for range r.IntN(4) {
			if i > 0 {
				l.After = append(l.After, all[r.IntN(i)].ID)
			}
		}
		if room == 0 {
			chapters, room = append(chapters, Chapter{Title: "Chapter " + strconv.Itoa(len(chapters)+1)}), 1+r.IntN(5)
		}
		room--
		last := &chapters[len(chapters)-1]
		last.Lessons = append(last.Lessons, l.ID)
		all = append(all, l)
	}
	return chapters, all
}

func TestTheDrawing(t *testing.T) {
	chapters, guide := written(t)
	if len(guide) < 35 {
		t.Fatalf("only %d lessons were found", len(guide))
	}
	c := Draw(chapters, guide)
	sound(t, guide, c)
	legible(t, c)
	if c.Width > 1038 || c.Height > 700 {
		t.Errorf("it is %d by %d: too large for its page", c.Width, c.Height)
	}
	for seed := range uint64(rounds.Of(300)) {
		chapters, guide := invented(rand.New(rand.NewPCG(seed, 1)))
		sound(t, guide, Draw(chapters, guide))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// stretch is a straight part of a wire.
type stretch struct{ x, y, toX, toY int }

func stretches(t *testing.T, way string) []stretch {
	t.Helper()
	var all []stretch
	x, y := 0, 0
	for _, part := range regexp.MustCompile(`[MHVQ][^MHVQ]*`).FindAllString(way, -1) {
		var n []int
		for _, number := range strings.Fields(part[1:]) {
			i, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("%s: %v", way, err)
			}
			n = append(n, i)
		}
		from := stretch{x, y, x, y}
		switch part[0] {
		case 'M':
			x, y = n[0], n[1]
			continue
		case 'H':
			x = n[0]
		case 'V':
			y = n[0]
		case 'Q':
			x, y = n[2], n[3]
		}
		all = append(all, stretch{from.x, from.y, x, y})
	}
	return all
}

// meets tells whether a stretch comes into a box.
func (s stretch) meets(left, top, right, foot int) bool {
	return min(s.x, s.toX) < right && left < max(s.x, s.toX) && min(s.y, s.toY) < foot && top < max(s.y, s.toY) ||
		s.y == s.toY && top < s.y && s.y < foot && min(s.x, s.toX) < right && left < max(s.x, s.toX) ||
		s.x == s.toX && left < s.x && s.x < right && min(s.y, s.toY) < foot && top < max(s.y, s.toY)
}

// sound tells what is wrong with any drawing.
func sound(t *testing.T, guide []Lesson, c Chart) {
	t.Helper()
	stops := map[string]Stop{}
	for _, s := range c.Stops {
		for _, other := range stops {
			if s.Y-radius < other.Y+radius && other.Y-radius < s.Y+radius && s.X-radius < other.labelEnd() && other.X-radius < s.labelEnd() {
				t.Errorf("%s lies on %s", s.ID, other.ID)
			}
		}
		if s.X-radius < titleWidth || s.labelEnd() > c.Width || s.Y-radius < 0 || s.Y+radius > c.Height {
			t.Errorf("%s is outside: %+v", s.ID, s)
		}
		stops[s.ID] = s
	}
	if len(stops) != len(guide) {
		t.Errorf("%d stops, but %d lessons", len(stops), len(guide))
	}
	after := map[string][]string{}
	for _, w := range c.Wires {
		after[w.To] = append(after[w.To], w.From)
		from, to, way := stops[w.From], stops[w.To], stretches(t, w.Way)
		first, last := way[0], way[len(way)-1]
		if first.x < from.labelEnd() || first.y != from.Y || last.toX != to.X-radius || last.toY != to.Y {
			t.Errorf("%+v doesn't lead from %+v to %+v", w, from, to)
		}
		for _, s := range way {
			if s.toX < s.x {
				t.Errorf("%+v leads back", w)
			}
			for _, other := range c.Stops {
				if s.meets(other.X-radius, other.Y-radius, other.labelEnd(), other.Y+radius) {
					t.Errorf("%+v goes through %+v", w, other)
				}
			}
		}
	}
	for _, l := range guide {
		for _, before := range l.After {
			if stops[before].X >= stops[l.ID].X || !leads(after, l.ID, before, map[string]bool{}) {
				t.Errorf("nothing leads from %s to %s", before, l.ID)
			}
		}
	}
}

// legible tells where wires of different lessons that lead to different ones lie on each other.
func legible(t *testing.T, c Chart) {
	t.Helper()
	for i, a := range c.Wires {
		for _, b := range c.Wires[:i] {
			if a.From == b.From || a.To == b.To {
				continue
			}
			for _, s := range stretches(t, a.Way) {
				for _, o := range stretches(t, b.Way) {
					along := s.y == s.toY && o.y == o.toY && s.y == o.y && s.x < o.toX && o.x < s.toX
					upright := s.x == s.toX && o.x == o.toX && s.x == o.x && min(s.y, s.toY) < max(o.y, o.toY) && min(o.y, o.toY) < max(s.y, s.toY)
					if along || upright {
						t.Errorf("%+v lies on %+v", a, b)
					}
				}
			}
		}
	}
}

// places tells where stops are, as columns and rows, from what was drawn.
func places(c Chart) string {
	var all []string
	for _, s := range c.Stops {
		lane := slices.IndexFunc(c.Lanes, func(l Lane) bool { return l.Top < s.Y && s.Y < l.Top+l.Height })
		all = append(all, fmt.Sprintf("%s %d:%d", s.ID, lane+1, (s.Y-c.Lanes[lane].Top)/rowHeight))
	}
	return strings.Join(all, ", ")
}

func wired(c Chart) string {
	var all []string
	for _, w := range c.Wires {
		all = append(all, w.From+">"+w.To)
	}
	return strings.Join(all, " ")
}

func TestPlacesAndWires(t *testing.T) {
	type chapter = []Lesson
	l := func(id string, after ...string) Lesson { return Lesson{ID: id, After: after} }
	for what, c := range map[string]struct {
		guide         []chapter
		places, wires string
	}{
		"nothing":                       {nil, "", ""},
		"a line":                        {[]chapter{{l("a"), l("b", "a"), l("c", "b")}}, "a 1:0, b 1:0, c 1:0", "a>b b>c"},
		"what is said twice":            {[]chapter{{l("a"), l("b", "a"), l("c", "b", "a")}}, "a 1:0, b 1:0, c 1:0", "a>b b>c"},
		"a fork":                        {[]chapter{{l("a"), l("b", "a"), l("c", "a"), l("d", "c")}}, "a 1:0, b 1:0, c 1:1, d 1:1", "a>b a>c c>d"},
		"from a chapter to another":     {[]chapter{{l("a")}, {l("b", "a"), l("c")}}, "a 1:0, b 2:0, c 2:0", "a>b"},
		"on a later lesson":             {[]chapter{{l("a", "b"), l("b")}}, "a 1:0, b 1:0", "b>a"},
		"on what there is not":          {[]chapter{{l("a", "gone")}}, "a 1:0", ""},
		"in a circle, and yet it stops": {[]chapter{{l("a", "b"), l("b", "a")}}, "", "b>a a>b"},
		"a way past others":             {[]chapter{{l("a"), l("b", "a")}, {l("x"), l("y", "x", "b")}}, "a 1:0, b 1:0, x 2:0, y 2:0", "a>b x>y b>y"},
	} {
		var chapters []Chapter
		var all []Lesson
		for _, lessons := range c.guide {
			in := Chapter{}
			for _, l := range lessons {
				in.Lessons, all = append(in.Lessons, l.ID), append(all, l)
			}
			chapters = append(chapters, in)
		}
		got := Draw(chapters, all)
		if wired(got) != c.wires || c.places != "" && places(got) != c.places {
			t.Errorf("%s: %s; %s", what, places(got), wired(got))
		}
	}
}

func TestLabels(t *testing.T) {
	for id, want := range map[string]string{
		"paths": "Paths", "dry-run": "Dry run", "kinds-and-resources": "Kinds and/resources", "representations": "Representations",
		"clearing-managed-fields": "Clearing/managed fields", "client-side-apply": "Client-side/apply",
	} {
		if got := strings.Join(broken(Lesson{ID: id}.short()), "/"); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}

func TestWhatIsLit(t *testing.T) {
	m := some()
	m.Chart = Draw(m.Chapters, m.Lessons)
	m = keeping(t, m, progress.Book{}.With("kinds", progress.Lesson{Done: true}).With("paths", progress.Lesson{Cluster: "practice", Step: "b"}))
	for path, want := range map[string]struct{ stops, wires string }{
		"":          {"stop done, stop under, stop new, stop new next", "paths>watch open, kinds>paths gone"},
		"beginners": {"stop done, stop under, stop new off, stop new off", "paths>watch off, kinds>paths gone"},
		"operators": {"stop done off, stop under, stop new next, stop new off", "kinds>paths off, paths>watch open"},
	} {
		m.Path = path
		var stops, wires []string
		for _, l := range m.Lessons {
			stops = append(stops, m.looks(l))
		}
		for _, w := range m.wires() {
			wires = append(wires, w.From+">"+w.To+" "+w.state)
		}
		if got := strings.Join(stops, ", "); got != want.stops {
			t.Errorf("%q: %s", path, got)
		}
		if got := strings.Join(wires, ", "); got != want.wires {
			t.Errorf("%q: %s", path, got)
		}
	}
	m.Path = "operators"
	for id, want := range map[string]string{"kinds": "Kinds: done", "paths": "1. Paths: step 2 of 3", "watch": "2. Watch, 10 min"} {
		if l, _ := m.lesson(id); m.hint(l) != want {
			t.Errorf("%s: %s", id, m.hint(l))
		}
	}
}

func TestBusesOfAGutter(t *testing.T) {
	for what, c := range map[string]struct {
		buses []bus // as they come
		want  string
	}{
		"apart":                               {[]bus{{from: "a", ends: []int{1}, foot: 1}, {from: "b", row: 3, ends: []int{4}, top: 3, foot: 4}}, "a0 b0"},
		"none lies on another's last stretch": {[]bus{{from: "a", ends: []int{2}, foot: 2}, {from: "b", row: 2, ends: []int{4}, top: 2, foot: 4}}, "b0 a1"},
		"the one with fewer crossings":        {[]bus{{from: "a", ends: []int{2, 3, 4}, foot: 4}, {from: "b", row: 1, ends: []int{5}, top: 1, foot: 5}}, "b0 a1"},
	} {
		beside(c.buses)
		var got []string
		for _, b := range c.buses {
			got = append(got, b.from+strconv.Itoa(b.track))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
