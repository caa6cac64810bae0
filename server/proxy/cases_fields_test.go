package proxy_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/wiretap"
)

// The fields by which Fieldmark and its own pages talk to each other: neither a client nor an API server has a use for them
// beyond what they are for.

func TestTheCodingThatAPageNamesIsAskedForAndNothingElse(t *testing.T) {
	h, c := before(t, fine, nil)
	for fields, want := range map[string]string{
		"Fieldmark-Accept-Encoding: gzip":                                             "gzip",
		"fieldmark-accept-encoding: identity":                                         "identity",
		"Accept-Encoding: br\nFieldmark-Accept-Encoding: gzip":                        "gzip",
		"Fieldmark-Accept-Encoding: gzip\nAccept-Encoding: br\nAccept-Encoding: zstd": "gzip",
		"Fieldmark-Accept-Encoding: gzip\nFieldmark-Accept-Encoding: identity;q=0":    "gzip|identity;q=0",
		"Fieldmark-Accept-Encoding:":                                                  "",
		"Fieldmark-Accept-Encoding: x, Authorization: Bearer admin":                   "x, Authorization: Bearer admin",
		"Fieldmark_Accept_Encoding: gzip":                                             "none",
		"Fieldmark-Request: 7\nFieldmark-Anything: x\nfieldmark_request: 8":           "none",
		"Fieldmark-Accept-Encoding: gzip\nX-Remote-User: admi":                        "gzip",
	} {
		for _, way := range []string{"/web", "/web/exec"} {
			upgrade := ""
			if way == "/web/exec" {
				upgrade = "Connection: Upgrade\nUpgrade: SPDY/3.1\n"
			}
			got, _ := h.passes(t, c, "GET "+pods+way+" HTTP/1.1\nHost: HOST\nBEARER\n"+fields+"\n"+upgrade+"\n")
			if coding := codings(got); coding != want {
				t.Errorf("%q to %s: asked for %q, want %q: %q", fields, way, coding, want, got)
			}
			if strings.Contains(strings.ToLower(got), "fieldmark") || strings.Contains(got, "X-Remote") {
				t.Errorf("%q to %s: upstream got %q", fields, way, got)
			}
			if strings.Count(got, "\r\nAuthorization: "+clusterCredential+"\r\n") != 1 || strings.Contains(got, "\r\nAuthorization: Bearer admin") {
				t.Errorf("%q to %s: our credential did not survive alone: %q", fields, way, got)
			}
		}
	}
	h.refuses(t, c, []refused{
		{"named hop-by-hop", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nFieldmark-Accept-Encoding: gzip\nConnection: close, fieldmark-ACCEPT-encoding\n\n", "400", "hop-by-hop"},
		{"what it stands for named hop-by-hop", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nFieldmark-Accept-Encoding: gzip\nConnection: Accept-Encoding\n\n", "400", "hop-by-hop"},
		{"a field within", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nFieldmark-Accept-Encoding: gzip\x00\n\n", "400", ""},
		{"a folded line", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nFieldmark-Accept-Encoding: gzip\n Impersonate-User: admin\nImpersonate-User: x\n\n", "403", "impersonation"},
		{"a blank before the colon", "GET " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nFieldmark-Accept-Encoding : gzip\n\n", "400", ""},
	})
}

// A page that will read a response again says so. The record keeps more of it then, and the API server doesn't hear of it.
func TestMoreIsKeptOfAResponseThatAPageReadsAgain(t *testing.T) {
	const size = 20_000
	long := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat("1", size))
	h, c := before(t, long, nil)
	for i, field := range []string{"", "Fieldmark-Reread: true\n"} {
		got, _ := h.passes(t, c, "GET "+pods+" HTTP/1.1\nHost: HOST\nBEARER\n"+field+"\n")
		entries := h.tap.Entries(h.guard.ClientSession().ID, 0)
		if kept := len(entries[i].Answer.Body); (kept == size) != (field != "") || entries[i].Answer.Cut != (field == "") {
			t.Errorf("%q: %d bytes of %d are kept", field, kept, size)
		}
		if strings.Contains(strings.ToLower(got), "fieldmark") {
			t.Errorf("%q: upstream got %q", field, got)
		}
	}
}

// codings are the values of Accept-Encoding that reached upstream.
func codings(got string) string {
	head, _, _ := strings.Cut(got, "\r\n\r\n")
	var found []string
	for line := range strings.SplitSeq(head, "\r\n") {
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Accept-Encoding") {
			found = append(found, strings.TrimSpace(value))
		}
	}
	if found == nil {
		return "none"
	}
	return strings.Join(found, "|")
}

func TestTheNumberOfARequestIsOursToTell(t *testing.T) {
	for name, said := range map[string]string{
		"nothing":            "",
		"another number":     "Fieldmark-Request: 999\r\n",
		"in small letters":   "fieldmark-request: 999\r\n",
		"two":                "Fieldmark-Request: 999\r\nFieldmark-Request: 998\r\n",
		"named hop-by-hop":   "Connection: Fieldmark-Request\r\nFieldmark-Request: 999\r\n",
		"spelled otherwise":  "Fieldmark_Request: 999\r\n",
		"more of that name":  "Fieldmark-Requests: 999\r\nFieldmark-Accept-Encoding: 999\r\n",
		"with other markers": "Fieldmark-Request: 999, 1\r\nX-Kept: 1\r\n",
	} {
		for kind, answer := range map[string]string{
			"an answer":  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + said + "Content-Length: 2\r\n\r\n{}",
			"a refusal":  "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\n" + said + "Content-Length: 2\r\n\r\n{}",
			"an upgrade": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n" + said + "\r\n",
		} {
			if kind == "an upgrade" && name == "named hop-by-hop" {
				answer = strings.Replace(answer, "Connection: Upgrade", "Connection: Upgrade, Fieldmark-Request", 1)
				answer = strings.Replace(answer, "Connection: Fieldmark-Request\r\n", "", 1)
			}
			h, _ := before(t, answer, nil)
			for n := 1; n <= 2; n++ {
				upgrade := ""
				if kind == "an upgrade" {
					upgrade = "Connection: Upgrade\nUpgrade: SPDY/3.1\n"
				}
				got := h.raw(t, "GET "+pods+"/web/exec HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+"\n")
				if strings.Count(strings.ToLower(got), "fieldmark") != 1 || !strings.Contains(got, fmt.Sprintf("\r\nFieldmark-Request: %d\r\n", n)) || strings.Contains(got, "99") {
					t.Errorf("%s, the API server says %s: request %d is told as %q", kind, name, n, got)
				}
			}
		}
	}
}

func TestATrailerSaysNothingThatAHeadMayNot(t *testing.T) {
	for _, name := range append(neverBack(), "Fieldmark-Request", "Content-Type", "Content-Encoding", "Cache-Control", "Location", "X-New") {
		for way, upgrade := range map[string]string{"": "", "/web/exec": "Connection: Upgrade\nUpgrade: websocket\n"} {
			for _, announced := range []string{"Trailer: " + name + ", Warning\r\n", ""} {
				h, _ := before(t, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"+announced+"\r\n"+
					"2\r\n{}\r\n0\r\n"+name+": evil\r\nWarning: 299 - fine\r\n\r\n", nil)
				got := h.raw(t, "GET "+pods+way+" HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+"\n")
				if strings.Contains(got, "evil") || !strings.Contains(got, "Fieldmark-Request: 1\r\n") {
					t.Errorf("%s in a trailer of %q: %q", name, way, got)
				}
				if passed := strings.Contains(got, "\r\nWarning: 299 - fine\r\n"); passed != (way == "" && announced != "") {
					t.Errorf("a warning in a trailer of %q, announced by %q, passed: %t: %q", way, announced, passed, got)
				}
			}
		}
	}
}

func TestANumberOpensNothingOfAnotherSession(t *testing.T) {
	h, _ := before(t, fine, nil)
	number := func(who string) uint64 {
		answer := h.raw(t, "GET "+pods+" HTTP/1.1\nHost: HOST\n"+who+"\n\n")
		_, after, _ := strings.Cut(answer, "Fieldmark-Request: ")
		n, _, _ := strings.Cut(after, "\r\n")
		id, err := strconv.ParseUint(n, 10, 64)
		if err != nil || id == 0 {
			t.Errorf("%q: %v", answer, err)
		}
		return id
	}
	one, other := "Cookie: "+h.signIn(t), "Cookie: "+h.signIn(t)
	client := h.guard.ClientSession().ID
	for _, who := range []string{one, "BEARER", other, one, "BEARER"} {
		first := number(who)
		if _, found := h.tap.Entry(client, first); found != (who == "BEARER") {
			t.Errorf("%d of %s: found among what programs did: %t", first, who, found)
		}
		if second := number(who); second <= first {
			t.Errorf("%s: %d after %d", who, second, first)
		}
	}
	if all := h.tap.Entries(client, 0); len(all) != 4 {
		t.Errorf("programs made 4 requests, and %d are told of", len(all))
	}
	origins := map[wiretap.Origin]int{}
	h.sessions.Range(func(id, _ any) bool {
		for _, e := range h.tap.Entries(id.(string), 0) {
			origins[e.Who.Origin]++
		}
		return true
	})
	if origins[wiretap.Client] != 4 || origins[wiretap.Browser] != 6 {
		t.Errorf("pages and programs are told apart as %v", origins)
	}
}

func TestSecretValues_NothingOfAClusterIsKeptByABrowser(t *testing.T) {
	for _, said := range []string{
		"", "Cache-Control: public, max-age=31536000, immutable\r\n", "cache-control: no-store=0\r\nCache-Control: private\r\n",
		"Cache-Control: max-age=60\r\nExpires: Thu, 01 Dec 2044 16:00:00 GMT\r\nETag: \"a\"\r\nAge: 0\r\n", "Connection: Cache-Control\r\nCache-Control: max-age=60\r\n",
	} {
		for _, status := range []string{"200 OK", "203 Non-Authoritative Information", "301 Moved Permanently", "404 Not Found", "410 Gone"} {
			h, _ := before(t, "HTTP/1.1 "+status+"\r\nContent-Type: application/json\r\n"+said+"Content-Length: 2\r\n\r\n{}", nil)
			for who, browser := range map[string]bool{
				"COOKIE": true, "COOKIE\nSec-Fetch-Site: same-origin\nSec-Fetch-Mode: cors": true,
				"BEARER\nSec-Fetch-Site: same-origin\nSec-Fetch-Mode: cors": true, "BEARER\nCOOKIE": true,
				"BEARER": false, // kubectl keeps discovery, as it does with the API server itself
			} {
				answer := h.raw(t, "GET "+pods+" HTTP/1.1\nHost: HOST\n"+who+"\n\n")
				if browser && (!strings.Contains(answer, "\r\nCache-Control: no-store\r\n") || strings.Count(answer, "Cache-Control") != 1) {
					t.Errorf("%s with %q to %q: %q", status, said, who, answer)
				}
				if own := strings.HasPrefix(said, "Cache-Control"); own && !browser && strings.Contains(answer, "no-store") {
					t.Errorf("%s with %q to %q: %q", status, said, who, answer)
				}
			}
		}
	}
}

// A page of another site can make a browser send nearly anything, cookie included, but not without its saying so.
func TestCrossSite_AnotherSitesPageCallsNothing(t *testing.T) {
	h, c := before(t, fine, nil)
	var cases []refused
	for _, site := range []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: none"} {
		for _, call := range []string{
			"POST " + pods, "PUT " + pods + "/web", "PATCH " + pods + "/web", "DELETE " + pods + "/web", "DELETE " + pods, "POST " + pods + "?dryRun=All",
			"POST /clusters/one/api/v1/namespaces/x/serviceaccounts/sa/token", "POST /clusters/one/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
		} {
			for _, origin := range []string{"", "Origin: http://evil.test\n", "Origin: null\n"} {
				cases = append(cases, refused{call + " " + site + origin, call + " HTTP/1.1\nHost: HOST\nCOOKIE\n" + site + "\nSec-Fetch-Mode: cors\n" + origin +
					"Fieldmark-Accept-Encoding: gzip\nContent-Type: application/json\nContent-Length: 2\n\n{}", "403", "a page of Fieldmark"})
			}
		}
	}
	h.refuses(t, c, cases)
	for _, who := range []string{"COOKIE", "X-None: 1"} {
		answer := h.raw(t, "OPTIONS "+pods+" HTTP/1.1\nHost: HOST\n"+who+"\nOrigin: http://evil.test\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: cors\n"+
			"Access-Control-Request-Method: DELETE\nAccess-Control-Request-Headers: fieldmark-accept-encoding\n\n")
		if !strings.HasPrefix(answer, "HTTP/1.1 40") || strings.Contains(answer, "Access-Control") {
			t.Errorf("asked first, with %q: %q", who, answer)
		}
	}
}
