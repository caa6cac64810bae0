package gallery

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// apart makes a component fit to stand on a page that has it several times: its ids, and what refers to them, become
// its own; it does not take the focus, and its headings keep below the specimen's. Where it is to be open, what is
// folded or hidden in it is seen too.
func apart(c templ.Component, mark string, open bool) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b bytes.Buffer
		if err := c.Render(ctx, &b); err != nil {
			return err
		}
		return rewrite(w, &b, func(t *html.Token) {
			rename(t, mark)
			calm(t)
			if open {
				unfold(t)
			}
		})
	})
}

// rewrite copies HTML and lets change see each element that begins.
func rewrite(w io.Writer, r io.Reader, change func(*html.Token)) error {
	z := html.NewTokenizer(r)
	for {
		var out string
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if z.Err() == io.EOF { //nolint:errorlint // the tokenizer gives it bare
				return nil
			}
			return fmt.Errorf("reading the HTML of a component: %w", z.Err())
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			change(&t)
			out = t.String()
		default:
			out = string(z.Raw())
		}
		if _, err := io.WriteString(w, out); err != nil {
			return err
		}
	}
}

// referring are the attributes that hold ids.
var referring = []string{"id", "for", "list", "aria-labelledby", "aria-controls", "aria-activedescendant", "aria-describedby"}

func rename(t *html.Token, mark string) {
	landmark := t.Data == "nav" || slices.Contains(t.Attr, html.Attribute{Key: "role", Val: "region"})
	for i := range t.Attr {
		a := &t.Attr[i]
		switch {
		case slices.Contains(referring, a.Key):
			ids := strings.Fields(a.Val)
			for i := range ids {
				ids[i] += "-in-" + mark
			}
			a.Val = strings.Join(ids, " ")
		case a.Key == "aria-label" && landmark:
			a.Val += " (" + mark + ")"
		}
	}
}

// calm takes away what makes sense once on a page: the focus, being modal, being the only one of its name that is open.
func calm(t *html.Token) {
	t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool {
		return a.Key == "autofocus" || a.Key == "aria-modal" || t.Data == "details" && a.Key == "name"
	})
	if len(t.Data) == 2 && t.Data[0] == 'h' && t.Data[1] >= '1' && t.Data[1] <= '3' {
		level := max(4, int(t.Data[1]-'0')+2)
		t.Attr = append(t.Attr, html.Attribute{Key: "aria-level", Val: strconv.Itoa(level)})
	}
}

func unfold(t *html.Token) {
	t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
	if t.Data == "details" {
		t.Attr = append(t.Attr, html.Attribute{Key: "open"})
	}
}
