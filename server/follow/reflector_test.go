package follow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/upstream"
)

var (
	fiveWithA = fake.Says(listOf(5, "", object("a", 1)))
	six       = event("MODIFIED", "a", 6)
	begun     = []string{"stream", "begin", "chunk a", "whole 5"} // of servers that refuse streams and say fiveWithA
)

// rule is what a sink is told, and what is asked of servers.
type rule struct {
	had      Had
	whole    http.HandlerFunc // nil: refused
	list     http.HandlerFunc
	watch    http.HandlerFunc
	want     []string
	versions []string // that watches began with
	asked    []string // parts of the requests, in order
}

// fetching is how the whole state is fetched.
func fetching() map[string]rule {
	return map[string]rule{
		"the whole state comes with the watch": {
			whole:    fake.Stays(event("ADDED", "a", 1), event("ADDED", "b", 2), ends(9), event("DELETED", "a", 10), bookmark(11)),
			want:     []string{"stream", "ADDED a 1", "ADDED b 2", "whole 9", "DELETED a 10", "passed 11"},
			versions: []string{""}, asked: []string{"sendInitialEvents=true"},
		},
		"a stream that breaks off is void": {
			whole: fake.Turns(fake.Cuts(event("ADDED", "a", 1)), fake.Stays(event("ADDED", "b", 2), ends(9))),
			want:  []string{"stream", "ADDED a 1", "wait 502", "stream restarted", "ADDED b 2", "whole 9"},
		},
		"a stream that ends at once": {
			whole: fake.Turns(fake.Says(""), fake.Stays(ends(9))),
			want:  []string{"stream", "stream", "whole 9"},
		},
		"an end without a version": {
			whole: fake.Turns(fake.Says(strings.Replace(ends(9), `"9"`, `""`, 1)), fake.Stays(ends(9))),
			want:  []string{"stream", "wait 502", "stream", "whole 9"},
		},
		"the sink has a state": {
			had: Had{Version: "7"}, watch: fake.Stays(event("MODIFIED", "a", 8)),
			want: []string{"MODIFIED a 8"}, versions: []string{"7"},
		},
		"the sink has a chunk": {
			had:   Had{Version: "5", Token: "two"},
			list:  fake.Says(listOf(5, "", object("b", 2))),
			watch: fake.Stays(six), want: []string{"continue", "chunk b", "whole 5", "MODIFIED a 6"},
			versions: []string{"5"}, asked: []string{"continue=two", "resourceVersion=5"},
		},
		"the sink's next chunk is gone": {
			had:  Had{Version: "3", Token: "two"},
			list: fake.Turns(fake.Refuses(410, "Expired"), fiveWithA), watch: fake.Stays(),
			want: []string{"continue", "stream expired", "begin expired", "chunk a", "whole 5"},
		},
		"a list goes on where it broke": {
			list:  fake.Turns(fake.Says(listOf(5, "two", object("a", 1))), fake.Refuses(503, ""), fake.Cuts(`{"meta`), fake.Says("<html>"), fake.Says(listOf(5, "", object("b", 2)))),
			want:  []string{"stream", "begin", "chunk a", "wait 503", "continue", "wait 502", "continue", "wait 502", "continue", "chunk b", "whole 5"},
			watch: fake.Stays(), asked: []string{"limit=500", "continue=two", "continue=two", "continue=two", "continue=two", "resourceVersion=5"},
		},
		"a chunk expires": {
			list: fake.Turns(fake.Says(listOf(5, "two", object("a", 1))), fake.Refuses(410, "Expired"), fake.Says(listOf(9, "", object("b", 8)))),
			want: []string{"stream", "begin", "chunk a", "begin expired", "chunk b", "whole 9"}, watch: fake.Stays(),
		},
		"a list without a version": {
			list: fake.Says(`{"items":[]}`), want: []string{"stream", "begin", "chunk", "whole", "stop 405"},
		},
	}
}

// resuming is what happens after it.
func resuming() map[string]rule {
	return map[string]rule{
		"a version expires, says the answer": {
			list: fake.Turns(fiveWithA, fake.Says(listOf(20, ""))), watch: fake.Turns(fake.Says(six), fake.Refuses(410, "Expired"), fake.Stays()),
			want: slices.Concat(begun, []string{"MODIFIED a 6", "begin expired", "chunk", "whole 20"}), versions: []string{"5", "6", "20"},
		},
		"a version expires, says an event": {
			list: fake.Turns(fiveWithA, fake.Says(listOf(20, ""))), watch: fake.Turns(fake.Stays(six, failure(410, "Gone")), fake.Stays()),
			want: slices.Concat(begun, []string{"MODIFIED a 6", "begin expired", "chunk", "whole 20"}), versions: []string{"5", "20"},
		},
		"a version expires, says a reason": {
			list: fake.Turns(fiveWithA, fake.Says(listOf(20, ""))), watch: fake.Turns(fake.Stays(failure(0, "Expired")), fake.Stays()),
			want: slices.Concat(begun, []string{"begin expired", "chunk", "whole 20"}),
		},
		"permission is withdrawn": {
			list: fiveWithA, watch: fake.Turns(fake.Says(six), fake.Refuses(403, "Forbidden")),
			want: slices.Concat(begun, []string{"MODIFIED a 6", "stop 403"}), versions: []string{"5", "6"},
		},
		"list is allowed, and watch isn't": {
			whole: fake.Refuses(403, "Forbidden"), list: fiveWithA, watch: fake.Refuses(403, "Forbidden"),
			want: slices.Concat(begun, []string{"stop 403"}),
		},
		"clean ends are nobody's business": {
			list: fiveWithA, watch: fake.Turns(fake.Says(six), fake.Says(""), fake.Says(event("MODIFIED", "a", 7)), fake.Stays(event("MODIFIED", "a", 8))),
			want: slices.Concat(begun, []string{"MODIFIED a 6", "MODIFIED a 7", "MODIFIED a 8"}), versions: []string{"5", "6", "6", "7"},
		},
		"another form, once": {
			list: fiveWithA, watch: fake.Stays(strings.Replace(six, `"metadata"`, `"form":"x","metadata"`, 1)),
			want: slices.Concat(begun, []string{"begin restarted", "chunk a", "whole 5", "MODIFIED a 6"}), versions: []string{"5", "5"},
		},
	}
}

func TestRules(t *testing.T) {
	all := fetching()
	maps.Copy(all, resuming())
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			s := fake.New(t, c.list, c.watch)
			s.Whole = c.whole
			group(s).follow(t, c.had).expect(t, c.want...)
			if got := s.Versions(); c.versions != nil && !begins(got, c.versions) {
				t.Errorf("watched from %q, want %q", got, c.versions)
			}
			for i, got := range s.Requests() {
				if i < len(c.asked) && !strings.Contains(got, c.asked[i]) {
					t.Errorf("request %d is %s, want %s", i, got, c.asked[i])
				}
			}
		})
	}
}

// begins tells whether all begins with these: a sink may hear of the last of them before its watch is counted.
func begins(all, with []string) bool {
	return len(all) <= len(with) && slices.Equal(all, with[:len(all)])
}

// Whatever breaks a watch, it is resumed after the last version seen, and the sink hears why.
func TestABrokenWatchIsResumed(t *testing.T) {
	for name, c := range map[string]struct {
		broken http.HandlerFunc
		want   []string
		from   string
	}{
		"cut between lines":   {fake.Cuts(six), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"cut within a line":   {fake.Cuts(six, `{"type":"MODIF`), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"ended within a line": {fake.Says(six + `{"type":"MODIF`), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"after a bookmark":    {fake.Cuts(six, bookmark(9)), []string{"MODIFIED a 6", "passed 9", "wait 502"}, "9"},
		"malformed line":      {fake.Stays(six, "<html>\n"), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"malformed object":    {fake.Stays(six, `{"type":"ADDED","object":{"metadata":7}}`+"\n"), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"unknown event":       {fake.Stays(six, `{"type":"ODD","object":{}}`+"\n"), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"refused by the sink": {fake.Stays(six, event("ADDED", "", 7)), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"line too long":       {fake.Stays(six, `{"type":"`+strings.Repeat("A", maxLine)+"\n"), []string{"MODIFIED a 6", "wait 502"}, "6"},
		"error event":         {fake.Stays(six, failure(500, "InternalError")), []string{"MODIFIED a 6", "wait 500"}, "6"},
		"error without code":  {fake.Stays(six, failure(0, "")), []string{"MODIFIED a 6", "wait 500"}, "6"},
		"500":                 {fake.Refuses(500, "InternalError"), []string{"wait 500"}, "5"},
		"504":                 {fake.Refuses(504, "Timeout"), []string{"wait 504"}, "5"},
		"429":                 {fake.Refuses(429, "TooManyRequests"), []string{"wait 429"}, "5"},
		"web page":            {fake.Says("<!doctype html><html></html>\n"), []string{"wait 502"}, "5"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fake.New(t, fiveWithA, fake.Turns(c.broken, fake.Stays(event("ADDED", "z", 10))))
			n := group(s).follow(t, Had{})
			n.expect(t, slices.Concat(begun, c.want, []string{"ADDED z 10"})...)
			if w := <-n.waits; w.Why.Message == "" || w.Sign.IsZero() || !w.Retry.After(w.At) {
				t.Errorf("waits: %+v", w)
			}
			if got := s.Versions(); !slices.Equal(got, []string{"5", c.from}) {
				t.Errorf("watched from %q", got)
			}
		})
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	s := fake.New(t, fake.Refuses(429, "TooManyRequests", "Retry-After", "7"), nil)
	n := group(s).follow(t, Had{})
	n.expect(t, "stream", "begin", "wait 429")
	if w := <-n.waits; w.Retry.Sub(w.At) != 7*time.Second || !w.Why.Told {
		t.Errorf("%+v", w)
	}
}

func TestServersThatTakeTheirTime(t *testing.T) {
	for name, c := range map[string]struct {
		whole, watch http.HandlerFunc
		pace         func(*Pace)
		want         []string
	}{
		"a watch that is never ended is left": {
			nil, fake.Turns(fake.Stays(six), fake.Stays(event("MODIFIED", "a", 7))),
			func(p *Pace) { p.MinWatch, p.MaxWatch, p.Grace = 0, 0, 50*time.Millisecond },
			slices.Concat(begun, []string{"MODIFIED a 6", "MODIFIED a 7"}),
		},
		"a watch that isn't answered": {
			nil, fake.Turns(fake.Hangs, fake.Stays(six)), func(p *Pace) { p.Head = 50 * time.Millisecond },
			slices.Concat(begun, []string{"wait 504", "MODIFIED a 6"}),
		},
		"a stream that isn't answered": {
			fake.Hangs, fake.Stays(six), func(p *Pace) { p.Stream = 50 * time.Millisecond }, slices.Concat(begun, []string{"MODIFIED a 6"}),
		},
		"a stream on which nothing comes": {
			fake.Stays(), fake.Stays(six), func(p *Pace) { p.Stream = 50 * time.Millisecond }, slices.Concat(begun, []string{"MODIFIED a 6"}),
		},
		"a stream without an end": {
			fake.Stays(event("ADDED", "a", 1), bookmark(5)), fake.Stays(six), func(p *Pace) { p.Stream = time.Second },
			[]string{"stream", "ADDED a 1", "begin restarted", "chunk a", "whole 5", "MODIFIED a 6"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := fake.New(t, fiveWithA, c.watch)
			s.Whole = c.whole
			g := group(s)
			c.pace(&g.Pace)
			g.follow(t, Had{}).expect(t, c.want...)
		})
	}
}

// A server that gives no whole states with watches is asked for one once, by all Reflectors of a group together.
func TestARefusalIsRemembered(t *testing.T) {
	for name, whole := range map[string]http.HandlerFunc{"400": fake.Refuses(400, "BadRequest"), "422": fake.Refuses(422, "Invalid"), "silent": fake.Stays()} {
		t.Run(name, func(t *testing.T) {
			s := fake.New(t, fiveWithA, fake.Stays(six))
			s.Whole = whole
			g := group(s)
			g.Pace.Stream = 50 * time.Millisecond
			for range 2 {
				g.follow(t, Had{}).expect(t, slices.Concat(begun, []string{"MODIFIED a 6"})...)
			}
			streams := slices.DeleteFunc(s.Requests(), func(uri string) bool { return !strings.Contains(uri, "sendInitialEvents") })
			if len(streams) != 1 {
				t.Errorf("%q", streams)
			}
		})
	}
}

// large answers with more than may be read, unless the chunk is a small one.
func large(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("limit") == "500" {
		fake.Says(strings.Repeat(" ", maxChunk))(w, r)
	}
	fiveWithA(w, r)
}

const maxChunk = 10_000

func TestAChunkTooLargeIsAskedForInPieces(t *testing.T) {
	for name, c := range map[string]struct {
		list, watch http.HandlerFunc
		want        []string
		asked       int // lists
	}{
		"the first":    {large, fake.Stays(six), []string{"stream", "begin", "begin", "chunk a", "whole 5", "MODIFIED a 6"}, 2},
		"after a gap":  {fake.Turns(fiveWithA, large), fake.Turns(fake.Refuses(410, "Expired"), fake.Stays(six)), slices.Concat(begun, []string{"begin expired", "begin expired", "chunk a", "whole 5", "MODIFIED a 6"}), 3},
		"still larger": {fake.Says(strings.Repeat(" ", 2*maxChunk)), nil, []string{"stream", "begin", "begin", "begin", "begin", "stop 413"}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			s := fake.New(t, c.list, c.watch)
			g := group(s)
			g.MaxChunk = maxChunk
			g.follow(t, Had{}).expect(t, c.want...)
			lists := slices.DeleteFunc(s.Requests(), func(uri string) bool { return strings.Contains(uri, "watch=") })
			if len(lists) != c.asked || !strings.Contains(lists[c.asked-1], "limit=") || strings.Contains(lists[c.asked-1], "limit=500") {
				t.Errorf("%q", lists)
			}
		})
	}
}

// TestAListThatGetsNowhereIsWaitedFor is about an API server that is asked for chunk after chunk and gives nothing new. It would be
// asked thousands of times a second.
func TestAListThatGetsNowhereIsWaitedFor(t *testing.T) {
	var empty []string
	for i := range watch.MaxEmpty + 1 {
		empty = append(empty, listOf(5, fmt.Sprintf("e%d", i)))
	}
	for name, c := range map[string]struct {
		before []string // chunks up to the wait
		then   string   // the token that is asked for after it
	}{
		"a token again":            {[]string{listOf(5, "one"), listOf(5, "two"), listOf(5, "one")}, "two"},
		"the first chunk again":    {[]string{listOf(5, "one", object("a", 1)), listOf(5, "two", object("a", 1))}, "one"},
		"chunks without an object": {empty, fmt.Sprintf("e%d", watch.MaxEmpty)},
	} {
		t.Run(name, func(t *testing.T) {
			var lists []http.HandlerFunc
			for _, text := range c.before {
				lists = append(lists, fake.Says(text))
			}
			s := fake.New(t, fake.Turns(append(lists, fake.Says(listOf(5, "", object("b", 2))))...), fake.Stays())
			n := group(s).follow(t, Had{})
			n.expect(t, "stream", "begin")
			word := <-n.came
			for strings.HasPrefix(word, "chunk") {
				word = <-n.came
			}
			if word != "wait 502" {
				t.Fatalf("noted %q", word)
			}
			n.expect(t, "continue", "chunk b", "whole 5")
			listed := slices.DeleteFunc(s.Requests(), func(uri string) bool { return strings.Contains(uri, "watch=") })
			if len(listed) != len(c.before)+1 || !strings.Contains(listed[len(c.before)], "continue="+c.then) {
				t.Errorf("listed %q", listed)
			}
		})
	}
}

func TestASinkThatIsFullStops(t *testing.T) {
	for name, c := range map[string]struct {
		whole http.HandlerFunc
		want  []string
	}{
		"by a list":  {nil, []string{"stream", "begin", "chunk a", "stop 413"}},
		"by a watch": {fake.Stays(event("ADDED", "a", 1), ends(9)), []string{"stream", "ADDED a 1", "stop 413"}},
	} {
		s := fake.New(t, fiveWithA, nil)
		s.Whole = c.whole
		n := newNotes()
		n.full = true
		over := group(s).run(t, Source{Question: pods, Limit: 500}, n, Had{})
		n.expect(t, c.want...)
		if <-over {
			t.Errorf("%s: the login is over", name)
		}
	}
}

// unanswered resolves to something with a status, as the program's own resolving does.
type unanswered struct{ code int }

func (u unanswered) Error() string   { return fmt.Sprintf("it is %d", u.code) }
func (u unanswered) HTTPStatus() int { return u.code }

func TestClustersThatCannotBeAsked(t *testing.T) {
	s := fake.New(t, fiveWithA, fake.Stays())
	g := group(s)
	errs := []error{unanswered{503}, errors.New("a secret"), unanswered{404}}
	g.Resolve = func(context.Context, string) (*upstream.Target, error) {
		err := errs[0]
		errs = errs[1:]
		return nil, err
	}
	g.follow(t, Had{}).expect(t, "stream", "wait 503", "stream", "wait 502", "stream", "stop 404")
	g.Resolve = func(context.Context, string) (*upstream.Target, error) {
		return upstream.New(&url.URL{Scheme: "http", Host: "127.0.0.1:1"}, upstream.Config{}), nil
	}
	n := g.follow(t, Had{})
	n.expect(t, "stream", "wait 503")
	if w := <-n.waits; !strings.Contains(w.Why.Message, "Nothing listens at the API server's address") {
		t.Errorf("%+v", w)
	}
}

// TestTheLoginIsOver: from then on nothing is asked with another one.
func TestTheLoginIsOver(t *testing.T) {
	s := fake.New(t, fiveWithA, fake.Says(six))
	g := group(s)
	login := make(chan struct{})
	source := Source{Question: pods, Limit: 500, Over: login}
	n := newNotes()
	n.opened = func() { close(login) }
	if over := g.run(t, source, n, Had{}); !<-over {
		t.Error("it ends for another reason")
	}
	if got := s.Requests(); len(got) != 2 {
		t.Errorf("asked %q", got)
	}
	if over := g.run(t, source, newNotes(), Had{}); !<-over {
		t.Error("it begins with another login")
	}
}
