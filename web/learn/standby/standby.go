// Package standby lets a page follow a cluster that isn't ready yet, without loading the page again: what the reader has begun stays.
package standby

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// ID is what responses are known by.
const ID = "standby"

// every is after how many ticks the page asks.
const every = 2

// Wait counts the ticks of a page that waits.
type Wait struct{ ticks int }

// Tick asks for the model of the page's own address, every few ticks.
func (w *Wait) Tick(address string) []page.Cmd {
	w.ticks++
	if w.ticks%every != 0 {
		return nil
	}
	return []page.Cmd{page.Ask{ID: ID, Address: address, Accept: page.MediaType}}
}

// Read is the model in a response; ok is false if the response is something else.
func Read[M any](r page.Response) (model M, ok bool) {
	ok = r.ID == ID && r.OK() && json.Unmarshal(r.Body, &model) == nil
	return model, ok
}
