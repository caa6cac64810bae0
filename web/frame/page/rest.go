package page

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// Rest is what a page waits for when the beginning of its document is sent: the slow parts of its content, in the order of the document. A document has
// everything up to such a part, then it is flushed, and the part follows in the same response when it is there:
//
//	head ▸ list of types ▸ head of the page ▸ flush ▸ Await(0) ▸ flush ▸ Await(1) ▸ the requests ▸ the model
//
// So the document is complete without scripts, and the same through a proxy that collects it. Its status code was sent with the first flush. What fails after
// that is said in its part.
type Rest struct {
	// Parts wait for a part, and return the page that has it and all parts that were asked for before. They are asked for in their order, and may be asked for
	// again.
	Parts []func() Page
}

// AllOf waits until nothing of the page is coming.
func AllOf(p Page) Page {
	c := p.Framed().Rest
	if c == nil {
		return p
	}
	for _, part := range c.Parts {
		p = part()
	}
	return p
}

// Await shows a part of a page's content. If the part is coming, words say so until it is there. Several places can show one part: only the first needs words.
func Await[P Page](p P, part int, words string, show func(P) templ.Component) templ.Component {
	c := p.Framed().Rest
	if c == nil {
		return show(p)
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if words != "" {
			if err := awaited(words).Render(ctx, w); err != nil {
				return err
			}
		}
		there, _ := c.Parts[part]().(P)
		return show(there).Render(ctx, w)
	})
}

// late is what comes at the end of a document, of the whole page.
func late(p Page, show func(Page) templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error { return show(AllOf(p)).Render(ctx, w) })
}
