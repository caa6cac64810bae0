package redact

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// credentials are pieces of a line with one credential each.
func credentials() map[string]string {
	token := "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0." + canary
	return map[string]string{
		"bearer": "Authorization: Bearer " + canary, "basic": "Authorization: Basic " + coded("u:"+canary), "digest": `Proxy-Authorization: Digest username="u", response="` + canary + `"`,
		"web token": token, "cookies": "cookie: a=" + token + "; session=" + canary, "cookie set": "Set-Cookie: id=" + canary + "; Path=/", "bearer variable": "AUTHORIZATION=Bearer " + canary,
		"assigned": "password=" + canary, "said": "password: " + canary, "in quotes": `token="one ` + canary + `"`, "in other quotes": "secret='" + canary + "'", "a key": "X-Api-Key: " + canary,
		"a phrase": "API key: " + canary, "connection": "AccountKey=" + canary + "==", "a list": "passwords: [a, " + canary + "]", "a pair": "name=DB_PASSWORD value=" + canary, "a pair, value first": "value=" + canary + " name=DB_PASSWORD",
		"URL": "https://user:" + canary + "@host/path", "URL with a token": "https://" + canary + "@git.test/x", "parameter": "https://host/x?access_token=" + canary + "&a=b", "data source": "app:" + canary + "@tcp(db:3306)/app",
		"signed": "ghp_" + canary + strings.Repeat("a1", 8), "signed and more": "password=ghp_" + strings.Repeat("a1", 12) + "]" + canary, "hash": "$2y$10$" + canary + "abcdefghijk", "SQL": "IDENTIFIED BY '" + canary + "'",
		"JSON": `{"password":"` + canary + `","user":"u"}`, "JSON of a pair": `{"name":"TOKEN","value":"` + canary + `"}`, "a flag": "--client-secret " + canary, "mysql": "mysql -u root -p" + canary + " db",
		"curl": `curl -u "admin:a ` + canary + `" https://x.test`, "curl with more": "curl -b id=" + canary + " -u a:" + canary + " -U b:" + canary + " https://x.test", "redis": "redis-cli -a " + canary + " ping",
		"audit line": `{"kind":"Event","requestURI":"/x?token=` + canary + `","user":{"username":"u"}}`, "kubectl -v=8": `I0101 12:00:00.000 1 round_trippers.go:527] "Request" verb="GET" url="https://u:` + canary + `@h/x" headers=<`,
	}
}

// joints are what stands between two of them.
var joints = []string{" and ", "; ", ", ", " ", "&", " | ", "\t", "\n"}

// places are ways in which a line reaches the record. Each gives what the record shows of it.
var places = map[string]func(line string) string{
	"text": func(line string) string { return shownWhole("text/plain", line) },
	"JSON": func(line string) string { return shownWhole("application/json", `{"message":`+quoted(line)+`}`) },
	"JSON in JSON": func(line string) string {
		return shownWhole("application/json", `{"a":`+quoted(`{"message":`+quoted(line)+`}`)+`}`)
	},
	"a log": func(line string) string {
		return shownWhole("text/plain", "2026-01-01T00:00:00Z INFO sent "+line+"\nnext\n")
	},
	"YAML": func(line string) string { return shownWhole("application/yaml", "message: "+quoted(line)+"\n") },
	"a block of YAML": func(line string) string {
		return shownWhole("application/yaml", "message: |\n  "+strings.ReplaceAll(line, "\n", "\n  ")+"\n")
	},
	"a header": Text,
	"a query": func(line string) string {
		shown, _ := url.QueryUnescape(Query("a=b&q="+url.QueryEscape(line)+"&token="+canary, nil))
		return shown
	},
	"a path below a proxy": func(line string) string {
		shown, _ := url.PathUnescape(Path("/api/v1/namespaces/x/services/s/proxy/"+url.PathEscape(line), 8))
		return shown
	},
	"the password of a URL": func(line string) string {
		return shownWhole("text/plain", "see https://user:"+url.PathEscape(line)+"@host/x?q="+url.QueryEscape(line))
	},
	"an audit line": func(line string) string {
		return shownWhole("application/json", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","requestURI":`+quoted("/api/v1/x?q="+url.QueryEscape(line))+`,"responseStatus":{"message":`+quoted(line)+`}}`)
	},
	"kubectl -v=8": func(line string) string {
		return shownWhole("text/plain", `I0101 12:00:00.000 1 type.go:213] "Response Body" body=<`+"\n\t"+line+"\n >\n"+`I0101 12:00:00.000 1 x.go:1] "Request" verb="GET" headers=`+quoted(line)+"\n")
	},
}

func shownWhole(media, text string) string { return shownBody(form{"", media, text}, len(text)) }

// TestNothingEscapesBesideAnother joins each two credentials in both orders, in every place.
func TestNothingEscapesBesideAnother(t *testing.T) {
	all := credentials()
	turn := 0
	for _, what := range slices.Sorted(maps.Keys(all)) {
		for _, other := range slices.Sorted(maps.Keys(all)) {
			for _, place := range slices.Sorted(maps.Keys(places)) {
				turn++
				line := all[what] + joints[turn%len(joints)] + all[other]
				if got := places[place](line); escaped(got) {
					t.Errorf("%s, then %s in %s: %q became %q", what, other, place, line, got)
				}
			}
		}
	}
}

// TestNothingEscapesBesideTwoOthers takes one credential of each way in which a value is found.
func TestNothingEscapesBesideTwoOthers(t *testing.T) {
	all := credentials()
	ways := []string{"bearer", "digest", "cookies", "assigned", "said", "in quotes", "a list", "a pair", "a pair, value first", "URL", "signed", "SQL", "JSON", "a flag", "curl with more"}
	for _, what := range ways {
		for _, other := range ways {
			for _, third := range ways {
				line := all[what] + " and " + all[other] + "; " + all[third]
				for _, place := range []string{"text", "JSON"} {
					if got := places[place](line); escaped(got) {
						t.Errorf("%s: %q became %q", place, line, got)
					}
				}
			}
		}
	}
}

// TestNoCutLetsTheSecondEscape cuts two credentials at every byte.
func TestNoCutLetsTheSecondEscape(t *testing.T) {
	all := credentials()
	keys := slices.Sorted(maps.Keys(all))
	for i, what := range keys {
		f := form{"", "application/json", `{"message":` + quoted(all[what]+" and "+all[keys[(i+1)%len(keys)]]) + `}`}
		for n := 1; n < len(f.text); n++ {
			if got := shownBody(f, n); escaped(f.text[:n]) && escaped(got) {
				t.Errorf("%s became %s", f.text[:n], got)
				break
			}
		}
	}
}

// ordinary are lines as programs log them, with no credential. Many have words that credentials are named by.
var ordinary = []string{
	`I0101 12:00:%02d.123456       1 controller.go:624] "Observed a panic" panic="runtime error" stacktrace="goroutine 1 [running]"`,
	`I0101 12:00:%02d.000000       1 server.go:55] "Started" addr="[::]:8080" token_ttl=3600 took=3.5s path=/api/v1/pods`,
	`E0101 12:00:%02d.000000       1 reflector.go:200] "Failed to watch" err="secrets is forbidden: User \"system:node\" cannot list resource \"secrets\" in API group \"\" at the cluster scope" type="*v1.Secret"`,
	`W0101 12:00:%02d.000000       1 warnings.go:70] spec.template.spec.containers[0].env[3].name: duplicate name "LOG_LEVEL"`,
	`{"level":"info","ts":1700000000.%d,"logger":"controller.secret","msg":"Reconciling","Secret":{"name":"tls","namespace":"shop"},"reconcileID":"0b1c2d3e-aaaa-bbbb-cccc-0123456789ab"}`,
	`{"time":"2026-01-01T00:00:%02dZ","level":"DEBUG","msg":"token refreshed","expires_in":3600,"token_type":"Bearer","issuer":"https://issuer.test"}`,
	`10.0.0.%d - - [01/Jan/2026:00:00:00 +0000] "GET /login?next=%%2Fkeys HTTP/1.1" 302 154 "https://shop.test/" "Mozilla/5.0 (X11; Linux x86_64)" 0.004`,
	`10.0.0.%d - admin [01/Jan/2026:00:00:00 +0000] "POST /api/token/refresh HTTP/2.0" 200 512 "-" "curl/8.5.0" rt=0.120 uct="0.001" uht="0.119"`,
	`2026-01-01 00:00:%02d.000 UTC [71] LOG:  connection authorized: user=shop database=shop application_name=psql SSL enabled (protocol=TLSv1.3, cipher=TLS_AES_256_GCM_SHA384, bits=256)`,
	`2026-01-01 00:00:%02d.000 UTC [71] FATAL:  password authentication failed for user "shop"`,
	`2026-01-01 00:00:%02d.000 UTC [71] DETAIL:  Connection matched pg_hba.conf line 95: "host all all all scram-sha-256"`,
	`2026-01-01T00:00:%02d.000Z  INFO 1 --- [  main] o.s.s.web.DefaultSecurityFilterChain : Will secure any request with [SessionManagementFilter, BasicAuthenticationFilter]`,
	`2026-01-01T00:00:%02d.000Z  WARN 1 --- [nio-8080-exec-3] c.s.AuthController : Login failed for user joe: wrong password, 2 attempts left`,
	`time="2026-01-01T00:00:%02dZ" level=warning msg="could not find token file, using the default" file=/var/run/secrets/kubernetes.io/serviceaccount/token`,
	`time="2026-01-01T00:00:%02dZ" level=info msg="Sync operation to 0a1b2c3 succeeded" application=shop dest-namespace=shop reason=OperationCompleted type=Normal`,
	`[2026-01-01 00:00:%02d,000] INFO [Partition orders-3 broker=1] Log loaded for partition orders-3 with initial high watermark 1024 (kafka.cluster.Partition)`,
	`1:M 01 Jan 2026 00:00:%02d.000 * DB saved on disk, 3 keys in 0 databases, key space notifications are off`,
	`[INFO] 10.0.0.%d:41000 - 5 "A IN secret-store.vault.svc.cluster.local. udp 56 false 512" NOERROR qr,aa,rd 106 0.000120s`,
	`ts=2026-01-01T00:00:%02dZ caller=main.go:181 level=info component="rule manager" msg="Completed loading of rules" authentication_token_cache_size=42`,
	`Traceback (most recent call last): File "/app/auth/tokens.py", line %d, in verify raise TokenExpired("the token has expired since 12 seconds")`,
	`MountVolume.SetUp failed for volume "kube-api-access-%d" : failed to fetch token: serviceaccounts "default" not found`,
	`Successfully assigned shop/web-%d to node-1; pulled image registry.test:5000/nginx:1.27 in 1.2s (1.2s including waiting)`,
	`audit: user=joe verb=get resource=secrets name=db-password code=403 decision=forbid reason="RBAC: clusterrole \"view\" not found" stage=%d`,
	`GET /api/v1/namespaces/shop/pods?labelSelector=app%%3Dweb&limit=500&resourceVersion=%d 200 OK in 4 milliseconds`,
	`I0101 12:00:%02d.000000       1 event.go:377] "Event occurred" object="shop/web" fieldPath="" kind="Deployment" apiVersion="apps/v1" type="Normal" reason="ScalingReplicaSet"`,
	`I0101 12:00:%02d.000000       1 scope.go:122] "RemoveContainer" containerID="0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"`,
	`E0101 12:00:%02d.000000       1 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to start container: back-off 5m0s restarting failed container=app pod=web-0_shop"`,
	`2026-01-01T00:00:%02d.000Z [info] compacted Raft logs up to index 100010, took 1.2ms; finished scheduled compaction at revision 99000`,
	`level=error ts=2026-01-01T00:00:%02dZ caller=dedupe.go:112 msg="Failed to send batch, retrying" err="server returned HTTP status 503 Service Unavailable: upstream connect error"`,
	`2026-01-01 00:00:%02d [WARNING] worker: connection to 10.0.0.7:6379 lost (Connection refused), next attempt in 5 s`,
	`panic: runtime error: invalid memory address or nil pointer dereference; goroutine %d [running]: main.(*Server).handle(0xc000123456, {0x7f8e9d, 0x10})`,
	`[error] 7#7: *%d upstream timed out (110: Connection timed out) while reading response header from upstream, client: 10.0.0.9, server: shop.test, request: "GET /cart HTTP/1.1"`,
	`npm warn deprecated inflight@1.0.%d: This module is not supported, and leaks memory. Do not use it. Check out lru-cache if you want a good way to coalesce requests`,
	`value of metric queue_depth for name=orders is %d; threshold is 100, so the next value: 12 is below`,
	`%d worker processes started; pid=7 mode=secure keys=3 cookies=2 tokens=5 secret=none password_file=/run/secrets/db passphrase=<none>`,
}

// TestOrdinaryLogsStay bounds what is hidden wrongly.
func TestOrdinaryLogsStay(t *testing.T) {
	const lines, atLeast = 10_000, 0.99
	var b strings.Builder
	for i := range lines {
		b.WriteString(fmt.Sprintf(ordinary[i%len(ordinary)], i%60) + "\n")
	}
	kept, all := 0, 0
	shown := strings.Split(shownWhole("text/plain", b.String()), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		there := strings.Fields(shown[i])
		for _, word := range strings.Fields(line) {
			all++
			if at := slices.Index(there, word); at >= 0 {
				there = there[at+1:]
				kept++
			}
		}
		if i < len(ordinary) && shown[i] != line {
			t.Logf("%s became %s", line, shown[i])
		}
	}
	if share := float64(kept) / float64(all); share < atLeast {
		t.Errorf("%d of %d words are kept: %.4f", kept, all, share)
	} else {
		t.Logf("%d of %d words are kept: %.4f", kept, all, share)
	}
}
