package proxy_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/guard"
)

// upgrades are the ways that a request can take: answered once, and turning its connection into something else.
func upgrades() map[string]string {
	return map[string]string{
		pods + "/web/log": "", pods + "/web/exec": "Connection: Upgrade\nUpgrade: SPDY/3.1\n", pods: "Connection: Upgrade\nUpgrade: websocket\n",
		pods + "/web/proxy/x": "", pods + "/web/proxy/y": "Connection: Upgrade\nUpgrade: websocket\n",
	}
}

func withWorkloads(o *guard.Options) { o.WorkloadProxy = true }

func TestSmuggledIdentity_OnlyListedHeadersGoToTheAPIServer(t *testing.T) {
	h, c := before(t, fine, withWorkloads)
	var fields strings.Builder
	for _, name := range []string{
		"X-Original-URL", "X-Original-Host", "X-Original-Method", "X-Rewrite-URL", "X-Override-URL", "X-Host", "X-HTTP-Host-Override",
		"Remote-User", "Remote-Groups", "Remote-Addr", "REMOTE_USER", "X-Remote-User", "X_Remote_User", "X-WEBAUTH-USER", "X-User", "X-User-Id", "User", "From",
		"X-Auth-Request-User", "X-Auth-Request-Groups", "X-Auth-Request-Access-Token", "X-Auth-User", "X-Auth-Token", "X-Authenticated-User", "X-Token", "Api-Key", "X-Api-Key",
		"X-SSL-Client-Cert", "X-SSL-Client-Verify", "SSL_CLIENT_CERT", "SSL-Client-S-DN", "SSL_CLIENT", "X-Client-Cert", "Client-Cert", "Client-Cert-Chain", "X-Tls-Client-Cert",
		"X-Amzn-Oidc-Identity", "X-Amzn-Oidc-Data", "X-Goog-Authenticated-User-Email", "X-Goog-Iap-Jwt-Assertion", "X-Ms-Client-Principal", "Cf-Access-Jwt-Assertion",
		"Cf-Connecting-Ip", "True-Client-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Envoy-External-Address", "X-Envoy-Original-Path", "X-Forwarded-Client-Cert",
		"X-Kubernetes-Peer-Proxied", "X-Kubernetes-Anything", "Audit-Id", "Baggage", "X-B3-Traceid", "X-Request-Id", "X-Csrf-Token", "X-Requested-With",
		"Accept-Language", "Accept-Charset", "Cache-Control", "Pragma", "Dnt", "Sec-Gpc", "Priority", "Save-Data", "Upgrade-Insecure-Requests", "Purpose", "Sec-Purpose",
		"Access-Control-Request-Method", "Access-Control-Request-Headers", "Access-Control-Request-Private-Network", "Available-Dictionary", "Dictionary-Id",
		"Sec-Websocket-Anything", "Kubectl-Anything", "Content-Md5", "Content_Type", "Date", "Max-Forwards", "Http2-Settings", "X-Anything", "Y",
	} {
		fields.WriteString(name + ": canary\n")
	}
	for way, upgrade := range upgrades() {
		for _, who := range []string{"BEARER", "COOKIE\nOrigin: http://HOST\nSec-Fetch-Site: same-origin"} {
			got, _ := h.passes(t, c, "GET "+way+" HTTP/1.1\nHost: HOST\n"+who+"\n"+upgrade+fields.String()+"\n")
			if strings.Contains(got, "canary") {
				t.Errorf("%s %q: upstream got %q", way, upgrade, got)
			}
		}
	}
}

func TestWhatClientsOfTheAPINeedGoesToTheAPIServer(t *testing.T) {
	h, c := before(t, fine, withWorkloads)
	fields := []string{
		"Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "Accept-Encoding: gzip", "Content-Type: application/apply-patch+yaml", "Content-Encoding: gzip",
		"User-Agent: kubectl/v1.37.1 (linux/amd64) kubernetes/abc", "If-Match: \"a\"", "If-None-Match: \"a\"", "If-Modified-Since: Thu, 01 Dec 2044 16:00:00 GMT",
		"If-Unmodified-Since: Thu, 01 Dec 2044 16:00:00 GMT", "If-Range: \"a\"", "Range: bytes=0-1", "Kubectl-Command: kubectl get", "Kubectl-Session: 4c2f",
		"Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Tracestate: a=b", "X-Stream-Protocol-Version: v5.channel.k8s.io",
		"X-Stream-Protocol-Version: v4.channel.k8s.io", "Sec-Websocket-Key: x", "Sec-Websocket-Version: 13", "Sec-Websocket-Protocol: v5.channel.k8s.io", "Sec-Websocket-Extensions: x",
	}
	for way, upgrade := range upgrades() {
		got, _ := h.passes(t, c, "GET "+way+" HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+strings.Join(fields, "\n")+"\n\n")
		for _, field := range fields {
			if strings.Count(got, "\r\n"+field+"\r\n") != 1 {
				t.Errorf("%s: %q is not once in %q", way, field, got)
			}
		}
	}
}

// neverBack are headers by which an answer acts on the origin that it comes from, or on the browser.
func neverBack() []string {
	return []string{
		"Set-Cookie", "Set-Cookie2", "Set-Login", "Use-As-Dictionary", "Critical-Ch", "Accept-Ch", "Accept-Ch-Lifetime", "Delegate-Ch", "Secure-Session-Registration",
		"Secure-Session-Challenge", "Sec-Session-Registration", "Refresh", "Link", "Sourcemap", "X-Sourcemap", "Service-Worker-Allowed",
		"Service-Worker-Navigation-Preload", "Clear-Site-Data", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Expose-Headers",
		"Access-Control-Allow-Private-Network", "Alt-Svc", "Alt-Used", "Strict-Transport-Security", "Public-Key-Pins", "Expect-Ct", "Www-Authenticate", "Proxy-Authenticate",
		"Authentication-Info", "Nel", "Report-To", "Reporting-Endpoints", "Content-Security-Policy-Report-Only", "X-Frame-Options", "X-Xss-Protection", "Document-Policy",
		"Require-Document-Policy", "Feature-Policy", "Timing-Allow-Origin", "Origin-Agent-Cluster", "Origin-Trial", "Speculation-Rules", "Supports-Loading-Mode",
		"Cross-Origin-Embedder-Policy", "Activate-Storage-Access", "Attribution-Reporting-Register-Source", "Attribution-Reporting-Register-Trigger",
		"Observe-Browsing-Topics", "Permissions-Policy-Report-Only", "Integrity-Policy", "X-Dns-Prefetch-Control", "X-Permitted-Cross-Domain-Policies", "X-Download-Options",
		"Server", "X-Powered-By", "Via", "Age", "Pragma", "No-Vary-Search", "Content-Language", "Content-Location", "Content_Type", "Upgrade-Insecure-Requests",
		"X-Kubernetes-Anything", "Fieldmark-Anything", "X-Anything", "Y",
	}
}

func TestHostileResponse_OnlyListedHeadersComeBack(t *testing.T) {
	var fields strings.Builder
	for _, name := range append(neverBack(), "Content-Disposition", "Content-Security-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
		"Permissions-Policy", "Referrer-Policy", "X-Content-Type-Options", "Location", "Fieldmark-Request") {
		fields.WriteString(name + ": canary\r\n")
	}
	for _, status := range []string{"200 OK", "201 Created", "304 Not Modified", "401 Unauthorized", "403 Forbidden", "503 Service Unavailable", "101 Switching Protocols"} {
		for way, upgrade := range upgrades() {
			if status[:3] == "101" && upgrade == "" {
				continue
			}
			answer := "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + fields.String() + "Content-Length: 0\r\n\r\n"
			if status[:3] == "101" {
				answer = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + strings.TrimSpace(upgrade[strings.LastIndex(upgrade, " ")+1:]) + "\r\n" + fields.String() + "\r\n"
			}
			h, _ := before(t, answer, withWorkloads)
			got := h.raw(t, "GET "+way+" HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+"\n")
			if !strings.HasPrefix(got, "HTTP/1.1 "+status[:3]) || strings.Contains(got, "canary") {
				t.Errorf("%s to %s %q: %q", status, way, upgrade, got)
			}
		}
	}
}

func TestWhatClientsOfTheAPINeedComesBack(t *testing.T) {
	fields := []string{
		"Content-Type: application/json", "Content-Encoding: gzip", "Content-Range: bytes 0-1/2", "Accept-Ranges: bytes", "Date: Thu, 01 Dec 2044 16:00:00 GMT",
		"Expires: Fri, 01 Dec 2045 16:00:00 GMT", "Etag: \"a\"", "Last-Modified: Thu, 01 Dec 2044 16:00:00 GMT", "Vary: Accept", "Allow: GET", "Retry-After: 1",
		"Warning: 299 - \"one\"", "Warning: 299 - \"two\"", "Audit-Id: a-1", "X-Kubernetes-Pf-Flowschema-Uid: f", "X-Kubernetes-Pf-Prioritylevel-Uid: p",
		"X-Stream-Protocol-Version: v5", "X-Accepted-Stream-Protocol-Versions: v5", "Sec-Websocket-Accept: x", "Sec-Websocket-Protocol: v5", "Sec-Websocket-Extensions: x",
		"Sec-Websocket-Version: 13",
	}
	for way, upgrade := range upgrades() {
		h, _ := before(t, "HTTP/1.1 200 OK\r\n"+strings.Join(fields, "\r\n")+"\r\nCache-Control: public, immutable\r\nContent-Length: 2\r\n\r\n{}", withWorkloads)
		got := h.raw(t, "GET "+way+" HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+"\n")
		for _, field := range append(fields, "Content-Length: 2") {
			if strings.Count(got, "\r\n"+field+"\r\n") != 1 {
				t.Errorf("%s: %q is not once in %q", way, field, got)
			}
		}
		if kept := strings.Contains(got, "\r\nCache-Control: public, immutable\r\n"); kept != (upgrade == "") {
			t.Errorf("%s %q: %q", way, upgrade, got)
		}
	}
}

// ours are the headers of Fieldmark's own that every answer has, whoever gave it.
func ours() []string {
	return []string{
		"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
		"Permissions-Policy", "Cache-Control", "Fieldmark-Request",
	}
}

func TestHostileResponse_AnswersHaveOurHeadersOnce(t *testing.T) {
	const also = "Cache-Control: no-cache, private\r\nContent-Security-Policy: default-src *\r\nX-Content-Type-Options: no\r\nReferrer-Policy: unsafe-url\r\n" +
		"Cross-Origin-Opener-Policy: unsafe-none\r\nPermissions-Policy: camera=*\r\nVary: Accept\r\n"
	early := "HTTP/1.1 103 Early Hints\r\nSet-Cookie: early=evil\r\nLink: </evil>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\nX-Evil: 1\r\n\r\n"
	for name, answer := range map[string]string{
		"an answer":       "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + also + "Content-Length: 2\r\n\r\n{}",
		"a refusal":       "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\n" + also + "Content-Length: 2\r\n\r\n{}",
		"without a type":  "HTTP/1.1 400 Bad Request\r\n" + also + "Content-Length: 2\r\n\r\n{}",
		"without a body":  "HTTP/1.1 204 No Content\r\n" + also + "\r\n",
		"not an upgrade":  "HTTP/1.1 426 Upgrade Required\r\nContent-Type: text/html\r\n" + also + "Content-Length: 2\r\n\r\n{}",
		"an upgrade":      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\nContent-Type: text/html\r\n" + also + "\r\n",
		"another upgrade": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n" + also + "\r\n",
	} {
		for _, before1xx := range []string{"", early} {
			for _, upgrade := range []string{"", "Connection: Upgrade\nUpgrade: websocket\n"} {
				h, _ := before(t, before1xx+answer, nil)
				got := h.raw(t, "GET "+pods+"/web/exec HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+"\n")
				if strings.Contains(strings.ToLower(got), "evil") || strings.HasPrefix(got, "HTTP/1.1 10") && !strings.HasPrefix(got, "HTTP/1.1 101") {
					t.Errorf("%s after 1xx, %q: %q", name, upgrade, got)
				}
				if strings.HasPrefix(got, "HTTP/1.1 101") && (strings.Contains(got, "\r\nContent-Length") || strings.Contains(got, "\r\nContent-Type")) {
					t.Errorf("%s describes a body: %q", name, got)
				}
				wanted := append(ours(), "Content-Type")
				if name == "an upgrade" && upgrade != "" || name == "without a body" {
					wanted = ours()
				}
				if failed := strings.HasPrefix(got, "HTTP/1.1 502"); failed { // 101 unasked for, or to something else
					wanted = without(wanted, "Fieldmark-Request")
				}
				for _, header := range wanted {
					if n := strings.Count(got, "\r\n"+header+": "); n != 1 {
						t.Errorf("%s, %q: %d times %s in %q", name, upgrade, n, header, got)
					}
				}
			}
		}
	}
}

func without(list []string, one string) []string {
	var rest []string
	for _, s := range list {
		if s != one {
			rest = append(rest, s)
		}
	}
	return rest
}

// HTTP/2 has answers before the answer, too.
func TestHostileResponse_EarlyAnswersDoNotPass(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "early=evil")
		w.Header().Set("Link", "</evil>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		clear(w.Header())
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	})
	eachVersion(t, handler, func(t *testing.T, h *house) {
		for _, way := range []string{"", "?watch=1", "/web/log?follow=true"} {
			for _, upgrade := range []string{"", "Connection: Upgrade\nUpgrade: websocket\n"} {
				got := h.raw(t, "GET "+pods+way+" HTTP/1.1\nHost: HOST\nBEARER\n"+upgrade+"\n")
				if !strings.HasPrefix(got, "HTTP/1.1 200") || strings.Contains(got, "evil") || !strings.Contains(got, "Content-Security-Policy: sandbox") {
					t.Errorf("%s %q: %q", way, upgrade, got)
				}
			}
		}
	})
}
