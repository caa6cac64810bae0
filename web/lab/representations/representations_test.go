package representations

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// catalog is what the server of these tests serves.
var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "create", "watch"}},
		{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Verbs: []string{"get", "list", "create"}},
	}}}},
	{Name: "shop.example.com", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Group: "shop.example.com", Version: "v1", Resource: "promotions", Kind: "Promotion", Namespaced: true, Verbs: []string{"get", "list", "create"}},
	}}}},
}}

// answer is what a server answers.
type answer struct {
	status          int
	mediaType, body string
	coding          string
	wire            int64
}

// player runs a page against a server, by hand.
type player struct {
	t      *testing.T
	page   page.Page
	serves func(page.Call) answer
	made   []page.Call
	others []page.Cmd
}

func open(t *testing.T, query string, serves func(page.Call) answer) *player {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, serves: serves}
	m := New(page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, values)
	next, commands := m.Awake(time.Now())
	p.page = next
	p.carryOut(commands)
	return p
}

func (p *player) update(m page.Msg) {
	next, commands := p.page.Update(m)
	p.page = next
	p.carryOut(commands)
}

func (p *player) carryOut(commands []page.Cmd) {
	for _, c := range commands {
		call, ok := c.(page.Call)
		if !ok {
			p.others = append(p.others, c)
			continue
		}
		p.made = append(p.made, call)
		a := p.serves(call)
		head := []request.Header{{Name: "content-type", Value: a.mediaType}}
		if a.coding != "" {
			head = append(head, request.Header{Name: "content-encoding", Value: a.coding})
		}
		p.update(page.Opened{ID: call.ID, Status: a.status, Header: head, Took: time.Millisecond})
		kept := []byte(a.body)
		if call.Keep > 0 && int64(len(kept)) > call.Keep {
			kept = kept[:call.Keep]
		}
		p.update(page.Arrived{ID: call.ID, Part: kept, Bytes: int64(len(a.body)), After: 2 * time.Millisecond})
		p.update(page.Ended{ID: call.ID, How: page.Whole, Bytes: int64(len(a.body)), Wire: a.wire, Took: 3 * time.Millisecond})
	}
}

func (p *player) html() string {
	p.t.Helper()
	var b strings.Builder
	if err := page.Main(p.page).Render(context.Background(), &b); err != nil {
		p.t.Fatal(err)
	}
	return b.String()
}

func (p *player) shows(words ...string) {
	p.t.Helper()
	html := p.html()
	for _, w := range words {
		if !strings.Contains(html, w) {
			p.t.Errorf("%q is not shown", w)
		}
	}
}

func (p *player) hides(words ...string) {
	p.t.Helper()
	html := p.html()
	for _, w := range words {
		if strings.Contains(html, w) {
			p.t.Errorf("%q is shown", w)
		}
	}
}

func written(number int, content string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3|2), uint64(len(content)))) + content
}

func enveloped(kind, message string) string {
	return media.Magic + written(1, written(1, "v1")+written(2, kind)) + written(2, message) + written(3, "") + written(4, "")
}

func inCBOR(t *testing.T, v any) string {
	t.Helper()
	mode, err := cbor.EncOptions{String: cbor.StringToByteString, FieldName: cbor.FieldNameToByteString, ByteSliceLaterFormat: cbor.ByteSliceLaterFormatBase64}.EncMode()
	if err != nil {
		t.Fatal(err)
	}
	body, err := mode.Marshal(cbor.Tag{Number: 55799, Content: v})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// pod is served in every form.
func pod(t *testing.T) func(page.Call) answer {
	t.Helper()
	return func(c page.Call) answer {
		accept := request.Field(c.Header, "Accept")
		switch {
		case c.Method == "POST":
			return answer{status: 400, mediaType: media.TypeJSON, body: `{"kind":"Status","apiVersion":"v1","message":"expected prefix [107 56 115 0]","reason":"BadRequest","code":400}`}
		case strings.Contains(accept, "as=Table"):
			return answer{status: 200, mediaType: media.TypeJSON, body: `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Ready","type":"string","priority":1}],"rows":[{"cells":["1/1"],"object":{"metadata":{"name":"web"}}}]}`}
		case strings.Contains(accept, "PartialObject"):
			return answer{status: 200, mediaType: media.TypeJSON, body: `{"kind":"PartialObjectMetadata","metadata":{"name":"web"}}`}
		case accept == media.TypeProtobuf:
			return answer{status: 200, mediaType: media.TypeProtobuf, body: enveloped("Pod", written(1, written(1, "web")))}
		case accept == media.TypeCBOR:
			return answer{status: 200, mediaType: media.TypeCBOR, body: inCBOR(t, map[string]any{"kind": "Pod"})}
		case accept == media.TypeYAML:
			return answer{status: 200, mediaType: media.TypeYAML, body: "apiVersion: v1\nkind: Pod\n"}
		}
		a := answer{status: 200, mediaType: media.TypeJSON, body: `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web"}}`}
		if c.Coding == "gzip" {
			a.coding, a.wire = "gzip", 20
		}
		return a
	}
}

const aPod = "path=/api/v1/namespaces/default/pods/web"

func TestAllFormsAreAskedForOneAfterTheOther(t *testing.T) {
	p := open(t, aPod, pod(t))
	if len(p.made) != 12 {
		t.Fatalf("%d requests", len(p.made))
	}
	for i, c := range p.made {
		if want := []string{"identity", "gzip"}[i%2]; c.Coding != want || c.Method != "GET" {
			t.Errorf("request %d is %+v", i, c)
		}
		if pretty := strings.HasSuffix(c.Path, "?pretty=false"); pretty != strings.Contains(request.Field(c.Header, "Accept"), "json") {
			t.Errorf("%s is asked for as %s", request.Field(c.Header, "Accept"), c.Path)
		}
	}
	p.shows("34 % of plain", "not compressed", "PartialObjectMetadata", "typeMeta.kind")
	p.update(page.Acted{Action: doRepeat})
	if len(p.made) != 12+12*repeats {
		t.Errorf("%d requests", len(p.made))
	}
	p.shows("medians of 6 responses")
}

func TestWhatIsInEachForm(t *testing.T) {
	for as, want := range map[string][]string{
		"json":     {"The response starts with", "PartialObjectMetadata"},
		"yaml":     {"apiVersion: v1"},
		"table":    {"1/1", "priority 1"},
		"metadata": {"PartialObjectMetadata"},
		"protobuf": {"runtime.Unknown", `data-do="byte:0"`, "field 1"},
		"cbor":     {`data-tag="55799"`, "<mark>55799</mark>", "&#39;kind&#39;: &#39;Pod&#39;", `data-strings="2"`},
	} {
		p := open(t, aPod+"&as="+as, pod(t))
		p.shows(want...)
	}
}

func TestRangesAreGoneThroughByKeys(t *testing.T) {
	p := open(t, aPod, pod(t))
	p.shows("Choose a range")
	for range 7 {
		p.update(page.Pressed{Key: "j"})
	}
	p.shows("Tag of typeMeta.kind", `class="role-tag marked"`, "byte 10")
	p.update(page.Pressed{Key: "k"})
	p.shows("typeMeta.apiVersion <span class=\"soft\">bytes 8 to 9 (2)")
	p.update(page.Pressed{Key: "G"})
	p.shows("Length of contentType")
	p.update(page.Acted{Action: doByte + "0"})
	p.shows("Magic <span class=\"soft\">bytes 0 to 3 (4)")
	p.update(page.Acted{Action: doByte + "22"})
	p.shows("The bytes are valid text")
	p.update(page.Acted{Action: doRange + "9999"})
	p.update(page.Acted{Action: doRange + "x"})
	p.shows("The bytes are valid text")
}

func TestBytesThatAreNoEnvelope(t *testing.T) {
	p := open(t, aPod, pod(t))
	p.update(page.Acted{Action: doDrop})
	p.shows("Rejected", `The first byte of k8s\0 is missing`, "POST /api/v1/namespaces/default/pods?dryRun=All")
	p.update(page.Acted{Action: doSend})
	sent := p.made[len(p.made)-1]
	if sent.Method != "POST" || sent.Path != "/api/v1/namespaces/default/pods?dryRun=All" || request.Field(sent.Header, "Content-Type") != media.TypeProtobuf || !strings.HasPrefix(string(sent.Body), "8s\x00") {
		t.Errorf("sent %+v", sent)
	}
	p.shows(`data-status="400"`, "expected prefix [107 56 115 0]")
	p.update(page.Acted{Action: doRestore})
	p.hides("Rejected", "expected prefix")
	p.update(page.Acted{Action: doFlip})
	p.shows("begins with 6b 38 73 78")
	p.update(page.Typed{Field: fieldBytes, Text: "7b 22"})
	p.shows("look like JSON")
	p.update(page.Typed{Field: fieldBytes, Text: "7b 2"})
	p.shows("each byte needs two")
	p.update(page.Loaded{Field: fieldFile, Name: "x.bin", Body: []byte("\x1f\x8b")})
	p.shows("The file x.bin", "gzip")
	p.update(page.Loaded{Field: fieldFile, Name: "y.bin", Size: 1 << 30})
	p.shows("The file is larger")
}

// custom refuses what API servers refuse for custom resources.
func custom(c page.Call) answer {
	for _, clause := range media.ParseAccept(request.Field(c.Header, "Accept")) {
		if clause.Subtype == "json" {
			return answer{status: 200, mediaType: media.TypeJSON, body: `{"kind":"Promotion","apiVersion":"shop.example.com/v1"}`}
		}
	}
	message := "only the following media types are accepted: application/json, application/vnd.kubernetes.protobuf"
	return answer{status: 406, mediaType: media.TypeProtobuf, body: enveloped("Status", written(3, message)+written(4, "NotAcceptable"))}
}

func TestRefusedAndFallenBack(t *testing.T) {
	p := open(t, "path=/apis/shop.example.com/v1/namespaces/default/promotions/a", custom)
	p.shows("no Protobuf for this type", "does not offer CBOR")
	p.update(page.Acted{Action: doDrop})
	p.hides(doSend)
	query := func(accept string) url.Values {
		return url.Values{QueryPath: {"/apis/shop.example.com/v1/namespaces/default/promotions/a"}, QueryAs: {"protobuf"}, QueryAccept: {accept}}
	}
	p.update(page.Addressed{Query: query(media.TypeProtobuf)})
	p.shows(`data-status="406"`, "contains Protobuf anyway", "Only the following media types")
	p.update(page.Addressed{Query: query(media.TypeProtobuf + "," + media.TypeJSON)})
	p.shows("not available here, so the server tried the next entry", "used for this response")
}

func TestQuery(t *testing.T) {
	p := open(t, aPod, pod(t))
	asked := len(p.made)
	p.update(page.Addressed{Query: url.Values{QueryPath: {"/api/v1/namespaces/default/pods/web"}, QueryPretty: {"1"}, QueryAs: {"json"}}})
	if got := p.made[asked]; got.Path != "/api/v1/namespaces/default/pods/web?pretty=true" {
		t.Errorf("asked %+v", got)
	}
	p.update(page.Addressed{Query: url.Values{QueryPath: {"/api/v1/pods"}}})
	if to, ok := p.others[len(p.others)-1].(page.Navigate); !ok || to.Address != "/c/practice/-/representations?path=%2Fapi%2Fv1%2Fpods" {
		t.Errorf("%+v", p.others)
	}
	for query, want := range map[string]string{
		"path=/api/v1/pods%3Fwatch=1":                   "A watch is a stream",
		"path=/api/v1/namespaces/default/pods/web/log":  "passes on the data of a workload",
		"path=/api/v1/namespaces/default/pods/web/exec": "passes on the data of a workload",
		"path=nonsense": "not an API path",
		"":              "Start with a path",
		"path=/api/v1/namespaces/default/pods/a%252Fb":            "not an API path",
		"path=/api/v1/pods%3Flimit=2%2526labelSelector=%25zz%26a": "query of the path isn’t valid",
	} {
		p := open(t, query, func(page.Call) answer { t.Errorf("%s asks", query); return answer{} })
		p.shows(want)
	}
}

func TestLongAnswersAreCut(t *testing.T) {
	long := `{"kind":"PodList","items":["` + strings.Repeat("x", keptText) + `"]}`
	p := open(t, "path=/api/v1/pods&as=json", func(page.Call) answer {
		return answer{status: 200, mediaType: media.TypeJSON, body: long}
	})
	p.shows("The response is too long to decode here", "The response starts with", "The response is large enough")
	p = open(t, "path=/api/v1/pods&as=cbor", func(page.Call) answer {
		return answer{status: 200, mediaType: media.TypeCBOR, body: media.SelfDescribed + strings.Repeat("x", keptBinary)}
	})
	p.shows("The response is too long to decode here")
}

// Values of Secrets are nowhere on the page, whatever form they come in, and however the list is asked for.
func TestSecretsAreMaskedInEveryForm(t *testing.T) {
	const canary = "canary-in-a-coal-mine"
	coded := base64.StdEncoding.EncodeToString([]byte(canary))
	object := strings.ReplaceAll(`{"metadata":{"name":"s","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"k\":\"CODED\"}}"}},"data":{"k":"CODED"}}`, "CODED", coded)
	list := `{"kind":"SecretList","apiVersion":"v1","items":[` + object + `]}`
	whole := `{"kind":"Secret","apiVersion":"v1",` + object[1:]
	serves := func(single bool) func(page.Call) answer {
		return func(c page.Call) answer {
			accept := request.Field(c.Header, "Accept")
			body := list
			if single {
				body = whole
			}
			switch {
			case strings.Contains(accept, "as=Table"):
				return answer{status: 200, mediaType: media.TypeJSON, body: `{"kind":"Table","columnDefinitions":[{"name":"Data","type":"integer"}],"rows":[{"cells":[1],"object":` + object + `}]}`}
			case strings.Contains(accept, "protobuf"):
				return answer{status: 200, mediaType: media.TypeProtobuf, body: enveloped("Secret", canary+strings.Repeat(canary, 20))}
			case strings.Contains(accept, "cbor"):
				return answer{status: 200, mediaType: media.TypeCBOR, body: inCBOR(t, map[string]any{"data": map[string]any{"k": []byte(canary)}})}
			case strings.Contains(accept, "yaml"):
				return answer{status: 200, mediaType: media.TypeYAML, body: "data:\n  k: " + coded + "\nkind: Secret\n"}
			}
			return answer{status: 200, mediaType: media.TypeJSON, body: strings.Replace(body, "PartialObject", "", 1)}
		}
	}
	for _, path := range []string{"/api/v1/secrets", "/api/v1/namespaces/default/secrets/s", "/api/v1/secrets%3Flimit=1"} {
		for _, as := range []string{"json", "yaml", "table", "metadata", "protobuf", "cbor"} {
			p := open(t, "path="+path+"&as="+as+"&accept=application/cbor", serves(strings.Contains(path, "default")))
			digits := fmt.Sprintf("% x", canary)
			for range 30 {
				p.update(page.Pressed{Key: "j"})
				p.hides(canary, canary[:8], coded, coded[:12], digits[:11])
			}
			if as == "protobuf" {
				p.shows("Values are withheld", "typeMeta.kind")
				p.hides("Break the bytes")
			}
			for _, c := range p.made {
				if accept := request.Field(c.Header, "Accept"); !strings.Contains(accept, "json") && (c.Keep <= 0 || c.Keep > keptEnvelope) {
					t.Errorf("of %s, %d bytes are taken in", accept, c.Keep)
				}
			}
		}
	}
}

func TestEveryFormIsExplained(t *testing.T) {
	for _, f := range media.Forms(apipath.Collection("apps", "v1", "shop", "deployments")) {
		if why.In(topics, f.ID) == nil {
			t.Errorf("nothing explains %s", f.Title)
		}
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, as := range []string{"json", "table", "metadata"} {
			p := open(t, "path="+url.QueryEscape(d.Path)+"&as="+as, func(page.Call) answer {
				return answer{status: 200, mediaType: media.TypeJSON, body: d.JSON}
			})
			if html := p.html(); canary.Escapes(html) {
				t.Errorf("%s as %s: %s", d.Name, as, html)
			}
		}
	}
}
