package program

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// apiServer is as much of an API server as the tests of the shared mode need. The user's name is the token.
func apiServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("Content-Type", "application/json")
		switch {
		case !strings.HasPrefix(name, "token-of-"):
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":401}`)
		case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
			w.WriteHeader(http.StatusCreated)
			person := strings.TrimPrefix(name, "token-of-")
			fmt.Fprintf(w, `{"status":{"userInfo":{"username":%q,"groups":["devs","team-of-%s"]}}}`, person, person)
		case r.URL.Path == "/version":
			_, _ = io.WriteString(w, `{"gitVersion":"v1.37.1"}`)
		case r.URL.Query().Has("watch"):
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			fmt.Fprintf(w, `{"kind":"Seen","token":%q,"as":%q}`, name, r.Header.Get("Impersonate-User"))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// put writes a file for one test.
func put(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return file
}

// clustersFile is a kubeconfig without credentials for one API server.
func clustersFile(t *testing.T, s *httptest.Server) string {
	t.Helper()
	ca := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	return put(t, "clusters", "apiVersion: v1\nkind: Config\nclusters:\n- name: k\n  cluster:\n    server: "+s.URL+"\n    certificate-authority-data: "+ca+"\n", 0o600)
}

// key is a session key as one would make it.
const key = "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestSharedModeThatCantStart(t *testing.T) {
	clusters, keys := clustersFile(t, apiServer(t)), put(t, "keys", key, 0o600)
	with := func(more ...string) []string {
		return append([]string{"--shared", "--listen", "127.0.0.1:0", "--public-url", "https://f.example.com", "--session-keys", keys, "--clusters", clusters}, more...)
	}
	issuer := func(more ...string) []string {
		return with(append([]string{"--issuer", "https://login.example.com", "--client-id", "f"}, more...)...)
	}
	lender := "apiVersion: v1\nkind: Config\nclusters: [{name: k, cluster: {server: \"https://x\"}}]\nusers: [{name: lender, user: {token: hush}}]\n"
	for name, c := range map[string]struct {
		args  []string
		code  int
		words []string
	}{
		"nobody can sign in":              {with(), 1, []string{"clusters.k", "nobody can sign in"}},
		"the issuer isn't https":          {with("--issuer", "http://login.example.com", "--client-id", "f"), 1, []string{"https"}},
		"a client without an issuer":      {with("--client-id", "f"), 1, []string{"--client-id", "need --issuer"}},
		"no client secret":                {issuer("--client-secret-file", "/nowhere/secret"), 1, []string{"--client-secret-file: ", "/nowhere/secret"}},
		"a client secret for everybody":   {issuer("--client-secret-file", put(t, "secret", "hush", 0o644)), 1, []string{"--client-secret-file: "}},
		"a client secret of the file":     {with("--shared-config", put(t, "c", "issuers: {a: {url: \"https://x\", clientID: f, clientSecretFile: /nowhere/secret}}", 0o600)), 1, []string{"issuers.a.clientSecretFile: "}},
		"a certificate of no issuer":      {issuer("--issuer-ca", put(t, "ca", "none", 0o600)), 1, []string{"--issuer-ca: "}},
		"a short key":                     {with("--allow-tokens", "--session-keys", put(t, "short", "c2hvcnQ=", 0o600)), 1, []string{"--session-keys", "32"}},
		"no key":                          {with("--allow-tokens", "--session-keys", ""), 1, []string{"--session-keys is missing"}},
		"three keys":                      {[]string{"--shared", "--shared-config", put(t, "c", "sessionKeys: [a, b, c]", 0o600)}, 1, []string{"at most two"}},
		"a key for everybody":             {with("--allow-tokens", "--session-keys", put(t, "open", key, 0o644)), 1, []string{"--session-keys"}},
		"no public URL":                   {with("--allow-tokens", "--public-url", ""), 1, []string{"--public-url is missing"}},
		"three keys by a flag":            {issuer("--session-keys", "a,b,c"), 1, []string{"--session-keys", "at most 2"}},
		"groups of Kubernetes":            {issuer("--impersonate-groups", "system:masters"), 1, []string{"--impersonate-groups", "system:masters"}},
		"no clusters":                     {with("--allow-tokens", "--clusters", ""), 1, []string{"no clusters"}},
		"a file with credentials":         {with("--allow-tokens", "--clusters", put(t, "lender", lender, 0o600)), 1, []string{`"lender"`, "a token"}},
		"not in a cluster":                {with("--allow-tokens", "--in-cluster"), 1, []string{"--in-cluster"}},
		"an unknown field":                {with("--shared-config", put(t, "c", "allowTokens: true\nallowToken: true", 0o600)), 1, []string{"line 2", "allowToken"}},
		"settings of no cluster":          {with("--allow-tokens", "--shared-config", put(t, "c", "clusters: {other: {}}", 0o600)), 1, []string{"clusters.other"}},
		"an issuer that isn't there":      {with("--shared-config", put(t, "c", "clusters: {k: {issuer: other}}", 0o600)), 1, []string{"clusters.k.issuer", `"other"`}},
		"no account to impersonate":       {issuer("--shared-config", put(t, "c", "impersonateGroups: [devs]\nclusters: {k: {impersonate: {tokenFile: /nowhere/token}}}", 0o600)), 1, []string{"clusters.k.impersonate.tokenFile"}},
		"anybody may be impersonated":     {issuer("--shared-config", put(t, "c", "clusters: {k: {impersonate: {tokenFile: "+keys+"}}}", 0o600)), 1, []string{"clusters.k.impersonate"}},
		"a proxy without a secret":        {with("--trusted-proxies", "10.0.0.0/8"), 1, []string{"--trusted-proxies", "secret"}},
		"a proxy at no address":           {with("--trusted-proxies", "everybody"), 1, []string{"--trusted-proxies", "everybody"}},
		"groups that aren't shared":       {issuer("--share-groups", "example.com"), 1, []string{"--share-groups needs --share-watches"}},
		"half a certificate":              {with("--allow-tokens", "--tls-cert", keys), 2, []string{"--tls-key"}},
		"a certificate that isn't one":    {with("--allow-tokens", "--tls-cert", keys, "--tls-key", keys), 1, []string{"--tls-cert"}},
		"an address that is none":         {with("--allow-tokens", "--listen", "nowhere.invalid:1"), 1, []string{"cannot listen"}},
		"an address of no metrics":        {with("--allow-tokens", "--metrics-listen", "nowhere.invalid:1"), 1, []string{"--metrics-listen"}},
		"a launch token":                  {with("--token", testToken), 2, []string{"--token can't be used with --shared"}},
		"everybody's kubeconfig":          {with("--kubeconfig", clusters), 2, []string{"--kubeconfig", "--clusters"}},
		"the practice cluster":            {with("--practice", "on"), 2, []string{"--practice"}},
		"a flag of the shared mode alone": {[]string{"--in-cluster"}, 2, []string{"--in-cluster needs --shared"}},
	} {
		t.Run(name, func(t *testing.T) { runToEnd(t, nil, c.args...).oneLine(t, c.code, c.words...) })
	}
	t.Run("a launch token in the environment", func(t *testing.T) {
		runToEnd(t, map[string]string{"FIELDMARK_TOKEN": testToken}, with("--allow-tokens")...).oneLine(t, 2, "$FIELDMARK_TOKEN")
	})
}

// shared is a shared Fieldmark while it runs.
type shared struct {
	t              *testing.T
	base, monitor  string
	stop           context.CancelFunc
	ended          func() int
	stdout, stderr lockedBuffer
}

// startShared runs the shared mode with pasted tokens until it says that it is ready.
func startShared(t *testing.T, more ...string) *shared {
	t.Helper()
	return startBelow(t, "", more...)
}

// startBelow does the same below a path of the host.
func startBelow(t *testing.T, path string, more ...string) *shared {
	t.Helper()
	return startAs(t, "http", path, more...)
}

// startAs does the same for browsers that use the scheme.
func startAs(t *testing.T, scheme, path string, more ...string) *shared {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	at, monitor := freeAddress(t), freeAddress(t)
	f := &shared{t: t, base: scheme + "://" + at + path, monitor: "http://" + monitor, stop: cancel}
	args := append([]string{
		"--shared", "--listen", at, "--public-url", f.base, "--metrics-listen", monitor, "--allow-tokens", "--drain", "0s",
		"--session-keys", put(t, "keys", key, 0o600), "--clusters", clustersFile(t, apiServer(t)),
	}, more...)
	reader, stdout := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- runProgram(ctx, "v1", args, noEnv, io.MultiWriter(stdout, &f.stdout), &f.stderr)
		_ = stdout.Close()
	}()
	f.ended = sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { f.ended() })
	said := bufio.NewReader(reader)
	line, err := said.ReadString('\n')
	if err != nil && strings.Contains(f.stderr.String(), "address already in use") { // somebody took the address that was free
		return startAs(t, scheme, path, more...)
	}
	if err != nil || line != "Fieldmark is ready at "+f.base+"\n" {
		t.Fatalf("it says %q (%v): %s", line, err, f.stderr.String())
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	return f
}

// get sends a request, and returns the status code and the text of the response.
func (f *shared) get(method, address, token string) (int, string) {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, address, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestBorrowedCredentials_ProgramsSendTheirOwnTokens uses a shared Fieldmark as kubectl does, as two people, nobody and a stranger.
func TestBorrowedCredentials_ProgramsSendTheirOwnTokens(t *testing.T) {
	f := startShared(t)
	for token, want := range map[string]int{"token-of-ada": 200, "token-of-ben": 200, "stolen": 401, "": 401} {
		code, text := f.get("GET", f.base+"/clusters/k/api/v1/pods", token)
		if code != want || want == 200 && text != fmt.Sprintf(`{"kind":"Seen","token":%q,"as":""}`, token) {
			t.Errorf("with %q: %d %s", token, code, text)
		}
	}
	if code, text := f.get("GET", f.base+"/clusters/other/api/v1/pods", "token-of-ada"); code < 400 {
		t.Errorf("a cluster that isn't there: %d %s", code, text)
	}
	if code, text := f.get("GET", f.base+"/", ""); code != 401 {
		t.Errorf("the first page without signing in: %d %s", code, text)
	}
}

var addresses = regexp.MustCompile(`(?:href|src|action)="(/[^"]*)"`)

// TestBelowAPath serves a shared Fieldmark at a path of its host: programs, the first page, and everything that this page loads.
func TestBelowAPath(t *testing.T) {
	f := startBelow(t, "/tools/fieldmark")
	root := strings.TrimSuffix(f.base, "/tools/fieldmark")
	if code, text := f.get("GET", f.base+"/clusters/k/api/v1/pods", "token-of-ada"); code != 200 {
		t.Errorf("a program: %d %s", code, text)
	}
	for _, outside := range []string{"/", "/clusters/k/api/v1/pods", "/tools", "/tools/fieldmarks/"} {
		if code, text := f.get("GET", root+outside, "token-of-ada"); code != 404 {
			t.Errorf("%s: %d %s", outside, code, text)
		}
	}
	code, page := f.get("GET", f.base+"/-/sign-in", "")
	if code != 200 || !strings.Contains(page, `<html data-base="/tools/fieldmark" `) {
		t.Fatalf("the page for signing in: %d %s", code, page)
	}
	found := addresses.FindAllStringSubmatch(page, -1)
	if len(found) < 3 {
		t.Fatalf("the page has only %d addresses", len(found))
	}
	for _, one := range found {
		if !strings.HasPrefix(one[1], "/tools/fieldmark/") || strings.Contains(one[1][1:], "/tools") {
			t.Errorf("the page has the address %s", one[1])
		}
		if code, text := f.get("GET", root+one[1], "token-of-ada"); strings.Contains(one[1], "/static/") && code != 200 {
			t.Errorf("%s: %d", one[1], code)
		} else if strings.Contains(text, `"/static/`) {
			t.Errorf("%s leads to the root of the host", one[1])
		}
	}
}

// TestTwoSessions_TwoBrowsersWithPastedTokens signs two people in, and one of them out.
func TestTwoSessions_TwoBrowsersWithPastedTokens(t *testing.T) {
	f := startShared(t)
	ada, ben := f.browser(), f.browser()
	for name, b := range map[string]*browser{"ada": ada, "ben": ben} {
		if code, text := b.post("/-/sign-in", url.Values{"cluster": {"k"}, "token": {"token-of-" + name}, "next": {"/"}}); code >= 400 {
			t.Fatalf("%s can't sign in: %d %s", name, code, text)
		}
		if code, text := b.get("/clusters/k/api/v1/pods"); code != 200 || !strings.Contains(text, `"token-of-`+name+`"`) {
			t.Errorf("%s: %d %s", name, code, text)
		}
		if code, text := b.get("/"); code != 200 || !strings.Contains(text, name) || strings.Contains(text, "kubeconfig") {
			t.Errorf("the first page of %s: %d %s", name, code, text)
		}
	}
	watch, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.base+"/clusters/k/api/v1/pods?watch=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	watch.Header.Set("Sec-Fetch-Site", "same-origin")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if resp, err := ada.client.Do(watch); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}()
	for deadline := time.Now().Add(patience); !strings.Contains(ada.metrics(), `fieldmark_http_requests_open{kind="api"} 1`); {
		if time.Now().After(deadline) {
			t.Fatal("the watch doesn't begin")
		}
	}
	if code, _ := ada.post("/-/sign-out", url.Values{}); code >= 400 {
		t.Errorf("ada can't sign out: %d", code)
	}
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("a watch goes on after signing out")
	}
	if code, _ := ada.get("/clusters/k/api/v1/pods"); code != 401 {
		t.Errorf("after signing out, ada gets %d", code)
	}
	if code, _ := ben.get("/clusters/k/api/v1/pods"); code != 200 {
		t.Errorf("after ada has signed out, ben gets %d", code)
	}
}

func (f *shared) metrics() string {
	_, text := f.get("GET", f.monitor+"/metrics", "")
	return text
}

// browser is a browser as far as cookies and the proof of the same origin go.
type browser struct {
	*shared
	client *http.Client
}

func (f *shared) browser() *browser {
	f.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return &browser{f, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (b *browser) get(path string) (int, string) {
	return b.send(http.MethodGet, path, "", "Sec-Fetch-Site", "same-origin")
}

func (b *browser) post(path string, form url.Values) (int, string) {
	return b.send(http.MethodPost, path, form.Encode(), "Sec-Fetch-Site", "same-origin", "Origin", b.base, "Content-Type", "application/x-www-form-urlencoded")
}

func (b *browser) send(method, path, body string, headers ...string) (int, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestEachWriteHasALine(t *testing.T) {
	f := startShared(t)
	f.get("GET", f.base+"/clusters/k/api/v1/pods", "token-of-ada")
	f.get("DELETE", f.base+"/clusters/k/api/v1/namespaces/shop/pods/p", "token-of-ada")
	f.ended()
	lines := strings.Split(strings.TrimSpace(f.stdout.String()), "\n")[1:]
	var line struct{ User, Verb, Path, Cluster string }
	if len(lines) != 1 || json.Unmarshal([]byte(lines[0]), &line) != nil || line.User != "ada" || line.Verb != "delete" || line.Cluster != "k" {
		t.Errorf("the lines are %q", lines)
	}
	if all := f.stdout.String() + f.stderr.String(); strings.Contains(all, "token-of-") {
		t.Errorf("a token is in the output: %s", all)
	}
}

func TestHealthAndMetricsHaveAnAddressOfTheirOwn(t *testing.T) {
	f := startShared(t)
	f.get("GET", f.base+"/clusters/k/version", "token-of-ada")
	for path, says := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n", "/metrics": "fieldmark_sessions 1\n"} {
		code, text := f.get("GET", f.monitor+path, "")
		if code != 200 || !strings.Contains(text, says) || strings.Contains(text, `"ada"`) {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	if code, _ := f.get("GET", f.monitor+"/clusters/k/version", "token-of-ada"); code != 404 {
		t.Errorf("a cluster at the address of metrics: %d", code)
	}
	if code, text := f.get("GET", f.base+"/metrics", ""); code == 200 {
		t.Errorf("metrics at the public address: %s", text)
	}
}

func TestOneFloodMeetsItsQuota(t *testing.T) {
	f := startShared(t, "--shared-config", put(t, "c", "quotas: {person: {requestsPerSecond: 1, burst: 2}}", 0o600))
	codes := map[int]int{}
	for range 5 {
		code, _ := f.get("GET", f.base+"/clusters/k/version", "token-of-ada")
		codes[code]++
	}
	if codes[200] < 2 || codes[429] < 1 {
		t.Errorf("the codes of the flood: %v", codes)
	}
	if code, text := f.get("GET", f.base+"/clusters/k/version", "token-of-ben"); code != 200 {
		t.Errorf("another person: %d %s", code, text)
	}
}

// TestGracefulStop_ReadinessGoesDownFirst stops a shared Fieldmark with an open watch.
func TestGracefulStop_ReadinessGoesDownFirst(t *testing.T) {
	f := startShared(t, "--drain", "1s")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.base+"/clusters/k/api/v1/pods?watch=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token-of-ada")
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	f.stop()
	for deadline := time.Now().Add(patience); ; {
		code, _ := f.get("GET", f.monitor+"/readyz", "")
		if code == http.StatusServiceUnavailable {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it stays ready")
		}
	}
	if code, text := f.get("GET", f.base+"/clusters/k/version", "token-of-ada"); code != 200 {
		t.Errorf("a request while it drains: %d %s", code, text)
	}
	if code := f.ended(); code != 0 {
		t.Errorf("exit code %d: %s", code, f.stderr.String())
	}
	if rest, _ := io.ReadAll(resp.Body); len(rest) > 0 {
		t.Errorf("the watch sent %q", rest)
	}
}

func TestTLSOfTheSharedMode(t *testing.T) {
	pair := apiServer(t).TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	cert := put(t, "tls.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})), 0o600)
	keyFile := put(t, "tls.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})), 0o600)
	f := startShared(t, "--tls-cert", cert, "--tls-key", keyFile)
	client := apiServer(t).Client() // it trusts the certificate, which all servers of httptest share
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(f.base, "http:", "https:", 1)+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("with TLS: %d", resp.StatusCode)
	}
	plain, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.base+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultTransport.RoundTrip(plain); err == nil {
		resp.Body.Close()
		t.Errorf("without TLS: %d", resp.StatusCode)
	}
}

func TestPublicURLsThatCantBe(t *testing.T) {
	clusters, keys := clustersFile(t, apiServer(t)), put(t, "keys", key, 0o600)
	for given, words := range map[string][]string{
		"":                             {"--public-url is missing"},
		"f.example.com":                {"--public-url", "must begin with https://"},
		"https://":                     {"--public-url", "host"},
		"https://f.example.com/a%20b":  {"--public-url", "path"},
		"https://f.example.com/%22x":   {"--public-url", "path"},
		"https://f.example.com:99999":  {"--public-url", "host"},
		"http://f.example.com":         {"--public-url", "https://"},
		"https://f.example.com?x=1":    {"--public-url"},
		"https://f.example.com/a/../b": {"--public-url", "path"},
		"https://f.example.com/a%2Fb":  {"--public-url", "path"},
	} {
		for _, way := range [][]string{{"--allow-tokens"}, {"--issuer", "https://login.example.com", "--client-id", "f"}} {
			args := append([]string{"--shared", "--listen", "127.0.0.1:0", "--public-url", given, "--session-keys", keys, "--clusters", clusters}, way...)
			t.Run(given, func(t *testing.T) { runToEnd(t, nil, args...).oneLine(t, 1, words...) })
		}
	}
}

func TestThePublicURLIsAsBrowsersSendIt(t *testing.T) {
	for given, want := range map[string]string{
		"https://f.example.com:443":        "https://f.example.com",
		"HTTPS://F.Example.com/":           "https://f.example.com",
		"https://f.example.com:8443/x/":    "https://f.example.com:8443/x",
		"http://127.0.0.1:80/a":            "http://127.0.0.1/a",
		"https://[2001:DB8::1]:443":        "https://[2001:db8::1]",
		"https://f.example.com:443/a_b~c/": "https://f.example.com/a_b~c",
	} {
		if got, err := publicURL(given); err != nil || got.String() != want {
			t.Errorf("%s: %v (%v), want %s", given, got, err, want)
		}
	}
}
