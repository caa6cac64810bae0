package wiretap

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// TestEntriesWeighWhatTheySay: that the record is bounded holds as far as entries are weighed right.
func TestEntriesWeighWhatTheySay(t *testing.T) {
	const n = 2000
	l := New(Options{Entries: n, Bytes: 1})
	heap := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	send(t, l, me, answers{status: 200}, "GET", "/api", "")
	before := heap()
	for i := range n {
		answer := http.Header{}
		for _, name := range []string{"Audit-Id", "Cache-Control", "Content-Type", "Date", "X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid", "Content-Length"} {
			answer[name] = []string{fmt.Sprint("some value of ", i, " as long as usual")}
		}
		send(t, l, me, answers{status: 200, header: answer, body: "{}"}, "GET", fmt.Sprintf("/api/v1/namespaces/shop/pods/web-%d?a=%d", i, i), "")
	}
	taken, weighed := (heap()-before)/n, l.findSession("me").weight/n
	t.Logf("%d bytes an entry, weighed as %d", taken, weighed)
	if weighed < taken*8/10 || weighed > taken*2 {
		t.Errorf("an entry takes %d bytes, and is weighed as %d", taken, weighed)
	}
	runtime.KeepAlive(l)
}

func TestHeavyEntriesAreFewer(t *testing.T) {
	l := New(Options{Weight: 100_000})
	for n := range 100 {
		send(t, l, me, answers{status: 200}, "GET", "/api/v1/nodes?labelSelector="+strings.Repeat("x", 9_000+n), "")
	}
	s := l.findSession("me")
	entries := l.Entries("me", 0)
	if len(entries) < 5 || len(entries) > 12 || s.weight > 100_000 || entries[len(entries)-1].ID != 100 {
		t.Errorf("%d entries of %d bytes", len(entries), s.weight)
	}
	for n := range 30 { // their weights are forgotten with them
		send(t, l, me, answers{status: 200}, "GET", fmt.Sprint("/api/v1/nodes/", n), "")
	}
	if got := len(l.Entries("me", 100)); got != 30 {
		t.Errorf("%d small ones", got)
	}
}

func TestHeadsAreBounded(t *testing.T) {
	l := New(Options{})
	answer := http.Header{"Content-Type": {strings.Repeat("x", 5000)}, "Warning": {}}
	for n := range 500 {
		answer[fmt.Sprint("X-", n)] = []string{"y"}
		answer["Warning"] = append(answer["Warning"], strings.Repeat("w", 300))
	}
	send(t, l, me, answers{status: 200, header: answer}, "GET", "/api?a="+strings.Repeat("a", 100_000), "")
	e := l.Entries("me", 0)[0]
	size := 0
	for _, values := range e.Answer.Header {
		for _, v := range values {
			size += len(v)
		}
	}
	if len(e.Answer.Header) > maxFields || size > maxHead+2*maxValue || len(e.Answer.MediaType) > 1100 || len(e.Query) > maxTarget+20 || len(e.Warnings) > 40 {
		t.Errorf("%d fields of %d bytes, %d of a media type, %d of a query, %d warnings", len(e.Answer.Header), size, len(e.Answer.MediaType), len(e.Query), len(e.Warnings))
	}
}

func TestCompressedAnswersSayWhatTheyHold(t *testing.T) {
	l := New(Options{})
	text := `{"kind":"PodList","items":[` + strings.Repeat(`{"a":"b"},`, 5000) + `{}]}`
	header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
	send(t, l, me, answers{status: 200, header: header, body: zipped(text)}, "GET", "/api/v1/pods", "")
	e := l.Entries("me", 0)[0]
	if e.Unpacked != int64(len(text)) || e.Answer.Bytes != int64(len(zipped(text))) || e.Coding != "gzip" {
		t.Errorf("%d bytes of %d on the wire, unpacked %d", e.Answer.Bytes, len(text), e.Unpacked)
	}
	if !strings.HasPrefix(string(e.Answer.Body), `{"kind":"PodList"`) || e.Answer.Withheld != "" {
		t.Errorf("the body is %.60q, %q", e.Answer.Body, e.Answer.Withheld)
	}
}

// TestFramesAreCountedHoweverTheyCome is about watches in Protobuf.
func TestFramesAreCountedHoweverTheyCome(t *testing.T) {
	var text []byte
	for n := range 20 {
		text = binary.BigEndian.AppendUint32(text, uint32(n*7+1))
		text = append(text, make([]byte, n*7+1)...)
	}
	for size := 1; size < 40; size++ {
		f, counted := frames{}, 0
		for rest := text; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			counted += f.countFrames(rest[:min(size, len(rest))])
		}
		if counted != 20 {
			t.Errorf("in parts of %d: %d", size, counted)
		}
	}
}

func TestTheProgramsRecordIsSeenByAll(t *testing.T) {
	l := New(Options{})
	l.Share("programs")
	via := answers{status: 200, body: "{}"}
	for _, session := range []string{"me", "programs", "other", "me", "programs"} {
		send(t, l, Who{Session: session, Cluster: "one", Origin: Client}, via, "GET", "/api/v1/pods", "")
	}
	send(t, l, Who{Session: "me", Cluster: "two"}, via, "GET", "/api/v1/pods", "")
	var seen []uint64
	for _, line := range l.View("me").Lines("one", 0) {
		seen = append(seen, line.ID)
	}
	if fmt.Sprint(seen) != "[1 2 4 5]" {
		t.Errorf("seen: %v", seen)
	}
	for id, want := range map[uint64]bool{1: true, 2: true, 3: false, 6: false, 7: false} {
		if _, found := l.View("me").Entry("one", id); found != want {
			t.Errorf("%d is found: %v", id, found)
		}
	}
	own, shared, cancel := l.View("me").Subscribe()
	defer cancel()
	send(t, l, Who{Session: "programs"}, via, "GET", "/api", "")
	<-shared
	select {
	case <-own:
		t.Error("a nudge for what is not one's own")
	default:
	}
}

func TestNoLogRecordsNothing(t *testing.T) {
	var l *Log
	r, _ := http.NewRequestWithContext(t.Context(), "GET", "https://api.test/api", nil)
	via := answers{status: 200, body: "x"}
	resp, err := l.Transport(via, me).RoundTrip(r)
	if err != nil || resp.Header.Get(EntryHeader) != "" {
		t.Errorf("%v, %v", resp.Header, err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	l.Share("x")
	l.Forget("x")
	own, shared, cancel := l.View("me").Subscribe()
	cancel()
	if v := l.View("me"); own != nil || shared != nil || v.Recording() || len(v.Lines("one", 0)) > 0 || v.Last() != 0 {
		t.Error("there is something")
	}
}
