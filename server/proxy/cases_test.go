package proxy_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/guard"
)

const pods = "/clusters/one/api/v1/namespaces/x/pods"

func TestDNSRebinding_ForeignHostIsRefusedOnEveryRoute(t *testing.T) {
	h, c := before(t, fine, nil)
	var cases []refused
	for _, path := range []string{"/", "/static/app.css", "/healthz", "/socket", pods, guard.SignInPath, guard.LinkPath, "/?code=x", "/?token=" + launchToken} {
		for _, host := range []string{
			"evil.test", "localhost.evil.test:" + h.port(), "127.0.0.1.:" + h.port(), "localhost.:" + h.port(),
			"127.0.0.1:1", "127.0.0.1", "localhost", "0.0.0.0:" + h.port(), "[::]:" + h.port(), "",
			"127.1:" + h.port(), "user@127.0.0.1:" + h.port(),
		} {
			status, words := "403", "doesn't accept this Host header"
			if strings.Contains(host, "@") {
				status, words = "400", "" // net/http itself
			}
			cases = append(cases, refused{path + " as " + host, "GET " + path + " HTTP/1.1\nHost: " + host + "\nBEARER\n\n", status, words})
		}
	}
	cases = append(cases,
		refused{"two Hosts", "GET " + pods + " HTTP/1.1\nHost: HOST\nHost: HOST\nBEARER\n\n", "400", ""},
		refused{"no Host", "GET " + pods + " HTTP/1.1\nBEARER\n\n", "400", ""},
		refused{"no Host, 1.0", "GET " + pods + " HTTP/1.0\nBEARER\n\n", "403", "Host"},
	)
	h.refuses(t, c, cases)
	for _, host := range []string{"HOST", "localhost:" + h.port(), "LocalHost:" + h.port(), "[::1]:" + h.port()} {
		h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: "+host+"\nBEARER\n\n")
	}
}

func TestForeignSocket_WebSocketNeedsOurExactOrigin(t *testing.T) {
	h, c := before(t, fine, nil)
	const handshake = " HTTP/1.1\nHost: HOST\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: x\n"
	var cases []refused
	for _, path := range []string{"/socket", pods + "/web/exec"} {
		for name, origin := range map[string]string{
			"missing": "", "null": "Origin: null\n", "foreign": "Origin: http://evil.test\n", "another port": "Origin: http://127.0.0.1:1\n",
			"another name of ours": "Origin: http://localhost:" + h.port() + "\n", "another scheme": "Origin: https://HOST\n",
			"with a path": "Origin: http://HOST/\n", "two": "Origin: http://HOST\nOrigin: http://HOST\n", "suffix": "Origin: http://HOST.evil.test\n",
		} {
			cases = append(cases, refused{path + " " + name, "GET " + path + handshake + "COOKIE\n" + origin + "\n", "403", "Origin"})
		}
	}
	h.refuses(t, c, cases)
	h.passes(t, c, "GET "+pods+"/web/exec"+handshake+"COOKIE\nOrigin: http://HOST\n\n")
	h.passes(t, c, "GET "+pods+"/web/exec"+handshake+"BEARER\n\n")
}

func TestCrossSite_MutationsNeedSameOriginProof(t *testing.T) {
	h, c := before(t, fine, nil)
	var cases []refused
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"} {
		for name, proof := range map[string]string{
			"none": "", "form post": "Content-Type: text/plain\nOrigin: http://evil.test\n", "null": "Origin: null\n",
			"subdomain": "Origin: http://a.localhost:" + h.port() + "\nSec-Fetch-Site: same-site\n", "cross-site": "Sec-Fetch-Site: cross-site\n",
			"site none": "Sec-Fetch-Site: none\n", "lies": "Origin: http://evil.test\nSec-Fetch-Site: same-origin\n",
			"other port": "Origin: http://127.0.0.1:1\nSec-Fetch-Site: same-site\n", "two sites": "Sec-Fetch-Site: cross-site\nSec-Fetch-Site: same-origin\n",
			"our origin, other site": "Origin: http://HOST\nSec-Fetch-Site: cross-site\n",
		} {
			cases = append(cases, refused{method + " " + name, method + " " + pods + " HTTP/1.1\nHost: HOST\nCOOKIE\nContent-Length: 1\n" + proof + "\nx", "403", "a page of Fieldmark"})
		}
	}
	h.refuses(t, c, cases)
	for _, proof := range []string{
		"COOKIE\nSec-Fetch-Site: same-origin", "COOKIE\nOrigin: http://HOST", "COOKIE\nOrigin: http://HOST\nSec-Fetch-Site: same-origin",
		"COOKIE\nOrigin: null\nSec-Fetch-Site: same-origin", "BEARER",
	} {
		h.passes(t, c, "POST "+pods+" HTTP/1.1\nHost: HOST\n"+proof+"\nContent-Length: 1\n\nx")
	}
}

func TestCrossSite_OtherSitesCanNotReadEither(t *testing.T) {
	h, c := before(t, fine, nil)
	var cases []refused
	for _, site := range []string{"cross-site", "same-site"} {
		for name, rest := range map[string]string{
			"image": "Sec-Fetch-Mode: no-cors\nSec-Fetch-Dest: image\n", "fetch": "Sec-Fetch-Mode: cors\nSec-Fetch-Dest: empty\n",
			"frame": "Sec-Fetch-Mode: navigate\nSec-Fetch-Dest: iframe\n", "navigation": "Sec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\n", "nothing": "",
		} {
			cases = append(cases, refused{site + " " + name, "GET " + pods + " HTTP/1.1\nHost: HOST\nCOOKIE\nSec-Fetch-Site: " + site + "\n" + rest + "\n", "403", "site"})
			if name != "navigation" {
				cases = append(cases, refused{"page " + site + " " + name, "GET /c/one HTTP/1.1\nHost: HOST\nCOOKIE\nSec-Fetch-Site: " + site + "\n" + rest + "\n", "403", "site"})
			}
		}
	}
	h.refuses(t, c, cases)
	answer := h.raw(t, "GET /c/one HTTP/1.1\nHost: HOST\nCOOKIE\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\n\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 200") {
		t.Errorf("a link to a page: %q", answer)
	}
	h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nCOOKIE\nSec-Fetch-Site: same-origin\n\n")
	h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nCOOKIE\nSec-Fetch-Site: none\n\n")
}

func TestMethodOverride_MethodOverridesAreIgnored(t *testing.T) {
	h, c := before(t, fine, func(o *guard.Options) { o.ReadOnly = true })
	got, _ := h.passes(t, c, "GET "+pods+"?_method=DELETE HTTP/1.1\nHost: HOST\nBEARER\nX-HTTP-Method-Override: DELETE\nX-HTTP-Method: DELETE\nX-Method-Override: DELETE\n\n")
	if !strings.HasPrefix(got, "GET /api/v1/namespaces/x/pods?_method=DELETE ") || strings.Contains(strings.ToLower(got), "override") || strings.Contains(got, "X-Http-Method") {
		t.Errorf("upstream got %q", got)
	}
	h.refuses(t, c, []refused{
		{"DELETE said to be a GET", "DELETE " + pods + "/web?_method=GET HTTP/1.1\nHost: HOST\nBEARER\nX-HTTP-Method-Override: GET\n\n", "403", "--read-only"},
	})
}

func TestSmuggledIdentity_ImpersonationHeadersNeverReachUpstream(t *testing.T) {
	h, c := before(t, fine, nil)
	for _, fields := range []string{
		"X-Remote-User: admin", "x-remote-group: admin", "X-Remote-Extra-a: admin",
		"X_Remote_User: admin", "X-Forwarded-For: admin", "X-Forwarded-User: admin", "Forwarded: for=admin",
		"Cookie: a=admin", "Proxy-Authorization: Bearer admin", "X-Real-Ip: admin", "Origin: http://admin", "Referer: http://admin/",
		"Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.admin", "Sec-WebSocket-Protocol: a, Base64URL.bearer.authorization.k8s.io.admin",
	} {
		got, _ := h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n"+fields+"\n\n")
		onlyOurCredential(t, fields, got)
	}
	for _, fields := range []string{
		"Impersonate-User: admin", "impersonate-user: admin", "IMPERSONATE-USER: admin\nImpersonate-User: admin", "Impersonate-Group: system:masters",
		"Impersonate-Extra-scopes: admin", "Impersonate-Uid: admin", "Impersonate_User: admin",
	} {
		h.refuses(t, c, []refused{
			{fields, "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\n" + fields + "\n\n", "403", "impersonation"},
			{fields + ", upgrading", "GET " + pods + "/web/exec HTTP/1.1\nHost: HOST\nBEARER\n" + fields + "\nConnection: Upgrade\nUpgrade: SPDY/3.1\n\n", "403", "impersonation"},
		})
	}
	h.refuses(t, c, []refused{
		{"another Bearer", "GET " + pods + " HTTP/1.1\nHost: HOST\nAuthorization: Bearer admin\n\n", "401", "token"},
		{"another Bearer beside a cookie", "GET " + pods + " HTTP/1.1\nHost: HOST\nCOOKIE\nAuthorization: Bearer admin\n\n", "401", "token"},
		{"Basic", "GET " + pods + " HTTP/1.1\nHost: HOST\nCOOKIE\nAuthorization: Basic YTph\n\n", "401", "token"},
		{"doubled", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nAuthorization: Bearer admin\n\n", "401", "token"},
	})
}

// Of a failed discovery or OpenAPI request, client-go reads plain text, and no Status: kubectl would print “unknown”. Pages read a Status.
func TestARefusalOfDiscoveryIsTextForPrograms(t *testing.T) {
	h, c := before(t, fine, nil)
	const as = "Impersonate-User: ada\n"
	text, object := "Content-Type: text/plain; charset=utf-8\r\n", "Content-Type: application/json\r\n"
	for _, path := range []string{"/api", "/apis", "/apis/apps", "/apis/apps/v1", "/openapi/v3", "/openapi/v2", "/version"} {
		h.refuses(t, c, []refused{
			{path, "GET /clusters/one" + path + " HTTP/1.1\nHost: HOST\nBEARER\n" + as + "\n", "403", text},
			{path + ", its words", "GET /clusters/one" + path + " HTTP/1.1\nHost: HOST\nBEARER\n" + as + "\n", "403", "\r\n\r\nFieldmark refuses impersonation"},
			{path + ", a page", "GET /clusters/one" + path + " HTTP/1.1\nHost: HOST\nBEARER\nSec-Fetch-Mode: cors\n" + as + "\n", "403", object},
		})
	}
	h.refuses(t, c, []refused{
		{"a collection", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\n" + as + "\n", "403", object},
		{"a health check, which only kubectl get --raw reads", "GET /clusters/one/healthz HTTP/1.1\nHost: HOST\nBEARER\n" + as + "\n", "403", object},
		{"an unknown cluster, which client-go says in its own words", "GET /clusters/nowhere/api HTTP/1.1\nHost: HOST\nBEARER\n\n", "404", object},
	})
}

func onlyOurCredential(t *testing.T, fields, got string) {
	t.Helper()
	if strings.Contains(got, "admin") || strings.Contains(got, launchToken) {
		t.Errorf("%q: upstream got %q", fields, got)
	}
	if strings.Count(strings.ToLower(got), "authorization:") != 1 || !strings.Contains(got, "Authorization: "+clusterCredential+"\r\n") {
		t.Errorf("%q: our credential did not survive: %q", fields, got)
	}
}

func TestHopByHop_HopByHopSmugglingIsRefused(t *testing.T) {
	h, c := before(t, fine, nil)
	for _, connection := range []string{
		"Connection: Authorization", "Connection: keep-alive, authorization, X-Remote-User\nX-Remote-User: admin",
		"Connection: X-Remote-User\nConnection: AUTHORIZATION\nX-Remote-User: admin", "Connection: Host, Content-Length",
		"Connection: X-Mine\nX-Mine: admin", "Connection: Impersonate-User\nImpersonate-User: admin", "Connection: close, Content-Type\nContent-Type: application/json",
		"Connection: content-type\nContent-Type: application/json", "Connection: Cookie", "Connection: Accept", "Connection: Origin", "Connection: te;q=1",
		"Connection: keep-alive Content-Type", "Connection: Content_Type", "Connection: \"Content-Type\"", "Connection: close\tAccept",
	} {
		for _, where := range []string{pods, "/", "/c/one", "/healthz", "/static/x"} {
			h.refuses(t, c, []refused{{connection + " to " + where, "GET " + where + " HTTP/1.1\nHost: HOST\nBEARER\n" + connection + "\n\n", "400", "hop-by-hop"}})
		}
		h.refuses(t, c, []refused{{connection + ", upgrading", "GET " + pods + "/web/exec HTTP/1.1\nHost: HOST\nBEARER\n" + connection +
			"\nConnection: Upgrade\nUpgrade: SPDY/3.1\n\n", "400", "hop-by-hop"}})
	}
}

// What browsers, kubectl, client-go and curl send, and what is said about a connection and nothing else.
func TestHopByHop_HopByHopHeadersSpareOurCredentials(t *testing.T) {
	h, c := before(t, fine, nil)
	for _, connection := range []string{
		"Connection: keep-alive", "Connection: Keep-Alive", "Connection: close", "Connection: TE\nTE: trailers", "Connection: HTTP2-Settings\nHTTP2-Settings: AAMAAABk",
		"Connection: keep-alive, TE", "Connection:", "Connection: , close,", "Connection: keep-alive\nConnection: TE", "Connection: Proxy-Connection",
		"Proxy-Connection: Authorization", "Keep-Alive: Authorization",
	} {
		got, _ := h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n"+connection+"\n\n")
		onlyOurCredential(t, connection, got)
		got, _ = h.passes(t, c, "GET "+pods+"/web/exec HTTP/1.1\nHost: HOST\nBEARER\n"+connection+"\nConnection: Upgrade\nUpgrade: SPDY/3.1\n\n")
		onlyOurCredential(t, connection, got)
		if !strings.Contains(got, "Upgrade: SPDY/3.1\r\n") || !strings.Contains(got, "Connection: Upgrade\r\n") {
			t.Errorf("%q: the upgrade did not survive: %q", connection, got)
		}
	}
}

func TestRequestSmuggling_UnknownUpgradesAndTwoLengthsAreRefused(t *testing.T) {
	h, c := before(t, fine, nil)
	const up = " HTTP/1.1\nHost: HOST\nBEARER\nConnection: "
	h.refuses(t, c, []refused{
		{"h2c", "GET " + pods + up + "Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABk\n\n", "400", "upgrades"},
		{"h2c on a page", "GET /" + up + "Upgrade\nUpgrade: h2c\n\n", "400", "upgrades"},
		{"TLS", "GET " + pods + up + "Upgrade\nUpgrade: TLS/1.0\n\n", "400", "upgrades"},
		{"two", "GET " + pods + up + "Upgrade\nUpgrade: websocket, h2c\n\n", "400", "upgrades"},
		{"two fields", "GET " + pods + up + "Upgrade\nUpgrade: websocket\nUpgrade: h2c\n\n", "400", "upgrades"},
		{"not in Connection", "GET " + pods + up + "keep-alive\nUpgrade: websocket\n\n", "400", "upgrades"},
		{"SPDY on a page", "GET /" + up + "Upgrade\nUpgrade: SPDY/3.1\n\n", "400", "upgrades"},
		{"with a body", "POST " + pods + up + "Upgrade\nUpgrade: SPDY/3.1\nContent-Length: 1\n\nx", "400", "must not have a body"},
		{"both lengths", "POST " + pods + up + "keep-alive\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n", "400", "both"},
		{"both lengths, other case", "POST " + pods + up + "keep-alive\ntransfer-encoding: chunked\nCONTENT-LENGTH: 3\n\n0\n\n", "400", "both"},
		{"chunked in 1.0", "POST " + pods + " HTTP/1.0\nHost: HOST\nBEARER\nTransfer-Encoding: chunked\n\n0\n\n", "400", "HTTP/1.0 must not"},
		{"two lengths", "POST " + pods + up + "keep-alive\nContent-Length: 3\nContent-Length: 4\n\nabcd", "400", ""},
		{"odd encoding", "POST " + pods + up + "keep-alive\nTransfer-Encoding: xchunked\n\n0\n\n", "501", ""},
		{"HTTP/2 preface", "PRI * HTTP/2.0\n\nSM\n\n", "400", ""},
		{"HTTP/2 preface and more", "PRI * HTTP/2.0\n\nSM\n\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", "400", ""},
		{"half a preface", "PRI * HTTP/2.0\nHost: HOST\nBEARER\n\n", "400", ""},
		{"CONNECT", "CONNECT " + h.addr + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "405", ""},
		{"TRACE", "TRACE " + pods + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "405", ""},
	})
}

func TestFailedUpgrade_AnUpgradeAnsweredOtherwiseEndsBothConnections(t *testing.T) {
	h, c := before(t, fine, nil)
	for range 2 {
		_, answer := h.passes(t, c, "GET "+pods+"/web/exec HTTP/1.1\nHost: HOST\nBEARER\nConnection: Upgrade\nUpgrade: SPDY/3.1\n\n")
		if !strings.Contains(answer, "Connection: close") {
			t.Errorf("the client's connection stays open: %q", answer)
		}
	}
	if n := c.connections(); n != 2 {
		t.Errorf("two upgrades used %d connections", n)
	}
}

func TestAmbiguousPath_PathsHaveOneReadingOrNone(t *testing.T) {
	h, c := before(t, fine, nil)
	var cases []refused
	for _, tail := range []string{
		"/../../api/v1/secrets", "/%2e%2e/x", "/.%2E/x", "//pods", "/a%2fb", "/a%2Fb", "/a%252fb", "/a;b", "/a%3bb", `/a\b`, "/a%5cb", "/a%00b", "/a%0d%0ab", "/.",
		"/nodes/a%2fb", "/nodes/a%252fb", "/nodes/%2e", "/nodes/..", "/nodes/..%5cb", `/nodes/a\..\b`, "/nodes/a%00b", "/namespaces/a;b/pods/x", "/nodes/x/proxy;y",
	} {
		cases = append(cases,
			refused{"api " + tail, "GET /clusters/one/api/v1" + tail + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "path"},
			refused{"page " + tail, "GET /c/one/api/v1" + tail + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "path"},
			refused{"cluster " + tail, "GET /clusters" + tail + "/api HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "path"},
		)
	}
	cases = append(cases,
		refused{"absolute form", "GET http://HOST" + pods + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "path, not a whole URL"},
		refused{"absolute form, foreign", "GET http://evil.test/ HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "path, not a whole URL"},
		refused{"asterisk", "OPTIONS * HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "path, not a whole URL"},
		refused{"raw NUL", "GET /clusters/one/a\x00b HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", ""},
		refused{"query", "GET " + pods + "?a=%zz HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "query"},
		refused{"query with semicolon", "GET " + pods + "?a=1;dryRun=All HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "query"},
		refused{"redirect elsewhere", "GET //evil.test/?code=x HTTP/1.1\nHost: HOST\n\n", "400", "path"},
	)
	h.refuses(t, c, cases)
	for send, want := range map[string]string{
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3anode": "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node":   "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/tea;pot":       "/apis/rbac.authorization.k8s.io/v1/clusterroles/tea%3Bpot",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/back%5cslash":  "/apis/rbac.authorization.k8s.io/v1/clusterroles/back%5Cslash",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/two%0alines":   "/apis/rbac.authorization.k8s.io/v1/clusterroles/two%0Alines",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3fb%23c":     "/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3Fb%23c",
		"/api/v1/%70ods?a=%2F..": "/api/v1/pods?a=%2F..",
		"":                       "/",
		"/":                      "/",
		"/openapi/v3":            "/openapi/v3",
	} {
		got, _ := h.passes(t, c, "GET /clusters/one"+send+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
		if !strings.HasPrefix(got, "GET "+want+" HTTP/1.1\r\n") {
			t.Errorf("%s: upstream got %q", send, got)
		}
	}
}

const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=b\r\nContent-Length: 8\r\n\r\n<script>"

func TestWorkloadProxy_WorkloadProxiesAreOffUnlessSwitchedOn(t *testing.T) {
	ways := []string{
		"/api/v1/namespaces/x/services/web/proxy", "/api/v1/namespaces/x/services/https:web:443/proxy/a", "/api/v1/namespaces/x/pods/web/proxy/",
		"/api/v1/nodes/n1/proxy/metrics", "/api/v1/nodes/n1:10250/proxy/run/x", "/api/v1/nodes/n1/%70roxy/x",
	}
	h, c := before(t, page, nil)
	var cases []refused
	for _, path := range ways {
		cases = append(cases, refused{path, "GET /clusters/one" + path + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "403", "switched off"})
	}
	h.refuses(t, c, append(cases,
		refused{"old prefix", "GET /clusters/one/api/v1/proxy/nodes/n1/x HTTP/1.1\nHost: HOST\nBEARER\n\n", "400", "no longer"}))

	h, c = before(t, page, func(o *guard.Options) { o.WorkloadProxy = true })
	for _, path := range ways {
		_, answer := h.passes(t, c, "GET /clusters/one"+path+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
		for _, want := range []string{
			"Content-Disposition: attachment\r\n", "X-Content-Type-Options: nosniff\r\n", "Content-Type: text/plain; charset=utf-8\r\n",
			"Content-Security-Policy: sandbox; default-src 'none'; frame-ancestors 'none'\r\n",
		} {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: no %q in %q", path, want, answer)
			}
		}
	}
}

func TestHostileResponse_HTMLRedirectsAndCookiesFromUpstreamAreInert(t *testing.T) {
	for _, media := range []string{
		"text/html", "TEXT/HTML; charset=utf-8", "image/svg+xml", "application/xhtml+xml", "application/xml", "text/xml", "text/javascript",
		"application/javascript", "multipart/x-mixed-replace; boundary=x", "application/pdf", "text/plain; charset=utf-7", "", "nonsense",
		"application/json, text/html", "text/css", "application/json\r\nContent-Type: text/html",
	} {
		h, c := before(t, "HTTP/1.1 302 Found\r\nContent-Type: "+media+"\r\nLocation: http://evil.test/\r\nSet-Cookie: a=b\r\nRefresh: 0\r\n"+
			"Access-Control-Allow-Origin: *\r\nWWW-Authenticate: Basic\r\nClear-Site-Data: \"*\"\r\nContent-Security-Policy: default-src *\r\n"+
			"Link: </x>; rel=preload\r\nService-Worker-Allowed: /\r\nConnection: Etag\r\nEtag: hop\r\nAudit-Id: 1\r\nContent-Length: 8\r\n\r\n<script>", nil)
		answer := h.raw(t, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
		for _, want := range []string{
			"HTTP/1.1 302 ", "Content-Type: text/plain; charset=utf-8\r\n", "X-Content-Type-Options: nosniff\r\n", "Audit-Id: 1\r\n", "<script>",
			"Content-Security-Policy: sandbox; default-src 'none'; frame-ancestors 'none'\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n",
		} {
			if !strings.Contains(answer, want) {
				t.Errorf("%q: no %q in %q", media, want, answer)
			}
		}
		for _, bad := range []string{"evil", "Set-Cookie", "Refresh", "Access-Control", "Www-Auth", "Clear-Site", "default-src *", "Link:", "Service-Worker", "Etag", "text/html"} {
			if strings.Contains(answer, bad) {
				t.Errorf("%q: %q in %q", media, bad, answer)
			}
		}
		if n := strings.Count(c.text(), "GET "); n != 1 {
			t.Errorf("%d requests upstream: a redirect was followed", n)
		}
	}
}

func TestHostileResponse_TheAPIsOwnMediaTypesPass(t *testing.T) {
	for _, media := range []string{
		"application/json", "application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;stream=watch", "application/yaml",
		"application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf;stream=watch", "application/cbor", "application/cbor-seq",
		"application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
		"text/plain; version=0.0.4; charset=utf-8", "text/plain", "application/openmetrics-text; version=1.0.0; charset=utf-8", "application/jwk-set+json",
	} {
		h, c := before(t, "HTTP/1.1 200 OK\r\nContent-Type: "+media+"\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx", nil)
		_, answer := h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
		if !strings.Contains(answer, "Content-Type: "+media+"\r\n") || !strings.Contains(answer, "Content-Encoding: gzip\r\n") {
			t.Errorf("%s: got %q", media, answer)
		}
	}
}

func TestHostileText_HostileWordsAreInertInRefusals(t *testing.T) {
	h, _ := before(t, fine, nil)
	const hostile = "/c/%3Cscript%3Ealert(1)%3C%2Fscript%3E"
	answer := h.raw(t, "GET "+hostile+" HTTP/1.1\nHost: HOST\nAccept: text/html\n\n")
	if strings.Contains(answer, "<script") || !strings.Contains(answer, "Content-Security-Policy: default-src 'self'") {
		t.Errorf("got %q", answer)
	}
	answer = h.raw(t, "GET /clusters/%3Cscript%3E/api HTTP/1.1\nHost: HOST\nBEARER\n\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 404") || strings.Contains(answer, "<script") || !strings.Contains(answer, "Content-Type: application/json") {
		t.Errorf("got %q", answer)
	}
	answer = h.raw(t, "GET /clusters/one/api HTTP/1.1\nHost: HOST\nBEARER\nImpersonate-User: <script>\n\n")
	for _, inert := range []string{"HTTP/1.1 403", "Content-Type: text/plain; charset=utf-8\r\n", "X-Content-Type-Options: nosniff\r\n", "Content-Security-Policy: sandbox; default-src 'none';"} {
		if !strings.Contains(answer, inert) {
			t.Errorf("%s is missing: got %q", inert, answer)
		}
	}
}

func TestSecretValues_SecretsAndTokensAreNotRecorded(t *testing.T) {
	h, _ := before(t, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: hidden\r\nX-New: hidden\r\nContent-Length: 6\r\n\r\nhidden", nil)
	for _, send := range []string{
		"GET /clusters/one/api/v1/namespaces/x/secrets", "GET /clusters/one/api/v1/namespaces/x/secrets/hush", "GET /clusters/one/api/v1/secrets",
		"PUT /clusters/one/api/v1/namespaces/x/secrets/hush", "GET /clusters/one/api/v1/watch/secrets",
		"POST /clusters/one/api/v1/namespaces/x/serviceaccounts/sa/token", "POST /clusters/one/apis/authentication.k8s.io/v1/tokenreviews",
		"POST /clusters/one/api/v1/namespaces/x/pods/web/exec?token=hidden&a=b", "GET /clusters/one/api/v1/pods?access_%74oken=hidden",
	} {
		h.raw(t, send+" HTTP/1.1\nHost: HOST\nBEARER\nX-Secret-Thing: hidden\nContent-Length: 6\n\nhidden")
	}
	entries := h.tap.Entries(h.guard.ClientSession().ID, 0)
	if len(entries) != 9 {
		t.Fatalf("%d entries", len(entries))
	}
	for i, e := range entries {
		text := fmt.Sprintf("%+v %s %s", e, e.Request.Body, e.Answer.Body)
		if i == 8 { // a list of pods may be kept
			text = fmt.Sprintf("%s %v %v", e.Query, e.Request.Header, e.Answer.Header)
		} else if e.Answer.Withheld == "" || len(e.Answer.Body)+len(e.Request.Body) > 0 || e.Answer.Bytes != 6 {
			t.Errorf("%s %s: not withheld: %+v", e.Method, e.Path, e.Answer)
		}
		if strings.Contains(text, "hidden") || strings.Contains(text, launchToken) || strings.Contains(text, clusterCredential) {
			t.Errorf("%s %s: %s", e.Method, e.Path, text)
		}
	}
}

func TestOversizedInput_BodiesOverTheBoundAreRefusedBeforeOneByteGoesUpstream(t *testing.T) {
	h, c := before(t, fine, nil)
	const most = 3 << 20
	send := func(length int64, size int) int {
		r, _ := http.NewRequest(http.MethodPost, "http://"+h.addr+pods, io.LimitReader(endless{}, int64(size)))
		r.ContentLength = length
		r.Header.Set("Authorization", "Bearer "+launchToken)
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Logf("sending %d bytes: %v", size, err)
			return 0
		}
		defer resp.Body.Close()
		words, _ := io.ReadAll(resp.Body)
		if resp.StatusCode == 413 && !strings.Contains(string(words), "RequestEntityTooLarge") {
			t.Errorf("got %s", words)
		}
		return resp.StatusCode
	}
	for _, length := range []int64{most + 1, -1} {
		if code := send(length, most+1); code != 413 && code != 0 {
			t.Errorf("length %d: status %d", length, code)
		}
		if got := c.text(); len(got) != 0 {
			t.Errorf("length %d: %d bytes reached the API server", length, len(got))
		}
	}
	h.refuses(t, c, []refused{{"said to be long", fmt.Sprintf("POST %s HTTP/1.1\nHost: HOST\nBEARER\nContent-Length: %d\n\n", pods, int64(1)<<40), "413", "limit is 3145728"}})
	for _, length := range []int64{most, -1} {
		c.reset()
		if code := send(length, most); code != 200 {
			t.Errorf("length %d: status %d", length, code)
		}
		if got := len(c.text()); got < most {
			t.Errorf("length %d: only %d bytes reached the API server", length, got)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestPanic_APanicEndsOneRequestOnly(t *testing.T) {
	h, c := before(t, fine, nil)
	answer := h.raw(t, "GET /panic HTTP/1.1\nHost: HOST\nBEARER\n\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 500") || strings.Contains(answer, "disco") || strings.Contains(answer, "goroutine") ||
		!strings.Contains(answer, "Content-Security-Policy: default-src 'self'") {
		t.Errorf("got %q", answer)
	}
	h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
}

func TestPagePolicy_PolicyHeadersAreOnEveryStatus(t *testing.T) {
	h, _ := before(t, fine, nil)
	for status, send := range map[string]string{
		"200": "GET / HTTP/1.1\nHost: HOST\nBEARER\n\n", "303": "GET /?token=" + launchToken + " HTTP/1.1\nHost: HOST\n\n",
		"400": "GET /a//b HTTP/1.1\nHost: HOST\n\n", "401": "GET / HTTP/1.1\nHost: HOST\n\n", "403": "GET / HTTP/1.1\nHost: evil.test\n\n",
		"405": "GET /-/sign-out HTTP/1.1\nHost: HOST\n\n", "413": "POST / HTTP/1.1\nHost: HOST\nBEARER\nContent-Length: 99999999\n\n",
		"500": "GET /panic HTTP/1.1\nHost: HOST\nBEARER\n\n",
	} {
		answer := h.raw(t, send)
		if !strings.HasPrefix(answer, "HTTP/1.1 "+status) {
			t.Errorf("want %s, got %q", status, answer)
		}
		for _, want := range []string{
			"Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
				"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'\r\n",
			"X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n", "Cross-Origin-Opener-Policy: same-origin\r\n",
			"Cross-Origin-Resource-Policy: same-origin\r\n", "Permissions-Policy: ", "Cache-Control: no-store\r\n",
		} {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: no %q in %q", status, want, answer)
			}
		}
	}
}

// What the API server takes goes through whole, and more is refused for what it is. Its bound is that of net/http: 1 MiB.
func TestRequestHeadsMayBeAsLongAsTheAPIServersOwn(t *testing.T) {
	h, c := before(t, fine, nil)
	for _, length := range []int{60 << 10, 100_000, 500_000, 1 << 20} {
		long := strings.Repeat("x", length-600)
		for what, head := range map[string]string{
			"one field":   "?a=b HTTP/1.1\nHost: HOST\nBEARER\nAccept: " + long + "\n",
			"the query":   "?a=" + long + " HTTP/1.1\nHost: HOST\nBEARER\n",
			"many fields": "?a=b HTTP/1.1\nHost: HOST\nBEARER\n" + strings.Repeat("Accept: "+long[:90]+"\n", len(long)/100),
		} {
			for way, rest := range map[string]string{"pods": "\n", "pods/web/exec": "Connection: Upgrade\nUpgrade: SPDY/3.1\n\n"} {
				got, _ := h.passes(t, c, "GET "+strings.TrimSuffix(pods, "pods")+way+head+rest)
				if missing := len(long) - strings.Count(got, "x"); missing > len(long)/9 || what != "many fields" && missing > 0 {
					t.Errorf("%d bytes as %s to %s: %d did not arrive", length, what, way, missing)
				}
			}
		}
	}
	long := strings.Repeat("x", 1<<20+8<<10)
	h.refuses(t, c, []refused{
		{"a long field", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nAccept: " + long + "\n\n", "431", "Too Large"},
		{"a long path", "GET " + pods + "/" + long[:100_000] + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "414", "path of this URL is too long"},
		{"a long query", "GET " + pods + "?a=" + long + " HTTP/1.1\nHost: HOST\nBEARER\n\n", "431", "Too Large"},
		{"a stranger's", "GET / HTTP/1.1\nHost: HOST\nX-Long: " + long + "\n\n", "431", "Too Large"},
	})
}
