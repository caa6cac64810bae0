package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

func TestAcceptIsTriedInOrder(t *testing.T) {
	for list, want := range map[string]string{
		"": "",
		"application/vnd.kubernetes.protobuf,application/json": "application/vnd.kubernetes.protobuf|application/json",
		"application/json;q=0.5, application/cbor":             "application/cbor|application/json;q=0.5",
		"*/*, application/yaml":                                "application/yaml|*/*",
		"*/*;q=0.9,application/json;q=0.1":                     "application/json;q=0.1|*/*;q=0.9", // as API servers have it, whatever RFC 9110 says
		"application/*, text/plain":                            "text/plain|application/*",
		"nonsense, a/b/c, /x, application/json":                "application/json",
		"*":                                                    "*",
		strings.Repeat("a/b,", 100):                            strings.TrimSuffix(strings.Repeat("a/b|", MostClauses), "|"),
	} {
		var got []string
		for _, c := range ParseAccept(list) {
			got = append(got, c.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q is tried as %q, want %q", list, got, want)
		}
	}
}

func TestTaken(t *testing.T) {
	for _, c := range []struct {
		list, mediaType, kind string
		want                  int
	}{
		{"application/vnd.kubernetes.protobuf,application/json", TypeJSON, "PromotionList", 1},
		{"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", TypeJSON, "Table", 0},
		{"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", TypeJSON, "PodList", 1},
		{"application/vnd.kubernetes.protobuf", TypeJSON, "Status", -1},
		{"*/*", TypeYAML, "", 0},
	} {
		if got := Taken(ParseAccept(c.list), c.mediaType, c.kind); got != c.want {
			t.Errorf("of %s, %s of kind %s is what entry %d asks for, want %d", c.list, c.mediaType, c.kind, got, c.want)
		}
	}
}

func TestForms(t *testing.T) {
	for path, want := range map[string]int{"/api/v1/pods": 6, "/api/v1/nodes/a": 6, "/apis": 4, "/version": 4} {
		p, err := apipath.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		forms := Forms(p)
		if len(forms) != want {
			t.Errorf("%s has %d forms", path, len(forms))
		}
		for _, f := range forms {
			if len(ParseAccept(f.Accept)) != 1 {
				t.Errorf("%s is not asked for by one media type", f.Title)
			}
			if f.ID == Metadata && strings.Contains(f.Accept, "MetadataList") != (path == "/api/v1/pods") {
				t.Errorf("%s asks for %s", path, f.Accept)
			}
		}
	}
}

// field writes a length-delimited field.
func field(number int, content string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3|2), uint64(len(content)))) + content
}

// enveloped is an object's message in its envelope.
func enveloped(message string) string {
	return Magic + field(1, field(1, "v1")+field(2, "Pod")) + field(2, message) + field(3, "") + field(4, "")
}

func TestEnvelopeTakenApart(t *testing.T) {
	content := []byte(enveloped(field(1, field(1, "web"))))
	e, err := ParseEnvelope(content, true)
	if err != nil || e.APIVersion != "v1" || e.Kind != "Pod" || e.Cut || e.RawLength != 7 {
		t.Fatalf("%+v, %v", e, err)
	}
	var got []string
	at := 0
	for _, p := range e.Pieces {
		if p.From != at {
			t.Errorf("%s begins at %d, where %d was the end", p.Name, p.From, at)
		}
		at = p.To
		got = append(got, fmt.Sprintf("%s %s %s", p.Role, p.Name, p.Text))
	}
	want := []string{
		`magic magic k8s\0`, "tag typeMeta field 1, length-delimited", "length typeMeta 9",
		"tag typeMeta.apiVersion field 1, length-delimited", "length typeMeta.apiVersion 2", "value typeMeta.apiVersion v1",
		"tag typeMeta.kind field 2, length-delimited", "length typeMeta.kind 3", "value typeMeta.kind Pod",
		"tag raw field 2, length-delimited", "length raw 7", "raw raw 7 bytes",
		"tag contentEncoding field 3, length-delimited", "length contentEncoding 0", "tag contentType field 4, length-delimited", "length contentType 0",
	}
	if !slices.Equal(got, want) || at != len(content) {
		t.Errorf("got\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEnvelopeWhoseEndIsMissing(t *testing.T) {
	content := []byte(enveloped(strings.Repeat("x", 100)))[:60]
	if _, err := ParseEnvelope(content, true); err == nil {
		t.Error("it is taken for whole")
	}
	e, err := ParseEnvelope(content, false)
	if err != nil || !e.Cut || e.RawLength != 100 || e.Raw.To != 60 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestWhatIsNoEnvelope(t *testing.T) {
	good := enveloped("")
	for content, want := range map[string]struct {
		at    int
		words string
	}{
		"":                           {0, "message is empty"},
		good[1:]:                     {0, "The first byte of k8s\\0 is missing"},
		"k8":                         {2, "has only the bytes 6b 38"},
		"k8sx" + good[4:]:            {3, "begins with 6b 38 73 78"},
		`{"kind":"Pod"}`:             {0, "look like JSON"},
		"\x1f\x8b\x08\x00":           {0, "gzip"},
		SelfDescribed + "\xa0":       {0, "55799"},
		good[4:]:                     {0, "without an envelope"},
		Magic + "\x0a\x05ab":         {5, "typeMeta has a length of 5 bytes, but only 2 are left"},
		Magic + "\x08\x01":           {4, "typeMeta must be length-delimited, but it is varint"},
		Magic + "\x00":               {4, "number 0"},
		Magic + "\x2b":               {4, "wire type 3"},
		Magic + "\x0a\xff":           {5, "end within a number"},
		Magic + field(1, "\x0a\x7f"): {7, "only 0 are left"},
	} {
		_, err := ParseEnvelope([]byte(content), true)
		var wrong *Wrong
		if !errors.As(err, &wrong) || wrong.At != want.at || !strings.Contains(wrong.Words+" "+wrong.Hint, want.words) {
			t.Errorf("%q: %+v, want byte %d and %q", content, err, want.at, want.words)
		}
	}
}

func TestWalkGuesses(t *testing.T) {
	message := field(1, field(1, "web")+field(11, field(1, "app")+field(2, "web"))) + "\x10\x05" + "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" +
		field(4, "") + field(5, "\x00\xff\x80") + "\x31\x00\x00\x00\x00\x00\x00\xf0\x3f" + "\x3d\x00\x00\x80\x3f"
	fields, more, err := Walk([]byte(message), Span{0, len(message)}, true)
	var got []string
	for _, f := range fields {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s%d %s %s %s", strings.Repeat(" ", f.Depth)+"|", f.Num, f.Wire, f.As, f.Shown)))
	}
	want := []string{
		"|1 length-delimited message", "|1 length-delimited text web", "|11 length-delimited message", "|1 length-delimited text app", "|2 length-delimited text web",
		"|2 varint number 5", "|3 varint number -1", "|4 length-delimited empty", "|5 length-delimited bytes 00 ff 80",
		"|6 64-bit number 4607182418800017408, or 1", "|7 32-bit number 1065353216, or 1",
	}
	if err != nil || more || !slices.Equal(got, want) {
		t.Errorf("%v, %v\n%s\nwanted\n%s", more, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWalkIsBounded(t *testing.T) {
	deep := "x"
	for range 100 {
		deep = field(1, deep)
	}
	if fields, _, err := Walk([]byte(deep), Span{0, len(deep)}, true); err != nil || len(fields) != MostDepth {
		t.Errorf("%d fields, %v", len(fields), err)
	}
	many := strings.Repeat("\x08\x01", 10*MostFields)
	if fields, more, err := Walk([]byte(many), Span{0, len(many)}, true); err != nil || !more || len(fields) != MostFields {
		t.Errorf("%d fields, more: %v, %v", len(fields), more, err)
	}
	cut := field(2, field(1, "some text of a list's first item")+field(2, strings.Repeat("y", 100)))[:60]
	fields, _, err := Walk([]byte(cut), Span{0, len(cut)}, false)
	if err != nil || len(fields) != 3 || !fields[0].Cut || fields[0].As != Message || !fields[2].Cut {
		t.Errorf("%+v, %v", fields, err)
	}
}

func TestHexIsCutWherePiecesAre(t *testing.T) {
	content := []byte(enveloped(strings.Repeat("z", 40)))
	e, err := ParseEnvelope(content, true)
	if err != nil {
		t.Fatal(err)
	}
	rows := Hex(content, 17, 2, e.Pieces, Span{30, 35})
	if len(rows) != 2 || rows[0].At != 16 {
		t.Fatalf("%+v", rows)
	}
	var got []string
	for _, c := range rows[0].Cells {
		got = append(got, fmt.Sprintf("%s %v", c.Text, c.Marked))
	}
	if strings.Join(got, "|") != "( false|zzzzzzzzzzzzz false|zz true" {
		t.Errorf("%q", got)
	}
	if c := rows[1].Cells; len(c) != 2 || c[0].Text != "zzz" || !c[0].Marked || c[1].Marked || e.Pieces[c[1].Piece].Role != RoleRaw {
		t.Errorf("%+v", c)
	}
}

func TestParseHex(t *testing.T) {
	for text, want := range map[string]string{"6b 38 73 00": Magic, "0x6b,0x38": "k8", "6B:38\n73": "k8s", "": ""} {
		if got, err := ParseHex(text); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"6", "zz", "k8", strings.Repeat("00", MostPasted+1)} {
		if _, err := ParseHex(text); err == nil {
			t.Errorf("%.20q is taken", text)
		}
	}
}

func TestCBORWrittenOut(t *testing.T) {
	mode, err := cbor.EncOptions{String: cbor.StringToByteString, ByteSliceLaterFormat: cbor.ByteSliceLaterFormatBase64, FieldName: cbor.FieldNameToByteString}.EncMode()
	if err != nil {
		t.Fatal(err)
	}
	body, err := mode.Marshal(cbor.RawTag{Number: 55799, Content: must(mode.Marshal([]any{
		map[string]any{"it's": []any{}}, map[string]any{}, 1, 2.5, true, nil, []byte("raw, \"bytes\""),
	}))})
	if err != nil {
		t.Fatal(err)
	}
	n, err := ParseCBOR(body, 100)
	want := []string{"55799([", "  {", `    'it\'s': []`, "  },", "  {},", "  1,", "  2.5,", "  true,", "  null,", `  22('raw, "bytes"')`, "])"}
	if err != nil || !n.Tagged || n.More != 0 || !slices.Equal(n.Lines, want) {
		t.Errorf("%v, %v\n%s\nwanted\n%s", n.Tagged, err, strings.Join(n.Lines, "\n"), strings.Join(want, "\n"))
	}
	if got, want := n.Count, (Count{Maps: 2, Arrays: 2, ByteStrings: 2, Numbers: 2, Tags: 2, Others: 2, Later: 1}); got != want {
		t.Errorf("it is made of %+v, want %+v", got, want)
	}
	if n, err := ParseCBOR(body, 4); err != nil || len(n.Lines) != 4 || n.More != 7 {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := ParseCBOR(body[:10], 4); !errors.Is(err, errUnread) {
		t.Errorf("half of it: %v", err)
	}
}

func must(content []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return content
}

// A refusal says the same in every form.
func TestReadInEveryForm(t *testing.T) {
	mode, err := cbor.EncOptions{String: cbor.StringToByteString, FieldName: cbor.FieldNameToByteString}.EncMode()
	if err != nil {
		t.Fatal(err)
	}
	want := Said{"v1", "Status", "NotAcceptable", "only the following: a, b"}
	for mediaType, body := range map[string]string{
		TypeJSON:     `{"kind":"Status","apiVersion":"v1","metadata":{},"message":"only the following: a, b","reason":"NotAcceptable","code":406}`,
		TypeYAML:     "apiVersion: v1\ncode: 406\nkind: Status\nmessage: 'only the following: a, b'\nreason: NotAcceptable\n",
		TypeProtobuf: Magic + field(1, field(1, "v1")+field(2, "Status")) + field(2, field(1, "")+field(2, "Failure")+field(3, want.Message)+field(4, want.Reason)+"\x30\x96\x03"),
		TypeCBOR: string(must(mode.Marshal(cbor.Tag{Number: 55799, Content: map[string]any{
			"kind": "Status", "apiVersion": "v1", "message": want.Message, "reason": want.Reason, "code": 406, "metadata": map[string]any{},
		}}))),
	} {
		if got := Read(mediaType, []byte(body)); got != want {
			t.Errorf("%s: %+v", mediaType, got)
		}
		if got := Read(mediaType, []byte(body)[:len(body)/2]); got.Message == want.Message {
			t.Errorf("half of %s: %+v", mediaType, got)
		}
	}
	long := "apiVersion: v1\nitems:\n- kind: Pod\n  kind: Other\n" + strings.Repeat("  a: b\n: c\n", 100) + "kind: PodList\n"
	if got := Read(TypeYAML, []byte(long)); got != (Said{APIVersion: "v1", Kind: "PodList"}) {
		t.Errorf("long YAML: %+v", got)
	}
}
