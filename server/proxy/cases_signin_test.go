package proxy_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
)

// clock is a time that moves when told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestTokenGuessing_GuessingTheTokenIsSlowedDown(t *testing.T) {
	c := &clock{now: time.Now()}
	h, up := before(t, fine, func(o *guard.Options) { o.Now = c.Now })
	cookie := h.signIn(t)
	guess := func(token string) string {
		return h.raw(t, "GET "+pods+" HTTP/1.1\nHost: HOST\nAuthorization: Bearer "+token+"\n\n")
	}
	for _, close := range []string{"x", "y", launchToken[:len(launchToken)-1], launchToken + "x", strings.ToUpper(launchToken), "wrong", "wrong", "wrong", "wrong", "wrong"} {
		if answer := guess(close); !strings.HasPrefix(answer, "HTTP/1.1 401") {
			t.Errorf("guess %q: %q", close, answer)
		}
	}
	for _, send := range []string{
		"GET " + pods + " HTTP/1.1\nHost: HOST\nAuthorization: Bearer wrong\n\n",
		"POST /-/sign-in HTTP/1.1\nHost: HOST\nOrigin: http://HOST\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 7\n\ntoken=x",
	} {
		answer := h.raw(t, send)
		if !strings.HasPrefix(answer, "HTTP/1.1 429") || !strings.Contains(answer, "Retry-After: ") || !strings.Contains(answer, "Connection: close") {
			t.Errorf("%q: %q", send, answer)
		}
	}
	if got := up.text(); got != "" {
		t.Errorf("%d bytes reached the API server", len(got))
	}
	// The owner is not locked out: neither who is in nor who comes with the right token.
	h.passes(t, up, "GET "+pods+" HTTP/1.1\nHost: HOST\nCookie: "+cookie+"\n\n")
	h.passes(t, up, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
	h.signIn(t)
	c.pass(10 * time.Second)
	if answer := guess("wrong"); !strings.HasPrefix(answer, "HTTP/1.1 401") {
		t.Errorf("after a while: %q", answer)
	}
}

func TestTokenGuessing_TokensAreLongAndRandom(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		token, err := guard.NewToken(nil)
		if err != nil || len(token) < 22 || seen[token] { // 22 characters of base64 are 132 bits
			t.Fatalf("%q, %v", token, err)
		}
		seen[token] = true
	}
	if _, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:8080"}, Token: "short"}); err == nil {
		t.Error("a token that can be guessed was taken")
	}
}

func TestTokenInAddress_TheCodeInTheURLIsGoodForOneVisit(t *testing.T) {
	h, _ := before(t, fine, nil)
	link, err := h.guard.Link("/c/one/api/v1/pods?a=1")
	target, ours := strings.CutPrefix(link, "http://"+h.addr)
	if err != nil || !ours || strings.Contains(link, launchToken) {
		t.Fatalf("%s %v", link, err)
	}
	visit := func(more string) string {
		return h.raw(t, "GET "+target+" HTTP/1.1\nHost: HOST\nAccept: text/html\n"+more+"\n")
	}
	// Another site's page can't use the visit up with an image.
	if answer := visit("Sec-Fetch-Mode: no-cors\nSec-Fetch-Dest: image\n"); !strings.HasPrefix(answer, "HTTP/1.1 403") {
		t.Errorf("an image: %q", answer)
	}
	answer := visit("")
	cookie := "Set-Cookie: fieldmark_" + h.port() + "="
	for _, want := range []string{"HTTP/1.1 303 ", "Location: /c/one/api/v1/pods?a=1\r\n", cookie, "; Path=/; ", "; HttpOnly; ", "; SameSite=Strict", "Referrer-Policy: no-referrer\r\n"} {
		if !strings.Contains(answer, want) {
			t.Errorf("first visit: no %q in %q", want, answer)
		}
	}
	_, value, _ := strings.Cut(answer, "Set-Cookie: ")
	value, _, _ = strings.Cut(value, ";")

	answer = visit("")
	for _, want := range []string{"HTTP/1.1 401 ", "no longer works", `<form method="post" action="/-/sign-in">`, "<main class=\"notice\">"} {
		if !strings.Contains(answer, want) || strings.Contains(answer, "Set-Cookie") {
			t.Errorf("second visit: no %q in %q", want, answer)
		}
	}
	answer = visit("Cookie: " + value + "\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 303 ") || !strings.Contains(answer, "Location: /\r\n") || strings.Contains(answer, "Set-Cookie") {
		t.Errorf("visit with a session: %q", answer)
	}
	if answer := h.raw(t, "GET /c/one HTTP/1.1\nHost: HOST\nCookie: "+value+"\n\n"); !strings.HasPrefix(answer, "HTTP/1.1 200") {
		t.Errorf("with the cookie: %q", answer)
	}
	if cookie := h.signIn(t); cookie == value {
		t.Error("two sessions share a cookie")
	}
}

func TestTokenInAddress_AWrongOrMissingTokenGetsAClearPage(t *testing.T) {
	h, c := before(t, fine, nil)
	h.refuses(t, c, []refused{
		{"token in a URL", "GET /?token=" + launchToken + " HTTP/1.1\nHost: HOST\nAccept: text/html\n\n", "303", "Location: /-/sign-in\r\n"},
		{"wrong code in a URL", "GET /?code=wrong HTTP/1.1\nHost: HOST\nAccept: text/html\n\n", "401", `<form method="post" action="/-/sign-in">`},
		{"token as a code", "GET /?code=" + launchToken + " HTTP/1.1\nHost: HOST\nAccept: text/html\n\n", "401", "no longer works"},
		{"no session, browser", "GET /c/one HTTP/1.1\nHost: HOST\nAccept: text/html,*/*\n\n", "401", `name="next" value="/c/one"`},
		{"no session, client", "GET " + pods + " HTTP/1.1\nHost: HOST\nAccept: application/json\n\n", "401", `"reason":"Unauthorized"`},
		{"token in the URL of an API call", "GET " + pods + "?token=" + launchToken + " HTTP/1.1\nHost: HOST\n\n", "401", "Unauthorized"},
		{"token by POST to a page", "POST /?token=" + launchToken + " HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n", "401", "signed in"},
		{"made-up cookie", "GET " + pods + " HTTP/1.1\nHost: HOST\nCookie: fieldmark_" + h.port() + "=AAAA\n\n", "401", "signed in"},
		{"sign-in from elsewhere", "POST /-/sign-in HTTP/1.1\nHost: HOST\nOrigin: http://evil.test\nContent-Length: 0\n\n", "403", "a page of Fieldmark"},
		{"sign-out from elsewhere", "POST /-/sign-out HTTP/1.1\nHost: HOST\nCOOKIE\nContent-Length: 0\n\n", "403", "a page of Fieldmark"},
	})
	if answer := h.raw(t, "GET /-/sign-in HTTP/1.1\nHost: HOST\nAccept: text/html\n\n"); !strings.HasPrefix(answer, "HTTP/1.1 200") || !strings.Contains(answer, `<form method="post" action="/-/sign-in">`) {
		t.Errorf("the form: %q", answer)
	}
}

func TestTokenInAddress_SessionsEnd(t *testing.T) {
	c := &clock{now: time.Now()}
	var ended []string
	h, up := before(t, fine, func(o *guard.Options) {
		o.Now, o.IdleExpiry, o.Expiry, o.MaxSessions = c.Now, time.Hour, 3*time.Hour, 2
		o.SessionEnded = func(id string) { ended = append(ended, id) }
	})
	in := func(cookie string) bool {
		return strings.HasPrefix(h.raw(t, "GET "+pods+" HTTP/1.1\nHost: HOST\nCookie: "+cookie+"\n\n"), "HTTP/1.1 200")
	}
	first := h.signIn(t)
	for range 4 {
		c.pass(40 * time.Minute)
		if !in(first) {
			t.Fatal("a session in use ended early")
		}
	}
	c.pass(40 * time.Minute)
	if in(first) {
		t.Error("a session outlived its end")
	}
	second := h.signIn(t)
	c.pass(61 * time.Minute)
	if in(second) {
		t.Error("an idle session lives")
	}
	third, fourth := h.signIn(t), h.signIn(t)
	c.pass(time.Minute)
	if !in(third) {
		t.Error("the third session is gone")
	}
	fifth := h.signIn(t)
	if in(fourth) || !in(third) || !in(fifth) {
		t.Error("with too many sessions, another one than the quietest gave way")
	}
	answer := h.raw(t, "POST /-/sign-out HTTP/1.1\nHost: HOST\nCookie: "+third+"\nOrigin: http://HOST\nContent-Length: 0\n\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 303") || !strings.Contains(answer, "Max-Age=0") || in(third) {
		t.Errorf("sign-out: %q", answer)
	}
	if len(ended) != 4 {
		t.Errorf("told of %d ended sessions: %v", len(ended), ended)
	}
	_ = up
}

func TestTwoSessions_SessionsSeeTheirOwnRecordOnly(t *testing.T) {
	h, c := before(t, fine, nil)
	one, two := h.signIn(t), h.signIn(t)
	h.passes(t, c, "GET "+pods+"/one HTTP/1.1\nHost: HOST\nCookie: "+one+"\n\n")
	h.passes(t, c, "GET "+pods+"/two HTTP/1.1\nHost: HOST\nCookie: "+two+"\n\n")
	h.passes(t, c, "GET "+pods+"/client HTTP/1.1\nHost: HOST\nBEARER\n\n")
	entries := h.tap.Entries(h.guard.ClientSession().ID, 0)
	if len(entries) != 1 || !strings.HasSuffix(entries[0].Path, "/client") {
		t.Errorf("the client's record: %+v", entries)
	}
	if _, found := h.tap.Entry(h.guard.ClientSession().ID, 2); found {
		t.Error("another session's entry was found by its number")
	}
	// Nothing is cached between them: each request went upstream, and says that it must not be kept.
	_, answer := h.passes(t, c, "GET "+pods+"/one HTTP/1.1\nHost: HOST\nCookie: "+two+"\n\n")
	if !strings.Contains(c.text(), "/one ") || !strings.Contains(answer, "Cache-Control: no-store") {
		t.Errorf("upstream %q, answer %q", c.text(), answer)
	}
}

func TestReadOnly_ReadOnlyLetsReadsAndDryRunsPass(t *testing.T) {
	h, c := before(t, fine, func(o *guard.Options) { o.ReadOnly, o.WorkloadProxy = true, true })
	send := func(line, body string, fields ...string) string {
		text := line[:strings.IndexByte(line, ' ')+1] + "/clusters/one" + line[strings.IndexByte(line, ' ')+1:] + " HTTP/1.1\nHost: HOST\nBEARER\n"
		for _, field := range fields {
			text += field + "\n"
		}
		if body != "" || !strings.HasPrefix(line, "GET") {
			text += "Content-Length: " + itoa(len(body)) + "\n"
		}
		return text + "\n" + body
	}
	const (
		web  = "/api/v1/namespaces/x/pods/web"
		json = "Content-Type: application/json"
	)
	for _, ok := range []string{
		send("GET "+web, ""), send("GET "+web+"/log?follow=true", ""), send("GET /api/v1/pods?watch=1", ""), send("GET /version", ""), send("GET /api/v1/watch/pods", ""),
		send("POST /api/v1/namespaces/x/pods?dryRun=All", "{}"), send("PUT "+web+"?dryRun=All", "{}"), send("PATCH "+web+"?dryRun=All&force=true", "{}"),
		send("PATCH /apis/apps/v1/namespaces/x/deployments/web/scale?dryRun=All", "{}"), send("DELETE "+web+"?dryRun=All", ""),
		send("POST "+web+"/eviction?dryRun=All", "{}"), send("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All", "{}"),
		send("DELETE "+web, `{"dryRun":["All"]}`, json), send("DELETE "+web+"?dryRun=All", `{"kind":"DeleteOptions","dryRun":["All"],"x":{"dryRun":[]}}`, json),
		send("DELETE /api/v1/namespaces/x/pods?dryRun=All", ""),
	} {
		h.passes(t, c, ok)
	}
	const upgrade = "Connection: Upgrade\nUpgrade: "
	no := func(name, text string) refused { return refused{name, text, "403", "--read-only"} }
	h.refuses(t, c, []refused{
		no("create", send("POST /api/v1/namespaces/x/pods", "{}")), no("update", send("PUT "+web, "{}")), no("patch", send("PATCH "+web, "{}")),
		no("delete", send("DELETE "+web, "")), no("delete all", send("DELETE /api/v1/namespaces/x/pods", "")),
		no("dryRun twice", send("POST /api/v1/namespaces/x/pods?dryRun=All&dryRun=All", "{}")), no("dryRun All and none", send("PATCH "+web+"?dryRun=All&dryRun=", "{}")),
		no("dryRun all", send("PATCH "+web+"?dryRun=all", "{}")), no("dryRun true", send("PATCH "+web+"?dryRun=true", "{}")), no("dryRun empty", send("PATCH "+web+"?dryRun=", "{}")),
		no("dryrun", send("PATCH "+web+"?dryrun=All", "{}")), no("escaped away", send("PATCH "+web+"?dryRun%3DAll", "{}")),
		no("delete, the body decides", send("DELETE "+web+"?dryRun=All", `{"kind":"DeleteOptions"}`, json)),
		no("delete, body without dryRun", send("DELETE "+web+"?dryRun=All", `{}`, json)), no("delete, empty list", send("DELETE "+web+"?dryRun=All", `{"dryRun":[]}`, json)),
		no("delete, DRYRUN", send("DELETE "+web+"?dryRun=All", `{"DRYRUN":["All"]}`, json)), no("delete, twice", send("DELETE "+web, `{"dryRun":["All"],"dryRun":[]}`, json)),
		no("delete, twice in other case", send("DELETE "+web, `{"dryRun":["All"],"DryRun":[]}`, json)), no("delete, nested", send("DELETE "+web, `{"x":{"dryRun":["All"]}}`, json)),
		no("delete, two values", send("DELETE "+web, `{"dryRun":["All","All"]}`, json)), no("delete, a blank body", send("DELETE "+web+"?dryRun=All", ` `, json)),
		no("delete, more after it", send("DELETE "+web, `{"dryRun":["All"]}{}`, json)), no("delete, not JSON", send("DELETE "+web+"?dryRun=All", "dryRun: [All]", "Content-Type: application/yaml")),
		no("delete, no type", send("DELETE "+web+"?dryRun=All", `{"dryRun":["All"]}`)), no("delete, compressed", send("DELETE "+web, `{"dryRun":["All"]}`, json, "Content-Encoding: gzip")),
		no("delete, two types", send("DELETE "+web, `{"dryRun":["All"]}`, json, "Content-Type: application/yaml")), no("delete, a list", send("DELETE "+web, `["dryRun"]`, json)),
		no("exec by GET", send("GET "+web+"/exec?command=sh", "", upgrade+"websocket")), no("exec by GET, no upgrade", send("GET "+web+"/exec?command=sh", "")),
		no("exec as dry run", send("POST "+web+"/exec?command=sh&dryRun=All", "", upgrade+"SPDY/3.1")), no("attach", send("POST "+web+"/attach?dryRun=All", "")),
		no("portforward", send("GET "+web+"/portforward", "", upgrade+"websocket")), no("proxy", send("GET "+web+"/proxy/x", "")), no("proxy, dry run", send("POST "+web+"/proxy/x?dryRun=All", "")),
		no("watch by upgrade", send("GET /api/v1/pods?watch=1", "", upgrade+"websocket")), no("token", send("POST /api/v1/namespaces/x/serviceaccounts/sa/token?dryRun=All", "{}")),
		no("unknown subresource", send("PUT /apis/subresources.kubevirt.io/v1/namespaces/x/virtualmachines/v/restart?dryRun=All", "{}")),
		no("access review", send("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "{}")), no("odd method", send("PROPFIND /api/v1/pods?dryRun=All", "")),
		no("write below watch", send("DELETE /api/v1/watch/namespaces/x/pods/web?dryRun=All", "")), no("post to no resource", send("POST /version?dryRun=All", "")),
	})
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}
