package request

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// lines are what people paste, and the requests that it tells of: each as its method, its target, its head and its body.
var lines = map[string]struct {
	text string
	want []string
	left string // a word of what was left out
}{
	"curl, quoted": {
		text: `$ curl -sSk -XPOST 'https://h:6443/api/v1/namespaces/a/configmaps?fieldManager=me' --cacert ca.crt -H "Content-Type: application/json" -d '{"a": "it'\''s"}'`,
		want: []string{`POST /api/v1/namespaces/a/configmaps?fieldManager=me Content-Type=application/json {"a": "it's"}`},
	},
	"curl, over several lines": {
		text: "curl \\\n  --url https://h/api/v1/pods \\\r\n  --header 'Accept: application/yaml' \\\n  | jq .\n",
		want: []string{"GET /api/v1/pods Accept=application/yaml"},
	},
	"curl, as browsers copy it": {
		text: `curl 'http://h/clusters/practice/api/v1/pods' -H 'accept: */*' -H 'cookie: a=b' -H 'sec-ch-ua: "x"' --data-raw $'{"a":"\u0041\n"}' --compressed`,
		want: []string{"POST /api/v1/pods accept=*/* Content-Type=application/x-www-form-urlencoded {\"a\":\"A\n\"}"},
		left: "cookie",
	},
	"curl, credentials": {
		text: `curl -u me:canary --oauth2-bearer canary -H "Authorization: Bearer canary" https://me:canary@h/version`,
		want: []string{"GET /version"}, left: "credentials",
	},
	"curl, credentials by their names": {
		text: `curl -H "X-Api-Key: canary" -H 'X-Auth-Token: canary' --cookie a=canary -G -d access_token=canary -d limit=5 'https://h/api/v1/pods?watch=1&token=canary&client_secret=canary'`,
		want: []string{"GET /api/v1/pods?limit=5&watch=1"}, left: "parameter client_secret",
	},
	"over the wire, credentials by their names": {
		text: "GET /api/v1/pods?token=canary HTTP/1.1\nHost: h\nX-Secret: canary\nPrivate-Token: canary\n\n",
		want: []string{"GET /api/v1/pods"}, left: "X-Secret",
	},
	"kubectl -v=8, credentials by their names": {
		text: `I1121 18:01:27.396769   20780 round_trippers.go:527] "Request" verb="GET" url="https://u:canary@h/api/v1/pods?access_token=canary&limit=5" headers=<` + "\n\tAuthorization: Bearer canary\n\tX-Auth-Token: canary\n >\n",
		want: []string{"GET /api/v1/pods?limit=5"}, left: "X-Auth-Token",
	},
	"curl, JSON": {
		text: `curl --json '{"a":1}' http://h/apis/apps/v1/namespaces/x/deployments`,
		want: []string{`POST /apis/apps/v1/namespaces/x/deployments Accept=application/json Content-Type=application/json {"a":1}`},
	},
	"curl, data in the query": {
		text: `curl -G http://h/api/v1/pods --data-urlencode 'labelSelector=app in (a)' -d limit=5`,
		want: []string{"GET /api/v1/pods?labelSelector=app%20in%20(a)&limit=5"},
	},
	"curl, head":             {text: "curl -sI http://h/healthz", want: []string{"HEAD /healthz"}},
	"curl, a here-document":  {text: "curl -X PUT -H 'Content-Type: application/yaml' --data-binary @- http://h/api/v1/nodes/n <<'EOF'\na: b\n  c\nEOF\n", want: []string{"PUT /api/v1/nodes/n Content-Type=application/yaml a: b\n  c\n"}},
	"curl, a file":           {text: "curl -d @body.json -H 'Content-Type: application/json' http://h/api/v1/nodes", want: []string{"POST /api/v1/nodes Content-Type=application/json"}, left: "body.json"},
	"curl, unquoted address": {text: "curl http://h/api/v1/pods?limit=1&watch=1", want: []string{"GET /api/v1/pods?limit=1&watch=1"}},
	"curl, without a scheme": {text: "curl localhost:8001/api/v1/pods", want: []string{"GET /api/v1/pods"}},
	"curl, with a variable":  {text: "TOKEN=canary curl http://h/api/v1/pods 2>/dev/null", want: []string{"GET /api/v1/pods"}},
	"curl, behind a pipe":    {text: `echo '{"a":1}' | curl -d @- -H 'content-type: application/json' http://h/api/v1/nodes`, want: []string{`POST /api/v1/nodes content-type=application/json {"a":1}`}},
	"curl, the input twice":  {text: `echo abc | curl -d @- --data-binary @- http://h/api/v1/nodes`, want: []string{"POST /api/v1/nodes Content-Type=application/x-www-form-urlencoded abc&"}},
	"kubectl --raw":          {text: "kubectl --context x get --raw='/api/v1/pods?limit=3'", want: []string{"GET /api/v1/pods?limit=3"}},
	"kubectl create --raw":   {text: "kubectl create --raw /api/v1/nodes -f - <<EOF\n{}\nEOF", want: []string{"POST /api/v1/nodes Content-Type=application/json {}"}},
	"over the wire": {
		text: "PATCH /api/v1/nodes/n?fieldManager=me HTTP/1.1\nHost: h\nContent-Type: application/merge-patch+json\nAuthorization: Bearer canary\n\n{\"a\":1}",
		want: []string{`PATCH /api/v1/nodes/n?fieldManager=me Content-Type=application/merge-patch+json {"a":1}`}, left: "Authorization",
	},
	"a method and a path": {text: " get /api/v1/pods\n", want: []string{"GET /api/v1/pods"}},
	"an address":          {text: "https://h/apis/apps/v1", want: []string{"GET /apis/apps/v1"}},
	"kubectl -v=8, new": {
		text: `I1121 18:01:27.355236   20780 type.go:213] "Request Body" body=<` + "\n" +
			"\t00000000  6b 38 73 00 0a 0f 0a 02  76 31 12 09 43 6f 6e 66  |k8s.....v1..Conf|\n\t00000010  69 67                                             |ig|\n >\n" +
			`I1121 18:01:27.396769   20780 round_trippers.go:527] "Request" verb="POST" url="https://127.0.0.1:40901/api/v1/namespaces/default/configmaps?fieldManager=kubectl-create" headers=<` + "\n" +
			"\tAccept: application/vnd.kubernetes.protobuf,application/json\n\tContent-Type: application/vnd.kubernetes.protobuf\n\tUser-Agent: kubectl/v1.37.1 (linux/amd64) kubernetes/unknown\n >\n" +
			`I1121 18:01:27.404496   20780 round_trippers.go:632] "Response" status="201 Created" headers=<` + "\n\tContent-Length: 196\n > milliseconds=7\n",
		want: []string{"POST /api/v1/namespaces/default/configmaps?fieldManager=kubectl-create Accept=application/vnd.kubernetes.protobuf,application/json Content-Type=application/vnd.kubernetes.protobuf k8s\x00\n\x0f\n\x02v1\x12\tConfig"},
	},
	"kubectl -v=9, new": {
		text: `I1121 18:01:27.497488   20786 helper.go:269] "Request Body" body="{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"` + "\n" +
			`I1121 18:01:27.497540   20786 round_trippers.go:527] "Request" curlCommand=<` + "\n" +
			"\t" + `curl -v -XPATCH  -H "User-Agent: kubectl/v1.37.1" -H "Accept: application/json" -H "Content-Type: application/merge-patch+json" 'https://127.0.0.1:40901/api/v1/namespaces/default/configmaps/aa?fieldManager=kubectl-label'` + "\n >\n" +
			`I1121 18:01:27.501911   20786 round_trippers.go:632] "Response" verb="PATCH" url="https://127.0.0.1:40901/api/v1/namespaces/default/configmaps/aa?fieldManager=kubectl-label" status="200 OK" headers=<` + "\n\tDate: x\n > milliseconds=4\n",
		want: []string{`PATCH /api/v1/namespaces/default/configmaps/aa?fieldManager=kubectl-label Accept=application/json Content-Type=application/merge-patch+json {"metadata":{"labels":{"x":"y"}}}`},
	},
	"kubectl -v=6, new": {
		text: `I1121 18:01:27.725375   20812 round_trippers.go:632] "Response" verb="GET" url="https://127.0.0.1:1/api/v1/namespaces?limit=500" status="200 OK" milliseconds=9`,
		want: []string{"GET /api/v1/namespaces?limit=500"},
	},
	"kubectl -v=8, old": {
		text: "I0102 03:04:05.000000   12345 request.go:1073] Request Body: {\"a\":1}\nI0102 03:04:05.000000   12345 round_trippers.go:463] POST https://h:6443/api/v1/namespaces/a/configmaps?fieldManager=kubectl-create\n" +
			"I0102 03:04:05.000000   12345 round_trippers.go:469] Request Headers:\nI0102 03:04:05.000000   12345 round_trippers.go:473]     Content-Type: application/json\n" +
			"I0102 03:04:05.000000   12345 round_trippers.go:473]     Authorization: Bearer <masked>\nI0102 03:04:05.000000   12345 round_trippers.go:574] Response Status: 201 Created in 9 milliseconds\n" +
			"I0102 03:04:05.000000   12345 round_trippers.go:577] Response Headers:\nI0102 03:04:05.000000   12345 round_trippers.go:580]     Audit-Id: x\n",
		want: []string{`POST /api/v1/namespaces/a/configmaps?fieldManager=kubectl-create Content-Type=application/json {"a":1}`}, left: "Authorization",
	},
	"kubectl -v=9, old": {
		text: `I0102 03:04:05.000000   12345 round_trippers.go:466] curl -v -XGET  -H "Accept: application/json" 'https://h:6443/api/v1/nodes'` + "\n" +
			"I0102 03:04:05.000000   12345 round_trippers.go:553] GET https://h:6443/api/v1/nodes 200 OK in 4 milliseconds",
		want: []string{"GET /api/v1/nodes Accept=application/json"},
	},
	"kubectl -v=6, old": {text: "I0102 03:04:05.000000   12345 round_trippers.go:553] GET https://h:6443/api/v1/nodes 200 OK in 4 milliseconds", want: []string{"GET /api/v1/nodes"}},
	"several":           {text: "GET https://h/api\nGET https://h/apis\n", want: []string{"GET /api", "GET /apis"}},
	"cut short": {
		text: "I0102 03:04:05.000000   12345 request.go:1073] Request Body: {\"a [truncated 900 chars]\nI0102 03:04:05.000000   12345 round_trippers.go:463] POST https://h/api/v1/nodes\n",
		want: []string{"POST /api/v1/nodes"}, left: "part of the body",
	},
}

func TestParse(t *testing.T) {
	for name, test := range lines {
		found, err := Parse(test.text)
		var got, left []string
		for _, f := range found {
			got = append(got, told(f.Request))
			left = append(left, f.Left...)
		}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v\n got %q\nwant %q", name, err, got, test.want)
		}
		if all := strings.Join(left, " "); !strings.Contains(all, test.left) || test.left == "" && all != "" {
			t.Errorf("%s: left out %q, want %q", name, all, test.left)
		}
	}
}

func told(r Request) string {
	text := r.Method + " " + r.Target()
	for _, h := range r.Header {
		text += " " + h.Name + "=" + h.Value
	}
	if len(r.Body) > 0 {
		text += " " + string(r.Body)
	}
	return text
}

func TestParseFindsNothing(t *testing.T) {
	for _, text := range []string{"", "hello", "curl", "curl -X POST", "kubectl get pods", "curl ftp://h/x", "two words", "I0102 03:04:05.000000   12345 loader.go:1] hello", "rm -rf /", strings.Repeat("x", maxText+1)} {
		if found, err := Parse(text); err == nil {
			t.Errorf("%.40q: %+v", text, found)
		}
	}
}

func TestCredentialsAreNeverFound(t *testing.T) {
	for name, test := range lines {
		found, _ := Parse(test.text)
		for _, f := range found {
			if strings.Contains(f.Server+told(f.Request), "canary") {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// TestNoOrderOfCredentialsIsFound puts each three of them into a command in every order.
func TestNoOrderOfCredentialsIsFound(t *testing.T) {
	words := []string{"-u me:canary", "-U 'me:can canary'", "--oauth2-bearer canary", "-b a=canary", `-H "Authorization: Bearer canary"`, "-H 'Cookie: a=b; c=canary'", "-H 'X-Api-Key: canary'", "-G -d token=canary", "--cert canary:canary"}
	for _, a := range words {
		for _, b := range words {
			for _, c := range words {
				text := "curl " + a + " " + b + " " + c + " 'https://me:canary@h/api/v1/pods?limit=1&secret=canary'"
				found, err := Parse(text)
				if err != nil || len(found) != 1 || strings.Contains(found[0].Server+told(found[0].Request)+strings.Join(found[0].Left, ""), "canary") {
					t.Errorf("%s: %+v, %v", text, found, err)
				}
			}
		}
	}
}

// FuzzParse: whatever is pasted, what is found can be written for curl, and read again.
func FuzzParse(f *testing.F) {
	for _, test := range lines {
		f.Add(test.text)
	}
	for _, r := range examples {
		f.Add(r.Curl(server))
		f.Add(r.Kubectl().Raw)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := Parse(text)
		if err != nil {
			return
		}
		for _, one := range found {
			again(t, one.Request)
			one.Request.Kubectl()
			one.Request.GoClient()
		}
	})
}

// FuzzRoundTrip: a request of any parts is what is read from its line.
func FuzzRoundTrip(f *testing.F) {
	f.Add("POST", "/api/v1/nodes", "labelSelector", "a=b", "X-Any", "it's", []byte("{}"))
	f.Add("GET", "/apis/apps/v1/namespaces/a b/deployments", "x y", "'\"$`\\", "Accept", " a\\\"b ", []byte("a\x1bb"))
	f.Fuzz(func(t *testing.T, method, path, name, value, field, text string, body []byte) {
		r := New(method, path)
		r.Query = url.Values{name: {value}}
		r.Header = []Header{{field, text}}
		r.Body = body
		again(t, r)
	})
}

// again holds that the line for curl tells of the same request.
func again(t *testing.T, r Request) {
	t.Helper()
	r, ok := sendable(r)
	if !ok {
		return
	}
	found, err := Parse(r.Curl(server))
	if err != nil || len(found) != 1 || !reflect.DeepEqual(found[0].Request, r) {
		t.Fatalf("%s\n got %+v, %v\nwant %+v", r.Curl(server), found, err, r)
	}
}

// sendable is a request as an API server could get it, where it is one at all.
func sendable(r Request) (Request, bool) {
	if !isToken(r.Method) || strings.ToUpper(r.Method) != r.Method || strings.HasPrefix(r.Method, "-") || !strings.HasPrefix(r.Path, "/api") {
		return r, false
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(r.Query)), NamesCredential) {
		return r, false // it is left out
	}
	if _, err := url.Parse(r.Path); err != nil || strings.HasPrefix(r.Path, "//") {
		return r, false
	}
	again := New(r.Method, r.Target())
	again.Body = r.Body
	if len(again.Body) == 0 {
		again.Body = nil
	}
	for _, h := range r.carried() {
		if h.Value = strings.TrimSpace(h.Value); h.Value != "" && !strings.EqualFold(h.Name, "host") {
			again.Header = append(again.Header, h)
		}
	}
	if again.Method == "HEAD" && again.Body != nil {
		return r, false // no server reads a body there
	}
	return again, true
}
