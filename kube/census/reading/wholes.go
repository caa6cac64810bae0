package reading

import (
	"context"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// wholes is how many whole objects a response has. A definition can have 1 MB.
const wholes = 50

// Wholes lists whole objects of a type in chunks, and calls take with each as it was sent. The status says why the list ended early; nil: it is complete.
func Wholes(ctx context.Context, get func(ctx context.Context, target, accept string) ([]byte, *status.Status), t discovery.Type, take func(raw []byte)) *status.Status {
	of, query := apipath.Collection(t.Group, t.Version, "", t.Resource).String(), url.Values{"limit": {strconv.Itoa(wholes)}}
	for {
		body, no := get(ctx, of+"?"+query.Encode(), "application/json")
		if no != nil {
			return no
		}
		listed, ok := walk.List(body, take)
		switch {
		case !ok:
			return &status.Status{Message: "the response isn’t a list"}
		case listed.Continue == "":
			return nil
		case listed.Continue == query.Get("continue"):
			return &status.Status{Message: "the list makes no progress"}
		}
		query.Set("continue", listed.Continue)
	}
}
