package write

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/check"
)

// maxCheckForm bounds a form with manifests, in bytes: a byte of a manifest may take three in a form.
const maxCheckForm = 3*source.MaxText + 64<<10

// check is the page that checks manifests. A POST has a text, whose first documents are checked here. It is for users without the
// browser's program, which sends the same requests itself.
func (v making) check() (page.Page, error) {
	var m check.Model
	m.Options, m.Look = check.Parse(v.Request().URL.Query())
	if v.Request().Method == http.MethodPost {
		v.BoundBody(maxCheckForm)
		if err := v.Request().ParseForm(); err != nil {
			v.Code, m.Problem = noForm(err)
		}
		m.Options, _ = check.Parse(v.Request().PostForm)
		m.Text = v.pasted(check.FieldText)
	}
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	m.Now = v.Now()
	if m.Text == "" || m.Problem != nil {
		m.Frame = v.Frame().With(m.Problem)
		return m, nil
	}
	m.Frame = v.FrameBefore(func() page.Page {
		ctx, stop := context.WithTimeout(v.Context(), checkTime)
		defer stop()
		m.Frame = v.Frame()
		m.Judge(visit.NewAsker(ctx, v.Visit))
		m.Shell.Requests = v.Requests(v.Path.String())
		return m
	})
	return m, nil
}

// noForm says why a form could not be read.
func noForm(err error) (int, *components.Notice) {
	n := &components.Notice{Tone: components.Bad, Title: "Fieldmark can’t read the text", Words: "The request was cut off, or it isn’t a form.", Advice: "Send the request again."}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		n.Words, n.Advice = "The text is longer than "+components.Bytes(large.Limit)+".", "Check fewer manifests at a time, or use kubectl fieldmark check."
		return http.StatusRequestEntityTooLarge, n
	}
	return http.StatusBadRequest, n
}

// checkTime bounds the time for a check on the server. The page says which documents were not checked in time.
const checkTime = 30 * time.Second
