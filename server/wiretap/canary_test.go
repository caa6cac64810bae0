package wiretap

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	sung "github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/record"
)

// canary is part of every secret below; found anywhere, it has escaped.
const canary = "c4n4ryTweets"

var token = "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+canary+`"}`)) + "." + canary + "-signature"

// told is all that the package tells of a session, in every form.
func told(t *testing.T, l *Log) string {
	t.Helper()
	var all bytes.Buffer
	write := func(v any) {
		if err := json.NewEncoder(&all).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	view := l.View("me")
	var entries []record.Entry
	for _, e := range l.Entries("me", 0) {
		write(e)
		all.Write(e.Request.Body)
		all.Write(e.Answer.Body)
		recorded, found := view.Entry("one", e.ID)
		if !found {
			t.Fatalf("request %d is not there", e.ID)
		}
		write(recorded)
		entries = append(entries, recorded)
	}
	write(view.Lines("one", 0))
	if err := record.WriteHAR(&all, "test", entries); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// escapes finds the canary as it is, in base64 and in hexadecimal, wherever it may stand in a group of three.
func escapes(text string) bool {
	if strings.Contains(text, canary) {
		return true
	}
	for shift := range 3 {
		coded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + canary))
		if strings.Contains(text, coded[4:len(coded)-4]) {
			return true
		}
	}
	return false
}

func zipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

// canaries are requests with secrets wherever one can be.
func canaries() map[string]*exchanged {
	config := "apiVersion: v1\nkind: Config\nusers:\n- name: me\n  user:\n    token: " + canary + "\n    password: '" + canary + "'\n    client-key-data: " + canary + "==\n"
	quoted, _ := json.Marshal(config)
	embedded, _ := json.Marshal(`{"auth":{"password":"` + canary + `","username":"u","api_key":"\"` + canary + `"}}`)
	return map[string]*exchanged{
		"fields of the request": {header: http.Header{
			"Authorization": {"Bearer " + canary}, "Cookie": {"session=" + canary}, "X-Remote-User": {canary}, "Proxy-Authorization": {canary},
			"User-Agent": {"kubectl Bearer " + canary}, "Sec-Websocket-Protocol": {"base64url.bearer.authorization.k8s.io." + canary},
		}},
		"fields of the answer":     {answerHeader: http.Header{"Set-Cookie": {canary}, "Www-Authenticate": {canary}, "Warning": {`299 - "token: ` + canary + `"`}, "X-Whatever": {canary}}},
		"token in the query":       {target: "/api/v1/pods?token=" + canary + "&access_%74oken=" + canary},
		"token in a selector":      {target: "/api/v1/pods?labelSelector=" + url.QueryEscape("a="+token)},
		"a command's words":        {target: "/api/v1/namespaces/x/pods/p/exec?command=mysql&command=-p" + canary + "&container=c"},
		"a Secret made":            {method: "POST", target: "/api/v1/namespaces/x/secrets", body: `{"kind":"Secret","stringData":{"a":"` + canary + `"}}`, answer: `{"data":{"a":"` + canary + `"}}`},
		"a Secret applied":         {method: "PATCH", target: "/api/v1/namespaces/x/secrets/s?fieldManager=m", media: "application/apply-patch+yaml", body: "kind: Secret\nstringData: {a: " + canary + "}\n"},
		"a Secret, with a warning": {method: "PATCH", target: "/api/v1/namespaces/x/secrets/s?fieldManager=m", media: "application/apply-patch+yaml", answerHeader: http.Header{"Warning": {`299 - "the value ` + canary + ` is weak"`}}},
		"Secrets listed":           {target: "/api/v1/secrets", answer: `{"kind":"SecretList","items":[{"data":{"a":"` + canary + `"}}]}`},
		"Secrets as a Table":       {target: "/api/v1/secrets", answer: `{"kind":"Table","rows":[{"cells":["` + canary + `"],"object":{"data":"` + canary + `"}}]}`},
		"Secrets watched":          {target: "/api/v1/secrets?watch=1", answer: `{"type":"ADDED","object":{"kind":"Secret","data":{"a":"` + canary + `"}}}` + "\n"},
		"Secrets, the old way":     {target: "/api/v1/watch/namespaces/x/secrets", answer: `{"type":"ADDED","object":{"data":"` + canary + `"}}` + "\n"},
		"Secrets in Protobuf":      {target: "/api/v1/secrets", answerMedia: "application/vnd.kubernetes.protobuf", answer: "k8s\x00" + canary},
		"Secrets of another":       {target: "/apis/bitnami.com/v1alpha1/sealedsecrets", answer: canary},
		"a token asked for":        {method: "POST", target: "/api/v1/namespaces/x/serviceaccounts/sa/token", body: canary, answer: `{"status":{"token":"` + canary + `"}}`},
		"a token of another field": {method: "POST", target: "/api/v1/namespaces/x/serviceaccounts/sa/token", body: `{"issue":"` + canary + `"}`, answer: `{"status":{"issued":"` + canary + `"}}`},
		"a token reviewed":         {method: "POST", target: "/apis/authentication.k8s.io/v1/tokenreviews", body: `{"spec":{"token":"` + canary + `"}}`, answer: canary},
		"through a proxy":          {target: "/api/v1/namespaces/x/services/s/proxy/login?password=" + canary + "&q=" + canary, answer: canary},
		"no path of the API":       {target: "/oidc/" + "callback?code=1", answer: canary},
		"a token in an object":     {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"jwt":"` + token + `","note":"Bearer ` + canary + `"}}`},
		"a token in an error":      {target: "/api/v1/pods", status: 401, answer: `{"kind":"Status","message":"invalid bearer token, Bearer ` + canary + `"}`},
		"a kubeconfig":             {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"config":` + string(quoted) + `}}`},
		"a kubeconfig written":     {method: "PATCH", target: "/api/v1/namespaces/x/configmaps/c", media: "application/apply-patch+yaml", body: "kind: ConfigMap\ndata:\n  config: |\n    " + strings.ReplaceAll(config, "\n", "\n    ")},
		"JSON in JSON":             {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"config":` + string(embedded) + `}}`},
		"a quote in it":            {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"password":"a\"` + canary + `"}}`},
		"an environment":           {target: "/api/v1/namespaces/x/pods/p", answer: `{"env":[{"name":"DB_PASSWORD","value":"` + canary + `"},{"name":"X","value":"y"}]}`},
		"an environment, YAML":     {method: "PATCH", target: "/api/v1/namespaces/x/pods/p", media: "application/apply-patch+yaml", body: "env:\n- name: DB_PASSWORD\n  value: " + canary + "\n"},
		"a connection string":      {target: "/api/v1/namespaces/x/pods/p/log", answerMedia: "text/plain", answer: "connecting with password=" + canary + " now\n"},
		"a private key":            {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"tls":` + `"-----BEGIN RSA PRIVATE KEY-----\n` + canary + `\n-----END RSA PRIVATE KEY-----\n"` + `}}`},
		"a block of YAML":          {method: "PATCH", target: "/api/v1/namespaces/x/configmaps/c", media: "application/apply-patch+yaml", body: "data:\n  password: |\n    one\n    " + canary + "\n"},
		"a flag":                   {target: "/api/v1/namespaces/x/pods/p", answer: `{"args":["--password","` + canary + `","--db-password=` + canary + `"],"command":["sh","-c","run --password ` + canary + `"]}`},
		"a flag of a letter":       {target: "/api/v1/namespaces/x/pods/p", answer: `{"command":["mysql"],"args":["-p` + canary + `"]}`},
		"in a URL":                 {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"db":"postgres://app:` + canary + `@db/app"}}`},
		"docker's":                 {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{".dockerconfigjson":"{\"auths\":{\"r\":{\"auth\":\"` + base64.StdEncoding.EncodeToString([]byte("u:"+canary)) + `\"}}}"}}`},
		"other names":              {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"data":{"pwd":"` + canary + `","passphrase":"` + canary + `","dsn":"` + canary + `","AccountKey":"` + canary + `"}}`},
		"its value first":          {target: "/api/v1/namespaces/x/pods/p", answer: `{"env":[{"value":"` + canary + `","name":"DB_PASSWORD"}]}`},
		"its value first, YAML":    {method: "PATCH", target: "/api/v1/namespaces/x/pods/p", media: "application/apply-patch+yaml", body: "env:\n- value: " + canary + "\n  name: DB_PASSWORD\n"},
		"a token in the path":      {target: "/api/v1/namespaces/x/pods/" + token},
		"below a proxy":            {target: "/api/v1/namespaces/x/services/s/proxy/reset/token/" + canary},
		"a path of nobody's":       {target: "/login/password/" + canary},
		"applied last":             {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"password\":\"` + canary + `\"}}"}}}`},
		"a Secret in a List":       {target: "/apis/x.test/v1/bundles", answer: `{"items":[{"apiVersion":"v1","data":{"a":"` + canary + `"},"kind":"Secret"}]}`},
		"a column":                 {target: "/apis/x.test/v1/users", answer: `{"kind":"Table","columnDefinitions":[{"name":"Password"}],"rows":[{"cells":["` + canary + `"]}]}`},
		"a column, watched":        {target: "/apis/x.test/v1/users?watch=1", answer: `{"type":"ADDED","object":{"kind":"Table","columnDefinitions":[{"name":"Password"}],"rows":[]}}` + "\n" + `{"type":"ADDED","object":{"kind":"Table","rows":[{"cells":["` + canary + `"]}]}}` + "\n"},
		"no JSON":                  {target: "/api/v1/namespaces/x/configmaps/c", answer: `{"a":` + canary + `}`},
		"a page":                   {target: "/api/v1/pods", answerMedia: "text/html", answer: `<input name=csrf value="` + canary + `">`},
		"of no type":               {target: "/api/v1/pods", answerHeader: http.Header{"Content-Type": nil}, answer: canary},
		"in a media type":          {target: "/api/v1/pods", media: "application/json; token=" + canary, answerMedia: "text/token=" + canary, answer: "{}"},
		"compressed":               {target: "/api/v1/namespaces/x/configmaps", answerHeader: http.Header{"Content-Encoding": {"gzip"}}, answer: zipped(`{"data":{"jwt":"` + token + `"}}`)},
		"compressed otherwise":     {target: "/api/v1/namespaces/x/configmaps", answerHeader: http.Header{"Content-Encoding": {"br"}}, answer: canary},
		"a map in Protobuf":        {target: "/api/v1/namespaces/x/configmaps/c", answerMedia: "application/vnd.kubernetes.protobuf", answer: "k8s\x00\x12\x1a\x0a\x08password\x12\x0c" + canary},
		"a token in Protobuf":      {target: "/api/v1/namespaces/x/configmaps/c", answerMedia: "application/vnd.kubernetes.protobuf", answer: "k8s\x00\x0a\x03jwt\x12\x7f" + token},
	}
}

// exchanged is a request and its answer, as far as a case names them.
type exchanged struct {
	method, target, media, body string
	header                      http.Header
	status                      int
	answerMedia, answer         string
	answerHeader                http.Header
}

func (x exchanged) pass(t *testing.T, l *Log) {
	t.Helper()
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	r, err := http.NewRequestWithContext(t.Context(), or(x.method, "GET"), "https://api.test"+or(x.target, "/api/v1/pods"), strings.NewReader(x.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range x.header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", or(x.media, "application/json"))
	header := http.Header{"Content-Type": {or(x.answerMedia, "application/json")}}
	for name, values := range x.answerHeader {
		header[name] = values
	}
	resp, err := l.Transport(answers{status: max(x.status, 200), header: header, body: x.answer}, me).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

func TestNoSecretEscapes(t *testing.T) {
	for what, x := range canaries() {
		l := New(Options{})
		x.pass(t, l)
		if all := told(t, l); escapes(all) {
			at := strings.Index(all, canary)
			t.Errorf("%s: %s", what, all[max(0, at-300):min(len(all), max(at, 0)+60)])
		}
	}
}

// TestNoCutLetsASecretEscape: what is kept of a body ends anywhere.
func TestNoCutLetsASecretEscape(t *testing.T) {
	for what, x := range canaries() {
		for prefix := 1; prefix < 200; prefix += 7 {
			l := New(Options{Prefix: prefix})
			x.pass(t, l)
			if all := told(t, l); escapes(all) {
				t.Errorf("%s, of which %d bytes are kept", what, prefix)
				break
			}
		}
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range sung.Documents() {
		l := New(Options{})
		exchanged{target: d.Path, answer: d.JSON}.pass(t, l)
		if all := told(t, l); sung.Escapes(all) {
			t.Errorf("%s: %s", d.Name, all)
		}
	}
}
