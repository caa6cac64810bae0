package lean

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/a-h/templ/runtime"
)

type name string

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextsAreWrittenAsTemplDoes(t *testing.T) {
	for what, write := range map[string]func(*runtime.Buffer) error{
		"&lt;a&gt;": func(b *runtime.Buffer) error { return Text(b, "<a>") },
		"&amp;":     func(b *runtime.Buffer) error { return Text(b, name("&")) },
		"7":         func(b *runtime.Buffer) error { return Text(b, 7) },
		"true":      func(b *runtime.Buffer) error { return Text(b, true) },
		"<b>":       func(b *runtime.Buffer) error { return Literal(b, "<b>") },
	} {
		got := render(t, Component(func(_ Context, b *runtime.Buffer, _ templ.Component) error { return write(b) }))
		if got != what {
			t.Errorf("%q, want %q", got, what)
		}
	}
}

func TestChildrenComeOnce(t *testing.T) {
	inner := Component(func(ctx Context, b *runtime.Buffer, children templ.Component) error {
		return errors.Join(Literal(b, "["), children.Render(ctx, b), Literal(b, "]"))
	})
	outer := Component(func(ctx Context, b *runtime.Buffer, _ templ.Component) error {
		inside := Children(func(ctx Context, b *runtime.Buffer) error {
			return errors.Join(Literal(b, "a"), inner.Render(ctx, b))
		})
		return inner.Render(templ.WithChildren(ctx, inside), b)
	})
	if got := render(t, outer); got != "[a[]]" {
		t.Errorf("%q", got)
	}
}

func TestErrorsAndEnds(t *testing.T) {
	wrong := errors.New("wrong")
	c := Component(func(Context, *runtime.Buffer, templ.Component) error { return wrong })
	if err := c.Render(t.Context(), io.Discard); !errors.Is(err, wrong) {
		t.Errorf("%v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := c.Render(ended, &strings.Builder{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
