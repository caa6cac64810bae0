package representations

import (
	"fmt"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/call"
)

// inside is a decoded response, as the page shows it.
type inside struct {
	said     media.Said
	raw      string          // its beginning, as it was sent
	lines    []manifest.Line // laid out
	more     int             // lines beyond those
	table    *table.Table
	bytes    *inspector
	notation *media.Notation
	notice   *components.Notice // why the page shows less; nil: it shows all
}

const (
	mostLines = 300
	mostRows  = 40
	mostRaw   = 240
)

// inspectResponse decodes a response, once.
func (l *lane) inspectResponse(m Model) *inside {
	x := l.plain.last
	if l.inside == nil && x.Done() {
		l.inside = inspect(m, l.form.ID, x)
	}
	return l.inside
}

func inspect(m Model, id media.ID, x call.Call) *inside {
	in := &inside{said: media.Read(x.MediaType(), x.Kept)}
	if x.Status == 0 || !x.OK() {
		in.said = refusal(x)
	}
	switch {
	case x.Status == 0:
	case x.MediaType() == media.TypeProtobuf:
		in.protobuf(m, x)
	case x.MediaType() == media.TypeCBOR:
		in.cbor(m, x)
	case m.hides(x) && x.OK() && x.MediaType() == media.TypeYAML:
		in.notice = withheld("Fieldmark doesn’t show Secrets as YAML. The JSON has the same fields, with masked values.")
	case !m.whole(x):
		in.showTruncated(m, x)
	case id == media.Table && in.said.Kind == "Table":
		in.cells(m, x)
	case x.MediaType() == media.TypeYAML:
		in.yaml(x)
	default:
		in.json(m, x)
	}
	return in
}

// refusal reads a Status in any format.
func refusal(x call.Call) media.Said {
	if x.Status == 0 {
		return media.Said{}
	}
	if s := media.Read(x.MediaType(), x.Kept); s.Kind == "Status" {
		return s
	}
	no := x.No()
	if no == nil {
		return media.Said{}
	}
	return media.Said{Kind: "Status", Reason: no.Reason, Message: no.Message}
}

func (in *inside) protobuf(m Model, x call.Call) {
	in.bytes = newInspector("the response", x.Kept, m.whole(x))
	if in.bytes.err == nil {
		in.said.APIVersion, in.said.Kind = in.bytes.envelope.APIVersion, in.bytes.envelope.Kind
	}
	if m.hides(x) && x.OK() {
		in.bytes.withheld = true
		in.notice = withheld("The envelope contains the values of the Secret in plain form, so the page didn’t keep its content. You see the envelope itself, with the API version and kind.")
	}
}

func (in *inside) cbor(m Model, x call.Call) {
	switch {
	case m.hides(x) && x.OK():
		in.notice = withheld("The body contains the values of the Secret in plain form, so the page kept only the tag at its start.")
		in.notation = &media.Notation{Tagged: string(x.Kept[:min(len(x.Kept), len(media.SelfDescribed))]) == media.SelfDescribed}
	case !m.whole(x):
		in.notice = tooLong(x)
	default:
		n, err := media.ParseCBOR(x.Kept, mostLines)
		if err != nil {
			in.notice = &components.Notice{Tone: components.Bad, Title: "The body isn’t valid CBOR", Words: components.Sentence(err.Error())}
			return
		}
		in.notation, in.said = &n, n.Said
	}
}

func withheld(words string) *components.Notice {
	return &components.Notice{Tone: components.Warn, Title: "Values are withheld", Words: words}
}

func tooLong(x call.Call) *components.Notice {
	return &components.Notice{
		Title:  "The response is too long to decode here",
		Words:  fmt.Sprintf("The page keeps %s of %s, but this format can be read only if it is complete.", components.Bytes(int64(len(x.Kept))), components.Bytes(x.Bytes)),
		Advice: "Request one object, or add a limit to the path.",
	}
}

// showTruncated shows the beginning of a response that is too long.
func (in *inside) showTruncated(m Model, x call.Call) {
	in.notice = tooLong(x)
	if !m.hides(x) {
		in.setRawBody(x.Kept)
	}
}

func (in *inside) setRawBody(body []byte) {
	in.raw = string(body[:min(len(body), mostRaw)])
}

func (in *inside) cells(m Model, x call.Call) {
	t, err := table.Parse(x.Kept, m.live.now)
	if err != nil {
		in.notice = unreadable(err)
		return
	}
	in.table = &t
	if !m.hides(x) {
		in.setRawBody(x.Kept)
	}
}

// cellGrid is a Table with the descriptions of its columns. It doesn't name the objects of the rows, because they may be Secrets.
func cellGrid(t table.Table) components.Grid {
	t.Rows, _ = components.First(t.Rows, mostRows)
	g := components.GridOf("Table", t, true)
	for i, c := range t.Columns {
		g.Head[i].Beside = c.Type
		if c.Priority > 0 {
			g.Head[i].Beside += ", priority " + strconv.Itoa(c.Priority)
		}
	}
	for i := range g.Rows {
		g.Rows[i] = components.GridRow{Cells: g.Rows[i].Cells}
	}
	return g
}

func unreadable(err error) *components.Notice {
	return &components.Notice{Tone: components.Bad, Title: "Fieldmark can’t read the response", Words: components.Sentence(err.Error())}
}

func (in *inside) json(m Model, x call.Call) {
	o, err := object.Parse(x.Kept)
	if err != nil {
		in.notice = unreadable(err)
		return
	}
	switch {
	case m.secret():
		o = o.MaskedAsSecret()
	case m.hides(x):
		o = o.Masked()
	default:
		in.setRawBody(x.Kept)
	}
	all, err := layout.Value(o.Fields)
	in.lay(layout.Lines(all), err)
}

func (in *inside) yaml(x call.Call) {
	all := lines(string(x.Kept))
	shown := make([]manifest.Line, min(len(all), mostLines))
	for i := range shown {
		shown[i] = manifest.Line{{Text: all[i]}}
	}
	in.lines, in.more = shown, len(all)-len(shown)
}

func (in *inside) lay(all []manifest.Line, err error) {
	if err != nil {
		in.notice = unreadable(err)
		return
	}
	in.lines = all[:min(len(all), mostLines)]
	in.more = len(all) - len(in.lines)
}
