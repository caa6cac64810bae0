package representations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/words"
)

// spanWords says where bytes are, counted from 0.
func spanWords(s media.Span) string {
	if s.Len() == 1 {
		return fmt.Sprintf("byte %d", s.From)
	}
	return fmt.Sprintf("bytes %d to %d (%s)", s.From, s.To-1, words.Thousands(int64(s.Len())))
}

func pieceTitle(p media.Piece) string {
	switch p.Role {
	case media.RoleMagic:
		return "Magic"
	case media.RoleTag:
		return "Tag of " + p.Name
	case media.RoleLength:
		return "Length of " + p.Name
	case media.RoleRaw:
		return "The object’s message"
	}
	return p.Name
}

// pieceWords explains a piece of the envelope.
func pieceWords(p media.Piece, e media.Envelope) string {
	switch p.Role {
	case media.RoleMagic:
		return "The letters k8s and a zero byte. A Protobuf message doesn’t say its type. So Kubernetes starts with these four bytes, and a reader checks them first."
	case media.RoleTag:
		return "The number of the field, times eight, plus its wire type in the last three bits. The message has only the number. The name " + p.Name + " is from the schema."
	case media.RoleLength:
		return lengthWords(p)
	case media.RoleRaw:
		return "The object as Protobuf: field numbers and values. Only the schema of " + kindOf(e) + " has the names. The list below is decoded without a schema."
	}
	return valueWords[p.Name]
}

// kindOf is the kind in an envelope, for a sentence.
func kindOf(e media.Envelope) string {
	if e.Kind == "" {
		return "its kind"
	}
	return e.APIVersion + " " + e.Kind
}

func lengthWords(p media.Piece) string {
	if p.Text == "0" {
		return "Zero: the field is present and empty. A writer could omit it, but Go’s generated code writes it."
	}
	words := "The number of bytes of the value. Each byte has seven bits of the number, the lowest first. The eighth bit says that another byte follows."
	if p.Len() > 1 {
		words += fmt.Sprintf(" Here it takes %d bytes.", p.Len())
	}
	return words
}

// valueWords explain the fields of the envelope.
var valueWords = map[string]string{
	"typeMeta.apiVersion": "Group and version of the object in the envelope. In JSON this field is in the object. Here it is outside, so a reader knows which message to decode.",
	"typeMeta.kind":       "The kind of the object in the envelope. Together with apiVersion it gives the message type.",
	"contentEncoding":     "An additional encoding of the message. API servers leave this field empty. They compress whole response bodies (Content-Encoding), not messages.",
	"contentType":         "The format of the message. Empty means Protobuf.",
}

// fieldWords explains how a field of a message without a schema was read.
func fieldWords(f media.Field) string {
	words := fmt.Sprintf("Field %d, %s. ", f.Num, f.Wire)
	switch f.As {
	case media.Number:
		words += "A number. Only the schema says whether it is a count, a boolean or an enum value."
	case media.Text:
		words += "The bytes are valid text, so the page shows them as text."
	case media.Message:
		words += "The bytes are valid fields, so the page shows them as another message. This is a guess, because text and messages have the same wire type."
	case media.Empty:
		words += "Empty: text, bytes, a list or a message without fields. Without the schema they look the same."
	default:
		words += "Neither text nor a message."
	}
	if f.Cut {
		words += " The page doesn’t keep the end of this field."
	}
	return words
}

// answered is a response in short.
func answered(x call.Call) (components.Tone, string) {
	switch {
	case x.State == call.Unsent:
		return components.Calm, ""
	case x.Under():
		return components.Busy, "under way"
	case x.State == call.Canceled:
		return components.Calm, "canceled"
	case x.Status == 0 || x.State == call.CutOff:
		return components.Bad, "response incomplete"
	case !x.OK():
		return components.Warn, fmt.Sprint(x.Status)
	}
	return components.Good, fmt.Sprint(x.Status)
}

// onWire is the size of a response body on the wire; false: it is unknown.
func onWire(x call.Call) (bytes int64, ok bool) {
	switch {
	case !x.Done() || x.Status == 0:
		return 0, false
	case x.Wire > 0:
		return x.Wire, true
	case request.Field(x.Answer, "content-encoding") == "":
		return x.Bytes, true
	}
	return 0, false
}

// compressed tells whether the API server compressed a response.
func compressed(x call.Call) bool { return request.Field(x.Answer, "content-encoding") == "gzip" }

// gzipWords say whether the API server used gzip, and why.
func gzipWords(l *lane) (words, why string) {
	x := l.gzip.last
	switch {
	case !x.Done() || !x.OK():
		return "", ""
	case compressed(x):
		if wire, ok := onWire(x); ok && l.plain.last.Bytes > 0 {
			return fmt.Sprintf("%d %% of plain", (100*wire+l.plain.last.Bytes/2)/l.plain.last.Bytes), ""
		}
		return "", ""
	case x.Bytes < media.CompressFrom:
		return "not compressed", "The response has less than 128 KiB."
	}
	return "not compressed", "The response is large enough, but the server didn’t compress it."
}

// heaviest and slowest are the largest size and time, which have full bars.
func (l *live) heaviest() (most int64) {
	for _, lane := range l.lanes {
		most = max(most, lane.plain.last.Bytes)
	}
	return most
}

func (l *live) slowest() (most int64) {
	for _, lane := range l.lanes {
		most = max(most, lane.plain.median().Microseconds(), lane.gzip.median().Microseconds())
	}
	return most
}

// bar is the width of a bar in percent, as SVG writes it. It is never too small to see, unless the value is 0.
func bar(part, most int64) string {
	if part <= 0 || most <= 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f", max(0.6, 100*float64(part)/float64(most)))
}

func millis(s sample) string {
	if len(s.times) == 0 {
		return "–"
	}
	return short(s.median())
}

// short is a duration with three digits.
func short(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", ms/1000)
}

// timesWords say how exact the times are.
func timesWords(s sample) string {
	if len(s.times) < 2 {
		return "Each time is from a single response, so it is only a rough value. Send each request five times to get a median."
	}
	return fmt.Sprintf("Times are medians of %d responses. For the first format, without gzip, the fastest took %s and the slowest %s.", len(s.times), short(slices.Min(s.times)), short(slices.Max(s.times)))
}

// otherwise says that the response has another format than the requested one, or why there is none.
func otherwise(m Model, l *lane) string {
	in := l.inspectResponse(m)
	x := l.plain.last
	switch {
	case in == nil || x.Status == 0:
		return ""
	case x.Status == 406:
		return notOffered(m, l.form.ID, in.said)
	case !x.OK():
		return components.Sentence(in.said.Message)
	case l.form.ID == media.Table && in.said.Kind != "" && in.said.Kind != "Table":
		return "The server has no Table for this path. It sent " + in.said.Kind + " instead."
	}
	return ""
}

// notOffered explains a 406.
func notOffered(m Model, id media.ID, said media.Said) string {
	switch {
	case id == media.Protobuf && m.Path.IsResource():
		return "The server has no Protobuf for this type. Custom resources have a schema but no Protobuf message type. So clients that prefer Protobuf list JSON after it."
	case id == media.CBOR:
		return "The server does not offer CBOR. The feature gate CBORServingAndStorage is off, or the server is too old for it."
	case id == media.Table:
		return "The server has no Table for this path."
	}
	return components.Sentence(said.Message)
}

// outcome is the result of an Accept list.
func (a attempt) outcome() string {
	x := a.x
	switch {
	case x.State == call.Canceled:
		return "canceled"
	case x.Status == 0:
		return "no response"
	}
	words := []string{fmt.Sprint(x.Status), x.MediaType()}
	if a.said.Kind != "" {
		words = append(words, a.said.Kind)
	}
	return strings.Join(append(words, components.Bytes(x.Bytes)), " · ")
}

// clauseWords say what the server did with an entry of an Accept list. taken is the place of the entry that it used.
func clauseWords(a attempt, i, taken int) string {
	switch {
	case i == taken:
		return "used for this response"
	case taken >= 0 && i > taken:
		return "not needed"
	case a.x.Status == 406:
		return "not available here"
	case a.x.Status == 0 || a.x.Status >= 300 && a.x.Status != 406:
		return "" // it failed for another reason
	}
	return "not available here, so the server tried the next entry"
}

// presets are Accept lists to try.
func (m Model) presets() []components.Link {
	metadata := "PartialObjectMetadataList"
	for _, f := range m.forms() {
		if f.ID == media.Metadata && !strings.Contains(f.Accept, metadata) {
			metadata = "PartialObjectMetadata"
		}
	}
	var links []components.Link
	for _, p := range []struct{ text, list, hint string }{
		{"Only Protobuf", media.TypeProtobuf, "Refused if the type has no Protobuf"},
		{"Protobuf, else JSON", media.TypeProtobuf + "," + media.TypeJSON, "Sent by clients that know both"},
		{"CBOR, else JSON", media.TypeCBOR + "," + media.TypeJSON, "Sent by the dynamic client, if CBOR is enabled"},
		{"Table, else the object", accept.Table + accept.OrJSON, "Sent by kubectl get"},
		{"Metadata as Protobuf", media.TypeProtobuf + ";as=" + metadata + ";v=v1;g=meta.k8s.io," + media.TypeJSON, "Metadata has a Protobuf message type for every kind"},
		{"By weight", media.TypeYAML + ";q=0.5," + media.TypeJSON + ";q=0.9", "The larger q comes first"},
		{"Anything", "*/*", "Sent by curl"},
		{"Plain text", "text/plain", "No server offers it"},
	} {
		links = append(links, components.Link{Text: p.text, Hint: p.hint, Href: m.pageAddress(QueryAccept, p.list)})
	}
	return links
}

// refused explains a 406. The message of the server alone is misleading.
func (a attempt) refused() string {
	if a.x.Status != 406 {
		return ""
	}
	words := components.Sentence(a.said.Message)
	if strings.Contains(a.said.Message, media.TypeProtobuf) && strings.Contains(a.list, media.TypeProtobuf) {
		words += " The list contains Protobuf anyway. The server can write its own kinds as Protobuf, for example this Status or metadata, but not these objects."
	}
	return words
}

// acceptList is the Accept list in the field.
func (m Model) acceptList() string {
	switch {
	case m.live != nil:
		return m.live.typed
	case m.Accept != "":
		return m.Accept
	}
	return media.TypeProtobuf
}

// taken is the place of the entry that the server used; -1: none.
func (a attempt) taken(tried []media.Clause) int {
	if !a.x.OK() {
		return -1
	}
	return media.Taken(tried, a.x.MediaType(), a.said.Kind)
}

// selfTag is the tag of self-described CBOR in diagnostic notation.
const selfTag = "55799"

func firstBytes(content []byte) string {
	const most = 16
	text := fmt.Sprintf("% x", content[:min(len(content), most)])
	if len(content) > most {
		text += " …"
	}
	return text
}

func offset(at int) string { return fmt.Sprintf("%05x", at) }

// marked is the selected range.
func (m Model) marked(in *inspector) media.Span {
	if m.live.piece < 0 || m.live.piece >= len(in.stops) {
		return media.Span{}
	}
	return in.stops[m.live.piece].Span
}

func cellClass(in *inspector, c media.Cell) string {
	class := "role-none"
	if c.Piece >= 0 {
		class = "role-" + string(in.envelope.Pieces[c.Piece].Role)
	}
	if c.Marked {
		class += " marked"
	}
	return class
}

func cellTitle(in *inspector, c media.Cell) string {
	if c.Piece < 0 {
		return ""
	}
	return pieceTitle(in.envelope.Pieces[c.Piece])
}
