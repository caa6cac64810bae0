// Package lean makes the views smaller in the browser's programs. The code that templ generates repeats the same lines in every component
// and for every text. dev/scripts/wasm-views.mjs replaces those lines by calls of these functions, which do the same.
package lean

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/a-h/templ"
	"github.com/a-h/templ/runtime"
)

// Context is context.Context, so that views need not import it.
type Context = context.Context

// Component is a component: f gets the context without children, what to write to, and the children.
func Component(f func(Context, *runtime.Buffer, templ.Component) error) templ.Component {
	return templ.ComponentFunc(func(ctx Context, w io.Writer) error {
		return begin(ctx, w, func(ctx Context, b *runtime.Buffer) error {
			children := templ.GetChildren(ctx)
			if children == nil {
				children = templ.NopComponent
			}
			return f(templ.ClearChildren(ctx), b, children)
		})
	})
}

// Children are the children that a view gives to a component.
func Children(f func(Context, *runtime.Buffer) error) templ.Component {
	return templ.ComponentFunc(func(ctx Context, w io.Writer) error { return begin(ctx, w, f) })
}

func begin(ctx Context, w io.Writer, f func(Context, *runtime.Buffer) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	b, mine := runtime.GetBuffer(w)
	if !mine {
		defer func() { err = errors.Join(err, runtime.ReleaseBuffer(b)) }()
	}
	return f(templ.InitializeContext(ctx), b)
}

// Literal writes what stands in the view.
func Literal(b *runtime.Buffer, text string) error {
	_, err := b.WriteString(text)
	return err
}

// Text writes what an expression is.
func Text[T any](b *runtime.Buffer, value T) error {
	text, ok := any(value).(string)
	if !ok {
		text = fmt.Sprint(value)
	}
	return Literal(b, templ.EscapeString(text))
}
