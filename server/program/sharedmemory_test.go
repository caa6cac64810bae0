package program

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asProgram makes a process of the tests the program itself, whose memory has nothing of the tests.
const asProgram = "FIELDMARK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		Main("v1")
	}
	os.Exit(m.Run())
}

const (
	manySessions = 500
	eachFollows  = 10
	// maxSession is how many bytes one more session with its subscriptions may take: heap and stacks, and what of it is garbage for a moment. What it
	// takes is in the bench's report.
	maxSession = 256 << 10
)

// TestMemoryOfManySessions: people are signed in, and the page of each follows collections that don't change. Nothing is shared between them but what
// equal bytes allow.
func TestMemoryOfManySessions(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens 5,000 watches")
	}
	f := startProgram(t, "--clusters", clustersFile(t, quietServer(t)))
	follow := func(from, to int) {
		var all sync.WaitGroup
		next := make(chan int)
		for range 8 {
			all.Go(func() {
				for i := range next {
					f.follows(t, fmt.Sprint("person", i))
				}
			})
		}
		for i := from; i < to; i++ {
			next <- i
		}
		close(next)
		all.Wait()
	}
	const warm = 20 // what all need together, such as connections and parsed schemas
	follow(0, warm)
	before := f.settled(t, func(int) bool { return true })
	if follow(warm, warm+manySessions); t.Failed() {
		return
	}
	each := func(now int) int { return (now - before) / manySessions }
	after := f.settled(t, func(now int) bool { return each(now) <= maxSession })
	if open := f.number(t, `fieldmark_http_requests_open{kind="other"}`); open < warm+manySessions {
		t.Errorf("only %d sockets are still open", open)
	}
	t.Logf("%d bytes for each session with %d subscriptions", each(after), eachFollows)
	if each(after) > maxSession {
		t.Errorf("%d bytes for each session, more than %d", each(after), maxSession)
	}
}

// quietServer is an API server with a few objects that never change.
func quietServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		person, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer token-of-")
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintf(w, `{"status":{"userInfo":{"username":%q}}}`, person)
		case r.URL.Query().Has("watch"):
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			_, _ = io.WriteString(w, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","resourceVersion":"7"}}]}`)
		}
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// builtProgram is the program as users have it. The race detector would need several times the memory, and the time.
func builtProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "fieldmark")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "github.com/fieldmark/fieldmark/server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make builds it, so most of it is compiled already
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// startProgram runs the shared mode as a process of its own, which collects its garbage often.
func startProgram(t *testing.T, more ...string) *shared {
	t.Helper()
	at, monitor := freeAddress(t), freeAddress(t)
	f := &shared{t: t, base: "http://" + at, monitor: "http://" + monitor}
	cmd := exec.CommandContext(t.Context(), builtProgram(t), append([]string{
		"--shared", "--listen", at, "--public-url", f.base, "--metrics-listen", monitor, "--allow-tokens", "--drain", "0s",
		"--session-keys", put(t, "keys", key, 0o600),
	}, more...)...)
	cmd.Env = append(os.Environ(), "GOGC=40", "HOME="+t.TempDir())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = patience
	cmd.Stderr = &f.stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	said := bufio.NewReader(stdout)
	if line, err := said.ReadString('\n'); err != nil {
		t.Fatalf("it says %q (%v): %s", line, err, f.stderr.String())
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	return f
}

// follows signs somebody in and opens a page's socket, which follows collections until the test ends.
func (f *shared) follows(t *testing.T, person string) {
	b := (rights{f, person}).browser(t)
	resp := b.open(t, http.MethodGet, "/socket", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-Websocket-Version", "13",
		"Sec-Websocket-Key", "MDEyMzQ1Njc4OWFiY2RlZg==", "Origin", f.base)
	if resp == nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("%s has no socket", person)
		return
	}
	conn, ok := resp.Body.(io.ReadWriter)
	if !ok {
		t.Errorf("the socket of %s can't be written", person)
		return
	}
	s := clientSocket{conn, bufio.NewReader(conn)}
	for id := 1; id <= eachFollows; id++ {
		text := fmt.Sprintf(`{"type":"subscribe","id":%d,"cluster":"k","as":"object","path":"/api/v1/namespaces/n%d/configmaps"}`, id, id)
		if err := s.send(textFrame, []byte(text)); err != nil {
			t.Error(err)
			return
		}
	}
	for synced := 0; synced < eachFollows; {
		text, err := s.next()
		var m struct{ Type string }
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		switch {
		case err != nil || m.Type == "failed" || m.Type == "gap":
			t.Errorf("%s: %v %s", person, err, text)
			return
		case m.Type == "synced":
			synced++
		}
	}
	go func() {
		for _, err := s.next(); err == nil; _, err = s.next() {
		}
	}()
}

// The kinds of frames, as RFC 6455 numbers them.
const (
	textFrame = 1
	pingFrame = 9
	pongFrame = 10
)

// A clientSocket is a browser's end of a WebSocket.
type clientSocket struct {
	write io.Writer
	read  *bufio.Reader
}

// send writes a frame. Its mask is zero, which changes nothing.
func (s clientSocket) send(kind byte, text []byte) error {
	const last, masked, longer = 0x80, 0x80, 126
	head := []byte{last | kind, masked | byte(len(text))}
	if len(text) >= longer {
		head = binary.BigEndian.AppendUint16([]byte{last | kind, masked | longer}, uint16(len(text)))
	}
	_, err := s.write.Write(append(append(head, 0, 0, 0, 0), text...))
	return err
}

// next is the server's next message. On the way to it, pings are answered as a browser does: the server ends sockets that are silent.
func (s clientSocket) next() ([]byte, error) {
	for {
		kind, text, err := s.frame()
		if err == nil && kind == pingFrame {
			err = s.send(pongFrame, text)
		}
		if err != nil || kind == textFrame {
			return text, err
		}
	}
}

// frame reads one frame. A message of the server is never more than one.
func (s clientSocket) frame() (kind byte, text []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(s.read, head[:]); err != nil {
		return 0, nil, err
	}
	length := uint64(head[1])
	switch length {
	case 126:
		var long uint16
		if err := binary.Read(s.read, binary.BigEndian, &long); err != nil {
			return 0, nil, err
		}
		length = uint64(long)
	case 127:
		if err := binary.Read(s.read, binary.BigEndian, &length); err != nil {
			return 0, nil, err
		}
	}
	text = make([]byte, length)
	_, err = io.ReadFull(s.read, text)
	return head[0] & 0x0f, text, err
}

// settled waits until the memory in use is good, or doesn't become so. It is the least of what was seen.
func (f *shared) settled(t *testing.T, good func(int) bool) int {
	t.Helper()
	least := 0
	for deadline := time.Now().Add(patience); least == 0 || !good(least) && time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		now := f.number(t, "go_memstats_alloc_bytes") + f.number(t, "go_memstats_stack_inuse_bytes")
		if least == 0 || now < least {
			least = now
		}
	}
	return least
}

// number is the value of a metric.
func (f *shared) number(t *testing.T, name string) int {
	t.Helper()
	for line := range strings.Lines(f.metrics()) {
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				t.Fatal(err)
			}
			return int(value)
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
