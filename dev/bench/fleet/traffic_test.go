package fleet

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/socket"
)

func TestIDOfAMessage(t *testing.T) {
	for text, want := range map[string]int{
		`{"type":"events","id":3,"events":[{"id":9}]}`: 3,
		`{"type":"bookmark","id":12}`:                  12,
		`{"type":"beat"}`:                              -1,
		`{"type":"hello","build":"x","id":4}`:          -1, // only the second field is the subscription
		`{"type":"rows","rows":{"a":",\"id\":7"}}`:     -1,
		`{"type":"events","id":`:                       -1,
	} {
		id, ok := idOf([]byte(text))
		if !ok {
			id = -1
		}
		if id != want {
			t.Errorf("%s: %d, want %d", text, id, want)
		}
	}
}

func TestMetricsOfAnAPIServer(t *testing.T) {
	text := `# HELP apiserver_request_total Counter
apiserver_request_total{code="200",verb="LIST"} 4
apiserver_request_total{code="200",verb="WATCH"} 2e+01
apiserver_request_total{code="200",verb="PUT"} 1000
apiserver_request_total{code="200",verb="PATCH"} 1000
apiserver_longrunning_requests{resource="pods",verb="WATCH"} 7
apiserver_longrunning_requests{resource="nodes",verb="WATCH"} 1
apiserver_longrunning_requests{resource="pods",verb="CONNECT"} 50
apiserver_request_total_of_others{verb="LIST"} 9
`
	if got := countsIn([]byte(text)); got.requests != 24 || got.watches != 8 {
		t.Errorf("got %+v", got)
	}
}

// TestCallsDontWaitForEachOther lets every call take longer than the whole run.
func TestCallsDontWaitForEachOther(t *testing.T) {
	const length, perSecond = 200 * time.Millisecond, 500
	var begun atomic.Int32
	release := make(chan struct{})
	time.AfterFunc(2*length, func() { close(release) })
	arrive(t.Context(), perSecond, length, func(context.Context, int, time.Time) {
		begun.Add(1)
		<-release
	})
	if n := begun.Load(); n < 50 || n > 200 { // 100 on average, however slow the machine is: moments that have passed are made up for
		t.Errorf("%d calls in %v, at %d a second", n, length, perSecond)
	}
}

func TestDeliveries(t *testing.T) {
	sent := time.Unix(100, 0)
	made := &changes{made: map[string]wrote{"7": {"a", 0, 7, sent}, "8": {"a", 1, 8, sent}, "9": {"b", 0, 9, sent}, "10": {"a", 0, 10, sent}}}
	follows := func(team string, versions ...string) *follower {
		f := &follower{person: &person{team: team}, seen: socket.Arrivals{At: map[string]time.Time{}}}
		for i, v := range versions {
			f.seen.At[v] = sent.Add(time.Duration(i+1) * time.Second)
		}
		return f
	}
	// The first one didn't get 7, because 10 is newer. The second one didn't get 8 and 10.
	got := made.deliveries([]*follower{follows("a", "8", "10"), follows("a", "7"), follows("b", "7", "9"), follows("c")})
	if want := []time.Duration{1e9, 1e9, 2e9, 2e9}; !slices.Equal(got.delays, want) || got.superseded != 1 || got.missing != 2 {
		t.Errorf("got %+v, want delays of %v", got, want)
	}
}

func TestATallyHasTheFirstError(t *testing.T) {
	first, tally := errors.New("first"), &tally{}
	for _, err := range []error{nil, first, errors.New("second"), nil} {
		tally.addCall(time.Now(), err)
	}
	if tally.errors != 2 || !errors.Is(tally.first, first) || len(tally.times) != 2 {
		t.Errorf("got %+v", tally)
	}
}

func TestWhatAFollowerMinds(t *testing.T) {
	for text, want := range map[string]struct{ ends, troubles bool }{
		`{"type":"failed","id":1}`: {true, false}, `{"type":"closed","id":1}`: {true, false}, `{"type":"waiting","id":1}`: {false, true}, `{"type":"beat"}`: {false, false},
	} {
		f := &follower{person: &person{name: "ada"}, seen: socket.Arrivals{At: map[string]time.Time{}}}
		err := f.handleMessage([]byte(text))
		n, why := f.troubles()
		if (err != nil) != want.ends || (n == 1) != want.troubles || (why != nil) != want.troubles {
			t.Errorf("%s: %v, %d troubles (%v)", text, err, n, why)
		}
	}
}

// TestRobin gives each connection to the next replica, and passes on both ways.
func TestRobin(t *testing.T) {
	var addresses []string
	for _, name := range []string{"a", "b"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, io.MultiReader(strings.NewReader(name), r.Body))
		}))
		t.Cleanup(s.Close)
		addresses = append(addresses, s.Listener.Addr().String())
	}
	r, err := startRobin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.lead(t.Context(), addresses...)
	var got []string
	for range 4 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.listenAddress(), strings.NewReader("!"))
		if err != nil {
			t.Fatal(err)
		}
		response, err := pageClient().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if err != nil || response.Body.Close() != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	if slices.Sort(got); !slices.Equal(got, []string{"a!", "a!", "b!", "b!"}) {
		t.Errorf("got %q", got)
	}
	r.close()
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.listenAddress()); err == nil {
		t.Error("a closed proxy accepts connections")
	}
}

func TestAPersonKeepsCookies(t *testing.T) {
	p := &person{jar: map[string]string{}}
	for _, c := range []http.Cookie{{Name: "b", Value: "1"}, {Name: "a", Value: "2"}, {Name: "b", Value: "3"}, {Name: "c", Value: "4"}, {Name: "c", MaxAge: -1}} {
		p.took(&http.Response{Header: http.Header{"Set-Cookie": {c.String()}}})
	}
	if got := p.cookies(); got != "a=2; b=3" {
		t.Errorf("got %q", got)
	}
}

func TestFigures(t *testing.T) {
	if off := (figure{measured: 80, predicted: 100}).off(); off != 25 {
		t.Errorf("100 instead of 80 is %v %% off", off)
	}
}
