package write

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	explainpage "github.com/fieldmark/fieldmark/web/write/explain"
	"github.com/fieldmark/fieldmark/words"
)

// inquiryTime bounds the time for reading a refusal, and for all requests about it. The page names requests that it could not send in time.
const inquiryTime = 10 * time.Second

// explain is the page that explains a refusal, which is posted, because its text may contain secrets and must not be in a URL.
func (v making) explain() (page.Page, error) {
	m := explainpage.Model{Now: v.Now(), Namespace: usualNamespace}
	var catalog *discovery.Catalog
	if err := v.LoadSurroundings(); err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &notice
	} else {
		all := v.Catalog()
		catalog = &all
	}
	if v.Request().Method == http.MethodPost {
		v.BoundBody(refusal.MaxText + source.MaxText)
		if err := v.Request().ParseForm(); err != nil {
			v.Code, m.Problem = unreadForm(err)
		} else {
			m.Text, m.Manifest = v.pasted(explainpage.FieldText), v.pasted(explainpage.FieldManifest)
			m.Manager, m.Namespace = v.Request().PostFormValue(explainpage.FieldManager), v.Request().PostFormValue(explainpage.FieldNamespace)
			v.inquire(&m, catalog)
		}
	}
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// pasted is a text of several lines from the posted form, with the line ends of files. Browsers send CRLF.
func (v making) pasted(field string) string {
	return strings.ReplaceAll(v.Request().PostForm.Get(field), "\r\n", "\n")
}

// unreadForm says why a posted form can't be read.
func unreadForm(err error) (int, *components.Notice) {
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return http.StatusRequestEntityTooLarge, &components.Notice{Tone: components.Warn, Title: "The text is too long", Words: "Paste only the lines around the refusal."}
	}
	return http.StatusBadRequest, &components.Notice{Tone: components.Warn, Title: "Fieldmark can’t read the form", Words: "Paste the text again."}
}

// inquire explains the text, with facts from the cluster. Without a catalog, fewer facts are known.
func (v making) inquire(m *explainpage.Model, catalog *discovery.Catalog) {
	known := inquiry.Options{Namespace: m.Namespace, Manager: m.Manager, Catalog: catalog, Schema: v.schemaOf}
	if known.Namespace == "" {
		known.Namespace = usualNamespace
	}
	ctx, stop := context.WithTimeout(v.Context(), inquiryTime)
	defer stop()
	for _, p := range source.Pieces(0, m.Manifest) {
		if ctx.Err() != nil {
			break
		}
		for _, d := range p.Parse().Documents {
			if !d.Broken {
				known.Documents = append(known.Documents, check.Document{File: "manifest.yaml", Source: d, Namespace: known.Namespace})
			}
		}
	}
	q := inquiry.New(refusal.Read(ctx, m.Text), known)
	v.converse(ctx, q)
	answer := q.Answer()
	m.Answer = &answer
}

// converse makes the requests that an inquiry asks for, several at the same time, until it is over.
func (v making) converse(ctx context.Context, q *inquiry.Inquiry) {
	for asks := q.Asks(); len(asks) > 0; asks = q.Asks() {
		heard := make([]inquiry.Heard, len(asks))
		var all rescue.Group
		for i, a := range asks {
			all.Go(func() { heard[i] = v.sendAsk(ctx, a) })
		}
		all.Wait()
		q.Take(heard)
	}
}

func (v making) sendAsk(ctx context.Context, a inquiry.Ask) inquiry.Heard {
	answer, err := v.Client().Do(ctx, api.Request{Method: a.Method, Path: a.Target(), Accept: a.Accept, ContentType: a.ContentType, Body: a.Body})
	switch {
	case err == nil:
		return inquiry.Heard{Body: answer.Body}
	case ctx.Err() != nil:
		return inquiry.Heard{No: &status.Status{Message: words.OutOfTime}}
	}
	no := api.StatusOf(err)
	return inquiry.Heard{No: &no}
}

// schemaOf is the schema of a type; nil if it doesn't arrive soon.
func (v making) schemaOf(t discovery.Type) *schema.Schema {
	about := v.Describe(apipath.Collection(t.Group, t.Version, "", t.Resource), v.FieldsPatience())
	if about.Err != nil {
		return nil
	}
	if found, ok := about.Document.Schema(schema.Kind{Group: t.Group, Version: t.Version, Kind: t.Kind}); ok {
		return &found
	}
	return nil
}
