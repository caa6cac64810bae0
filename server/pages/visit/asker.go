package visit

import (
	"context"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/api"
)

// Asker makes the requests of a check or a plan on the server: reads and dry runs.
type Asker struct {
	v *Visit
	// ctx ends with the check.
	ctx context.Context
}

// NewAsker makes an Asker whose requests end with ctx.
func NewAsker(ctx context.Context, v *Visit) Asker { return Asker{v, ctx} }

// Over tells whether no more requests can be made.
func (a Asker) Over() bool { return a.ctx.Err() != nil }

// asksAtOnce is how many documents are asked about at the same time.
const asksAtOnce = 4

// Send sends a request. A refusal is a response, and so is that nothing was heard.
func (a Asker) Send(q check.Ask) check.Response {
	answer, err := a.v.Client().Do(a.ctx, api.Request{Method: q.Method, Path: q.Target(), ContentType: q.ContentType, Body: q.Body})
	r := check.Response{Warnings: answer.Warnings}
	if err == nil {
		var o object.Object
		o, err = object.Parse(answer.Body)
		r.Object = o.Fields
	}
	if err != nil {
		no := api.StatusOf(err)
		r.No = &no
	}
	return r
}

// Schema is the schema of a kind; nil: it isn't known.
func (a Asker) Schema(k schema.Kind) *schema.Schema {
	ctx, cancel := context.WithTimeout(a.ctx, a.v.SchemaPatience())
	defer cancel()
	document, err := a.v.Cluster().Document(ctx, a.v.Client(), k.Group, k.Version)
	if found, ok := document.Schema(k); err == nil && ok {
		return &found
	}
	return nil
}

// Each calls a function for each of n documents, some at the same time, and waits for all.
func (a Asker) Each(n int, f func(at int)) {
	var all rescue.Group
	turn := make(chan struct{}, asksAtOnce)
	for at := range n {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			f(at)
		})
	}
	all.Wait()
}
