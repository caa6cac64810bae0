package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// canary is every secret below. Its first letters alone, found anywhere, say that it has escaped.
const (
	canary = "Zq7xKv9Tweets"
	sign   = "Zq7x"
)

// escaped finds the canary as it is, in base64 and escaped as in URLs, wherever it may stand in a group of three.
func escaped(s string) bool {
	if strings.Contains(s, sign) {
		return true
	}
	for shift := range 3 {
		coded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + canary))
		if strings.Contains(s, coded[4:len(coded)-4]) {
			return true
		}
	}
	return false
}

// names are those of credentials, as people write them.
var names = []string{
	"password", "Password", "PASSWORD", "pwd", "PWD", "passwd", "passphrase", "pass", "secret", "token", "apikey", "apiKey", "api_key", "API-KEY", "accessKey", "access_key",
	"AWS_SECRET_ACCESS_KEY", "private_key", "privateKey", "credentials", "credential", "client_secret", "clientSecret", "DB_PASSWORD", "dbPassword", "db-password", "MYSQL_PWD",
	"PGPASSWORD", "POSTGRES_PASSWORD_OLD", "password1", "ADMIN_PASSWORD_2", "rootPass", "redis.password", "spring.datasource.password", "AccountKey", "SharedAccessKey", "encryptionKey",
	"SIGNING_KEY", "JWT_SECRET", "SECRET_KEY_BASE", "connectionString", "CONNECTION_STRING", "Authorization", "authorization", "X-Api-Key", "X-Auth-Token", "Cookie", "sig", "passwordHash",
	"github_pat", "STRIPE_KEY", "identitytoken", "registrytoken", "refresh_token", "id_token", "requirepass", "bindpw", "SLACK_WEBHOOK_URL", "client-key-data", "example.com/token", "otp", "dsn",
}

// form is a body, or another piece of what is recorded, around something.
type form struct {
	name, media, text string
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

func coded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// named are all forms in which a name stands with its value.
func named(name string) []form {
	q := quoted(name)
	field := `{` + q + `:"` + canary + `"}`
	event := func(object string) string { return `{"type":"ADDED","object":` + object + "}\n" }
	object := `{"kind":"ConfigMap","metadata":{"name":"c"},"data":` + field + `}`
	all := []form{
		{"a field", "application/json", object},
		{"a field, laid out", "application/json", "{\n  \"data\": {\n    " + q + " : \"" + canary + "\"\n  }\n}"},
		{"a field with more", "application/json", `{"data":{` + q + `:"a \"b\" ` + canary + `, and ` + canary + `","user":"u"}}`},
		{"a field of a list", "application/json", `{"items":[{` + q + `:["a","` + canary + `"]},{` + q + `:"` + canary + `"}]}`},
		{"an event", "application/json;stream=watch", event(object) + event(object)},
		{"JSON in JSON", "application/json", `{"data":{"c":` + quoted(object) + `}}`},
		{"JSON in JSON in JSON", "application/json", `{"data":{"c":` + quoted(`{"c":`+quoted(object)+`}`) + `}}`},
		{"applied last", "application/json", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":` + quoted(object+"\n") + `}}}`},
		{"base64 of JSON", "application/json", `{"binaryData":{"c":"` + coded(object) + `"},"data":{"d":"` + coded(object) + `"}}`},
		{"a variable", "application/json", `{"env":[{"name":` + q + `,"value":"` + canary + `"},{"name":"X","value":"y"}]}`},
		{"a variable, value first", "application/json", `{"env":[{"value":"` + canary + `","name":` + q + `},{"name":"X","value":"y"}]}`},
		{"a variable, in an event", "application/json", event(`{"spec":{"env":[{"value":"`+canary+`","name":`+q+`}]}}`) + event(`{}`)},
		{"a variable, in JSON in JSON", "application/json", `{"a":` + quoted(`{"env":[{"value":"`+canary+`","name":`+q+`}]}`) + `}`},
		{"a parameter of a template", "application/json", `{"params":[{"default":"` + canary + `","name":` + q + `}]}`},
		{"a header", "application/json", `{"httpHeaders":[{"name":` + q + `,"value":"` + canary + `"}]}`},
		{"a JSON Patch", "application/json-patch+json", `[{"op":"add","path":"/data/` + strings.ReplaceAll(name, "/", "~1") + `","value":"` + canary + `"}]`},
		{"a JSON Patch, value first", "application/json-patch+json", `[{"value":"` + canary + `","path":"/data/` + strings.ReplaceAll(name, "/", "~1") + `","op":"add"}]`},
		{"a merge patch", "application/merge-patch+json", `{"data":` + field + `}`},
		{"a column", "application/json", `{"kind":"Table","columnDefinitions":[{"name":"Name"},{"name":` + q + `}],"rows":[{"cells":["n","` + canary + `"]}]}`},
		{"a column, in events", "application/json", event(`{"kind":"Table","columnDefinitions":[{"name":`+q+`}],"rows":[]}`) + event(`{"kind":"Table","columnDefinitions":null,"rows":[{"cells":["`+canary+`"]}]}`)},
		{"a flag", "application/json", `{"args":["--x","--` + strings.ReplaceAll(name, "/", "-") + `","` + canary + `"]}`},
		{"a flag with =", "application/json", `{"args":["--` + name + `=` + canary + `"]}`},
		{"a flag in a command", "application/json", `{"command":["sh","-c","run --a b --` + name + ` ` + canary + ` --c d"]}`},
		{"a message", "application/json", `{"kind":"Event","message":"it failed with ` + name + `=` + canary + ` at last"}`},
		{"managed fields", "application/json", `{"managedFields":[{"fieldsV1":{"f:spec":{"f:env":{"k:{\"name\":\"x\",\"` + name + `\":\"` + canary + `\"}":{}}}}}]}`},
		{"JSON as YAML", "application/apply-patch+yaml", object},
		{"YAML", "application/apply-patch+yaml", "data:\n  " + q + ": " + canary + "\n  user: u\n"},
		{"YAML without quotes", "application/apply-patch+yaml", "data:\n  " + name + ": correct horse " + canary + "\n"},
		{"a block", "application/yaml", "data:\n  " + name + ": |\n    one\n\n    " + canary + "\n  user: u\n"},
		{"a block, folded", "application/yaml", "data:\n  " + name + ": >-  # why\n    one\n    " + canary + "\n  user: u\n"},
		{"on the next line", "application/yaml", "data:\n  " + name + ":\n    " + canary + "\n  user: u\n"},
		{"quotes over lines", "application/yaml", "data:\n  " + name + ": \"one\n    " + canary + "\"\n  user: u\n"},
		{"YAML on a line", "application/yaml", "data: {user: u, " + q + ": '" + canary + "', a: b}\n"},
		{"a variable in YAML", "application/yaml", "env:\n- name: " + q + "\n  value: " + canary + "\n- name: X\n  value: y\n"},
		{"a variable in YAML, value first", "application/yaml", "env:\n- value: " + canary + "\n  name: " + q + "\n- name: X\n  value: y\n"},
		{"an alias", "application/yaml", "a: &a " + canary + "\ndata:\n  " + q + ": *a\n"},
		{"a comment", "application/yaml", "# " + name + ": " + canary + "\na: b # " + name + "=" + canary + "\n"},
		{"a list in YAML", "application/yaml", "args:\n- --" + strings.ReplaceAll(name, "/", "-") + "\n- " + canary + "\n"},
		{"YAML in JSON", "application/json", `{"data":{"c":` + quoted("user: u\nx:\n  "+name+": |\n    "+canary+"\n") + `}}`},
		{"YAML in YAML", "application/yaml", "data:\n  c: |\n    user: u\n    " + name + ": |\n      " + canary + "\n"},
		{"base64 of YAML", "application/yaml", "data:\n  c: " + coded("user: u\n"+name+": "+canary+"\n") + "\n"},
		{"text", "text/plain", "starting\n" + name + ": " + canary + "\nended\n"},
		{"text with =", "text/plain", "starting " + name + "=" + canary + " now\n"},
		{"text in quotes", "text/plain", "starting " + name + "='one " + canary + "' now\n"},
		{"text with a block", "text/plain", "log: x: y: z\n" + name + ": |\n  one\n  " + canary + "\nended\n"},
		{"JSON in text", "text/plain", "I0101 sent " + field + " now\n"},
		{"escaped JSON in text", "text/plain", "I0101 sent " + quoted(field) + " now\n"},
		{"a file of variables", "text/plain", "A=b\nexport " + name + "=" + canary + "\n"},
		{"a connection string", "text/plain", "using Server=s;" + name + "=" + canary + ";User=u\n"},
		{"a shell", "text/plain", "run --" + name + " \\\n  '" + canary + "' --other x\n"},
		{"a form", "application/x-www-form-urlencoded", "a=b&" + url.QueryEscape(name) + "=" + canary + "&c=d"},
	}
	return slices.DeleteFunc(all, func(f form) bool { // what can't be written so
		return strings.ContainsAny(name, "/.") && (strings.HasPrefix(f.name, "a flag") || f.name == "a list in YAML" || f.name == "a shell")
	})
}

// texts are credentials by their shape, or with what stands around them.
func texts() map[string]string {
	token := "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+canary+`"}`)) + "." + canary
	return map[string]string{
		"a web token":        token,
		"an encrypted token": "eyJhbGciOiJSUzI1NiJ9." + canary + ".abc." + canary + ".def",
		"a bearer":           "Authorization: Bearer " + canary, "basic": "sent Basic " + coded("u:"+canary),
		"a URL": "https://user:" + canary + "@host/path", "a URL with signs": "postgres://user:p@ss/" + canary + "#x@host:5432/db?sslmode=off",
		"a URL with a token": "git clone https://" + canary + "@git.test/x", "a data source": "app:" + canary + "@tcp(db:3306)/app", "another": "amqp app:" + canary + "@mq:5672",
		"a parameter": "https://s3.test/x?X-Amz-Signature=" + canary + "&a=b", "another parameter": "https://x.test/?access_token=" + canary,
		"mysql": "mysql -u root -p" + canary + " db", "mysqldump": "mysqldump -p " + canary, "redis": "redis-cli -h r -a " + canary + " ping", "curl": "curl -s -u admin:" + canary + " https://x.test",
		"docker": "docker login -u me -p " + canary + " r.test", "SQL": "CREATE USER u IDENTIFIED BY '" + canary + "'", "netrc": "machine h login u password " + canary,
		"a flag": "run --password " + canary, "a flag of a dash": "run -storepass " + canary + " x", "a flag in quotes": `run --db-password "a ` + canary + `"`,
		"prose": "the API key: " + canary, "prose, longer": "secret access key = " + canary, "Go": "map[password:" + canary + " user:u]", "JavaScript": "{ password: '" + canary + "', user: 'u' }",
		"Ruby": `:password => "` + canary + `"`, "arguments": `["run","--password","` + canary + `"]`, "docker's": `{"auths":{"r.test":{"auth":"` + coded("u:"+canary) + `"}}}`,
		"docker's, old": `{"r.test":{"username":"u","auth":"` + coded("u:"+canary) + `","email":"e"}}`, "npm's": "//r.test/:_authToken=" + canary, "npm's, old": "_auth=" + coded("u:"+canary),
		"kubeconfig": "users:\n- name: me\n  user:\n    token: " + canary + "\n    client-key-data: " + coded(canary+"xxx") + "\n",
		"GitHub":     "ghp_" + strings.Repeat("a1", 6) + canary + strings.Repeat("b2", 6), "Slack": "https://hooks.slack.com/services/T000/B000/" + canary, "Stripe": "sk_live_" + canary + "abcdef",
		"AWS": "aws_secret_access_key = " + canary, "Azure": "DefaultEndpointsProtocol=https;AccountName=n;AccountKey=" + canary + "==;EndpointSuffix=x",
		"a template of a Secret": "kind: Secret\n{{ if .x }}\ndata:\n  foo: " + canary + "\n  bar: x\n{{ end }}\n", "values of a template": "stringData:\n  foo: " + canary + "\n{{ end }}\n", "Oracle": "jdbc:oracle:thin:scott/" + canary + "@db:1521/x",
		"a manifest": "apiVersion: v1\nkind: Secret\ndata:\n  foo: " + canary + "\n", "a manifest as JSON": `{"data":{"foo":"` + canary + `"},"kind":"Secret"}`,
		"a hash": "admin:$2y$10$" + canary + "abcdefghijk", "GitLab": "glpat-" + canary + "abcdefgh", "OpenAI": "sk-proj-" + canary + strings.Repeat("x1", 10),
	}
}

// around are all forms in which a text stands.
func around(s string) []form {
	q := quoted(s)
	block := strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
	return []form{
		{"JSON", "application/json", `{"data":{"note":` + q + `},"user":"u"}`},
		{"JSON, last", "application/json", `["a",` + q + `]`},
		{"a name", "application/json", `{` + q + `:1}`},
		{"an event", "application/json", `{"type":"ADDED","object":{"message":` + q + "}}\n"},
		{"JSON in JSON", "application/json", `{"data":{"c":` + quoted(`{"x":{"y":`+q+`}}`) + `}}`},
		{"JSON in JSON in JSON", "application/json", `{"d":` + quoted(`{"data":{"c":`+quoted(`{"x":{"y":`+q+`}}`)+`}}`) + `}`},
		{"base64", "application/json", `{"data":{"note":"` + coded(s) + `"}}`},
		{"base64 over lines", "application/yaml", "data:\n  c: |\n    " + coded(s)[:16] + "\n    " + coded(s)[16:] + "\n"},
		{"a cell", "application/json", `{"kind":"Table","columnDefinitions":[{"name":"N"}],"rows":[{"cells":[` + q + `],"object":null}]}`},
		{"a command", "application/json", `{"command":["sh","-c",` + q + `]}`},
		{"YAML", "application/yaml", "a: " + q + "\nb: c\n"},
		{"a block", "application/yaml", "data:\n  c: |\n    " + block + "\n  d: e\n"},
		{"a block, folded", "application/yaml", "data:\n  c: >\n    words " + block + "\n  d: e\n"},
		{"a comment", "application/yaml", "# " + strings.ReplaceAll(s, "\n", "\n# ") + "\nb: c\n"},
		{"text", "text/plain", s},
		{"a log", "text/plain", "2026-01-01 INFO said: " + s + "\nnext line\n"},
		{"a form", "application/x-www-form-urlencoded", "a=b&q=" + url.QueryEscape(s)},
	}
}

func shownBody(f form, n int) string {
	clean, _, withheld := Body([]byte(f.text[:n]), f.media, n < len(f.text))
	return string(clean) + withheld
}

func TestNothingNamedEscapes(t *testing.T) {
	for _, name := range names {
		for _, f := range named(name) {
			if got := shownBody(f, len(f.text)); escaped(got) {
				t.Errorf("%s, %s: %s became %s", name, f.name, f.text, got)
			}
		}
	}
}

func TestNothingShapedEscapes(t *testing.T) {
	for what, s := range texts() {
		for _, f := range around(s) {
			if f.name == "a name" && !strings.Contains(strings.Join([]string{"a web token", "a URL", "GitHub"}, ","), what) {
				continue // only what has a shape of its own is taken out of names
			}
			if got := shownBody(f, len(f.text)); escaped(got) {
				t.Errorf("%s, %s: %s became %s", what, f.name, f.text, got)
			}
		}
	}
}

// cutForms are those of around that end differently when they are cut.
var cutForms = []string{"JSON", "an event", "JSON in JSON in JSON", "base64", "a block", "a comment", "a log", "a form"}

// TestNoCutLetsAnythingEscape cuts each body at every byte.
func TestNoCutLetsAnythingEscape(t *testing.T) {
	forms := map[string][]form{"DB_PASSWORD": named("DB_PASSWORD")}
	for what, s := range texts() {
		forms[what] = slices.DeleteFunc(around(s), func(f form) bool { return !slices.Contains(cutForms, f.name) })
	}
	for what, all := range forms {
		for _, f := range all {
			for n := 1; n < len(f.text); n++ {
				if !escaped(f.text[:n]) {
					continue // it hasn't come yet
				}
				if got := shownBody(f, n); escaped(got) {
					t.Errorf("%s, %s, cut: %s became %s", what, f.name, f.text[:n], got)
					break
				}
			}
		}
	}
}

func TestOrdinaryBodiesStay(t *testing.T) {
	for _, f := range []form{
		{"a Pod", "application/json", `{"spec":{"automountServiceAccountToken":true,"serviceAccountName":"default","imagePullSecrets":[{"name":"regcred"}],"volumes":[{"name":"t","secret":{"secretName":"tls","defaultMode":420,"items":[{"key":"tls.key","path":"k"}]}},{"projected":{"sources":[{"serviceAccountToken":{"audience":"a","expirationSeconds":3607,"path":"token"}}]}}]}}`},
		{"references", "application/json", `{"env":[{"name":"PASSWORD_FILE","value":"/run/x"},{"name":"TOKEN","valueFrom":{"secretKeyRef":{"name":"n","key":"password"}}},{"name":"A","value":"$(DB_PASSWORD)"}],"envFrom":[{"secretRef":{"name":"s"}}],"args":["--password=$(DB_PASSWORD)","--token-file","/run/t","--password","$(P)"]}`},
		{"about tokens", "application/json", `{"tokenExpirationSeconds":3600,"passwordPolicy":"strict","secretName":"foo","tokens":5,"secrets":[{"name":"sa-token"}],"tokenRequests":[{"audience":"a","expirationSeconds":60}],"token":"","password":null,"secret":false}`},
		{"rules", "application/json", `{"rules":[{"apiGroups":[""],"resources":["secrets","serviceaccounts/token","tokenreviews"],"resourceNames":["db-password"],"verbs":["get","list"]}]}`},
		{"resources", "application/json", `{"resources":[{"name":"secrets","singularName":"secret","namespaced":true,"kind":"Secret","verbs":["get"],"storageVersionHash":"S6u1pOWzb84="}]}`},
		{"managed fields", "application/json", `{"fieldsV1":{"f:data":{"f:password":{}},"f:spec":{"k:{\"name\":\"TOKEN\"}":{".":{},"f:name":{},"f:value":{}}}}}`},
		{"a schema", "application/json", `{"properties":{"password":{"type":"string","description":"Password of the user.","format":"password"},"secretRef":{"$ref":"#/definitions/x"}}}`},
		{"a Table", "application/json", `{"kind":"Table","columnDefinitions":[{"name":"Name","type":"string"},{"name":"Secrets","type":"integer"}],"rows":[{"cells":["default",2]}]}`},
		{"a refusal", "application/json", `{"kind":"Status","message":"secrets \"db-password\" is forbidden: User \"system:serviceaccount:default:sa\" cannot get resource \"secrets\" in API group \"\" in the namespace \"x\"","reason":"Forbidden","code":403}`},
		{"an Event", "application/json", `{"message":"MountVolume.SetUp failed for volume \"token\" : secret \"tls\" not found","reason":"FailedMount"}`},
		{"a continue token", "application/json", `{"metadata":{"continue":"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0","resourceVersion":"1"}}`},
		{"an image", "application/json", `{"image":"registry.test:5000/nginx:1.27@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}`},
		{"addresses", "application/json", `{"url":"http://10.0.0.1:8080/x","host":"a.test:443","email":"mailto:me@x.test","git":"ssh://git@git.test/x"}`},
		{"a node", "application/json", `{"status":{"nodeInfo":{"bootID":"0b1c2d3e-aaaa-bbbb-cccc-0123456789ab","kubeletVersion":"v1.37.2"},"conditions":[{"type":"Ready","message":"kubelet is posting ready status"}]}}`},
		{"a taint", "application/json", `{"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Equal","value":"x","effect":"NoExecute"}],"labels":{"app":"secret-store","topologyKey":"zone"}}`},
		{"flags", "application/json", `{"command":["app"],"args":["-p","8080","--port","80","--token-ttl","5m","--v=2"]}`},
		{"a rollout", "application/json", `{"metadata":{"annotations":{"deployment.kubernetes.io/revision":"1","kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"data\":{\"a\":\"b\"}}\n"}}}`},
		{"many values", "application/json", "{\"type\":\"ADDED\",\"object\":{\"a\":1e3}}\n{\"type\":\"BOOKMARK\",\"object\":{}}\n"},
		{"YAML", "application/apply-patch+yaml", "# what it is for\nvolumes:\n- name: v\n  secret:\n    secretName: tls   # not here\nenv:\n- {name: A, value: \"b\"}\n---\nkind: List\n"},
		{"text", "text/plain", "I0101 12:00:00.000 1 server.go:55] \"Started\" addr=\"[::]:8080\" token_ttl=3600\nsecrets \"x\" not found\n"},
		{"metrics", "text/plain; version=0.0.4", "# HELP authentication_token_cache_request_total Requests\nauthentication_token_cache_request_total{status=\"hit\"} 5\n"},
		{"health", "text/plain; charset=utf-8", "ok"},
		{"a form", "application/x-www-form-urlencoded", "a=b&c=d%20e"},
		{"basic", "text/plain", "uses Basic authentication, not bearer authentication"},
		{"key words", "application/json", `{"matchLabelKeys":["app"],"matchExpressions":[{"key":"app","operator":"In","values":["web"]}],"labelSelector":"app=web"}`},
	} {
		clean, redacted, withheld := Body([]byte(f.text), f.media, false)
		if string(clean) != f.text || redacted || withheld != "" {
			t.Errorf("%s: %s became %s (%s)", f.name, f.text, clean, withheld)
		}
	}
}

func TestWhatIsLeftCanBeRead(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b","password":"x y","c":1}`:                              `{"a":"b","password":"[redacted]","c":1}`,
		`{"password": 12345, "n": 1}`:                                   `{"password": "[redacted]", "n": 1}`,
		`{"secret": {"pins": 1234}}`:                                    `{"secret": {"pins": "[redacted]"}}`,
		`{"m":"run --password x -v"}`:                                   `{"m":"run --password [redacted] -v"}`,
		`{"u":"https://me:x@h/p"}`:                                      `{"u":"https://me:[redacted]@h/p"}`,
		`{"c":"{\"password\":\"x\",\"b\":\"ü\"}"}`:                      `{"c":"{\"password\":\"[redacted]\",\"b\":\"ü\"}"}`,
		`{"command":["mysql"],"args":["-px","-u","root","-p","y"]}`:     `{"command":["mysql"],"args":["-p[redacted]","-u","root","-p","[redacted]"]}`,
		`{"items":[{"kind":"Secret","data":{"a":"b"},"metadata":{}}]}`:  `{"items":[{"kind":"Secret","data":{"a":"[redacted]"},"metadata":{}}]}`,
		`{"password":"x","user":"yy`:                                    `{"password":"[redacted]","user":"yy`,
		`{"env":[{"name":"A","value":"x","name":"TOKEN","value":"x"}]}`: `{"env":[{"name":"A","value":"[redacted]","name":"TOKEN","value":"[redacted]"}]}`,
		`{"m":"got {\"value\":\"x\",\"name\":\"TOKEN\"} now"}`:          `{"m":"got {\"value\":\"[redacted]\",\"name\":\"TOKEN\"} now"}`,
		`{"password":"x`:                                                `{"password":"[redacted]`,
		`{"binaryData":{"k":"/u3+7Q=="}}`:                               `{"binaryData":{"k":"[redacted]"}}`,
	} {
		if clean, redacted, why := Body([]byte(in), "application/json", true); string(clean) != want || !redacted {
			t.Errorf("%s became %s (%s), want %s", in, clean, why, want)
		}
	}
	yaml := "a: b\npassword: |\n  x\nc: d # e\n"
	if clean, _, why := Body([]byte(yaml), "application/yaml", false); !strings.HasPrefix(string(clean), "a: b\npassword: ") || !strings.HasSuffix(string(clean), "c: d # e\n") {
		t.Errorf("%s became %s (%s)", yaml, clean, why)
	}
}

func TestWhatCannotBeReadIsWithheld(t *testing.T) {
	for _, f := range []form{
		{"no JSON", "application/json", `{"a":` + canary + `}`},
		{"an end too early", "application/json", `{"a":"` + canary},
		{"more after it", "application/json", `{"a":1}} ` + canary},
		{"two commas", "application/json", `{"a":"` + canary + `",,}`},
		{"no string", "application/json", "{\"a\":\"\n" + canary + "\"}"},
		{"deep", "application/json", strings.Repeat("[", 2000) + canary},
		{"no YAML", "application/yaml", "a: [" + canary},
		{"tabs", "application/yaml", "a:\n\t- " + canary},
		{"names that are objects", "application/yaml", "? {a: b}\n: " + canary},
		{"aliases", "application/yaml", bomb() + "x: " + canary},
		{"Protobuf", "application/vnd.kubernetes.protobuf", "k8s\x00" + canary},
		{"CBOR", "application/cbor", canary},
		{"CBOR applied", "application/apply-patch+cbor", canary},
		{"HTML", "text/html", canary},
		{"a picture", "image/png", canary},
		{"parts", "multipart/form-data; boundary=x", canary},
		{"of no type", "", canary},
		{"of a bad type", "application/json; ;;=", canary},
		{"another alphabet", "text/plain; charset=utf-16", canary},
		{"bytes", "application/json", "\"\xff" + canary + "\""},
		{"bytes of text", "text/plain", canary + "\xff"},
		{"a bad form", "application/x-www-form-urlencoded", "a=%zz" + canary},
	} {
		clean, _, withheld := Body([]byte(f.text), f.media, false)
		if escaped(string(clean)+withheld) || withheld == "" && string(clean) != Mark {
			t.Errorf("%s: %s (%s)", f.name, clean, withheld)
		}
	}
}

func bomb() string {
	s := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'j'; c++ {
		s += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	return s
}

func TestNames(t *testing.T) {
	for _, part := range append(slices.Clone(stems), credentialWords...) {
		if !mayName(part) || !Names("x_"+part) {
			t.Errorf("%s is none", part)
		}
	}
	for _, name := range names {
		if !Names(name) {
			t.Errorf("%s is none", name)
		}
	}
	for _, name := range []string{
		"", "a", "name", "value", "data", "key", "keys", "user", "username", "secretName", "secretRef", "secretKeyRef", "tokenExpirationSeconds", "passwordPolicy", "TOKEN_FILE", "PASSWORD_PATH",
		"imagePullPolicy", "topologyKey", "labelSelector", "matchLabelKeys", "compass", "bypass", "passthrough", "author", "authority", "resourceVersion", "fieldManager", "sendInitialEvents",
		"continue", "limit", "tokenRequests", "serviceAccountName", "PUBLIC_KEY", "keyring", "monkey", "spin", "token_ttl", "kubernetes.io/service-account.name", "publicKey", "authMode", "apiVersion",
	} {
		if Names(name) {
			t.Errorf("%s is one", name)
		}
	}
}

func TestQuery(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "limit=500&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0": "limit=500&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0", "watch": "watch",
		"b=1&token=x&a=2": "b=1&token=%5Bredacted%5D&a=2", "pass%77ord=x": "pass%77ord=%5Bredacted%5D", "labelSelector=app%3Dweb%2Ctier%21%3Ddb": "labelSelector=app%3Dweb%2Ctier%21%3Ddb",
		"a=%zz": Mark, "a=1;b=2": Mark, "u=https%3A%2F%2Fu%3Ax%40h": "u=" + url.QueryEscape("https://u:"+Mark+"@h"),
		"fieldSelector=metadata.name%3Dx": "fieldSelector=metadata.name%3Dx", "token=": "token=",
	} {
		if got := Query(in, nil); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	for what, s := range texts() {
		if got, _ := url.QueryUnescape(Query("a=b&q="+url.QueryEscape(s), nil)); escaped(got) {
			t.Errorf("%s: %s", what, got)
		}
	}
}

func TestPath(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0." + canary
	for _, c := range []struct {
		in, want string
		from     int
	}{
		{"/api/v1/namespaces/token/pods/password-reset-5d4f8c7b9-abcde", "", -1},
		{"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:token-cleaner", "", -1},
		{"/api/v1/namespaces/x/pods/" + token, "/api/v1/namespaces/x/pods/%5Bredacted%5D", -1},
		{"/api/v1/namespaces/x/pods/password=" + canary, "/api/v1/namespaces/x/pods/password=%5Bredacted%5D", -1},
		{"/api/v1/namespaces/x/services/s/proxy/metrics/v1", "", 8},
		{"/api/v1/namespaces/x/services/s/proxy/token/abc", "/api/v1/namespaces/x/services/s/proxy/token/%5Bredacted%5D", 8},
		{"/api/v1/namespaces/x/services/s/proxy/bot1a2B3c4D5e6F7g8H9i0J1k2/x", "/api/v1/namespaces/x/services/s/proxy/%5Bredacted%5D/x", 8},
		{"/login/password/" + canary, "/login/password/%5Bredacted%5D", 1},
		{"/a%zz" + canary, "/%5Bredacted%5D", 1},
		{"", "", -1},
		{"/", "", 1},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := Path(c.in, c.from); got != want {
			t.Errorf("%s became %s, want %s", c.in, got, want)
		}
	}
}

// FuzzBody: what can be read is shown without its canary, nothing is changed without a word, and what is shown is shown again as it is.
func FuzzBody(f *testing.F) {
	media := []string{"application/json", "application/yaml", "text/plain", "application/x-www-form-urlencoded"}
	for _, one := range append(named("password"), around("run --password "+canary)...) {
		f.Add(one.text, uint8(slices.Index(media, one.media)), false)
		f.Add(one.text, uint8(2), true)
	}
	f.Fuzz(func(t *testing.T, s string, which uint8, cut bool) {
		mediaType := media[int(which)%len(media)]
		clean, redacted, withheld := Body([]byte(s), mediaType, cut)
		if withheld != "" {
			if len(clean) > 0 {
				t.Errorf("%q is withheld, and shown as %q", s, clean)
			}
			return
		}
		if !redacted && !strings.HasPrefix(s, string(clean)) {
			t.Errorf("%q became %q without a word", s, clean)
		}
	})
}

// FuzzField: whatever stands around it, a field named like a credential is taken out of JSON.
func FuzzField(f *testing.F) {
	f.Add("a", "b", "kind", "Secret", 20)
	f.Add("name", "TOKEN", "value", "\\\"\n{[", 70)
	f.Fuzz(func(t *testing.T, key, value, other, more string, n int) {
		body, err := json.Marshal([]any{map[string]any{key: value, "x": map[string]any{other: more, "password": value + canary + more}}, map[string]string{"name": "API_TOKEN", "value": more + canary}})
		if err != nil || escaped(strings.ReplaceAll(key+value+other+more, "password", "")) || key == "password" || other == "password" {
			t.Skip()
		}
		n = min(max(n, 0), len(body))
		clean, _, _ := Body(body[:n], "application/json", n < len(body))
		if escaped(string(clean)) {
			t.Errorf("%s became %s", body[:n], clean)
		}
	})
}

func BenchmarkBody(b *testing.B) {
	for _, f := range benchmarked() {
		b.Run(f.name, func(b *testing.B) {
			body := []byte(f.text)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, withheld := Body(body, f.media, true); withheld != "" {
					b.Fatal(withheld)
				}
			}
		})
	}
}

func benchmarked() []form {
	pod := `{"metadata":{"name":"web-0","namespace":"shop","uid":"0b1c2d3e-aaaa-bbbb-cccc-000000000000","resourceVersion":"1","creationTimestamp":"2026-01-02T03:04:05Z","labels":{"app":"web"},"managedFields":[{"manager":"kubectl","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:env":{}}}}}}]},"spec":{"containers":[{"name":"app","image":"nginx:1.27","args":["--port=8080","--mode","fast"],"env":[{"name":"A","value":"b"},{"name":"DB","valueFrom":{"secretKeyRef":{"name":"n","key":"k"}}}]}],"serviceAccountName":"default","volumes":[{"name":"v","secret":{"secretName":"tls"}}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}`
	log := "I0101 12:00:00.000000       1 server.go:55] \"Started\" addr=\"[::]:8080\" took=3.5s path=/api/v1/pods\n"
	return []form{
		{"list", "application/json", `{"kind":"PodList","items":[` + strings.Repeat(pod+",", 15) + pod + `]}`},
		{"watch", "application/json", strings.Repeat(`{"type":"MODIFIED","object":`+pod+"}\n", 16)},
		{"yaml", "application/yaml", strings.Repeat("---\nmetadata:\n  name: web\n  labels: {app: web}\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n      - name: app\n        image: nginx\n", 90)},
		{"log", "text/plain", strings.Repeat(log, 160)},
	}
}
