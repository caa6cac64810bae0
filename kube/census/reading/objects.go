package reading

import (
	"context"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/census"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// Limits of what Objects reads.
const (
	MostHeld  = 500
	mostSeen  = 100_000
	mostLists = 100 // namespaces
)

// Objects are the objects of a type of which a manager has an entry: at most MostHeld, and more tells whether there may be others. An empty list of
// namespaces means all. If a request fails, it returns what was found before.
func Objects(ctx context.Context, s Send, t discovery.Type, namespaces []string, manager string) (held []census.Held, more bool, no *status.Status) {
	if len(namespaces) == 0 || !t.Namespaced {
		namespaces = []string{""}
	}
	seen := 0
	for i, n := range namespaces {
		if i >= mostLists {
			return held, true, nil
		}
		for token := ""; ; {
			query := url.Values{"limit": {strconv.Itoa(chunkSize)}}
			if token != "" {
				query.Set("continue", token)
			}
			body, no := s.Get(ctx, collection(t, n)+"?"+query.Encode(), Accept)
			if no != nil {
				return held, true, no
			}
			listed, ok := walk.List(body, func(o []byte) {
				seen++
				if h, ok := census.HeldBy(o, t, manager); !ok {
					return
				} else if more = len(held) >= MostHeld; !more {
					held = append(held, h)
				}
			})
			switch {
			case !ok:
				return held, true, &status.Status{Code: status.CodeBadGateway, Message: "The response is not a list."}
			case more, seen >= mostSeen && listed.Continue != "":
				return held, true, nil
			}
			if listed.Continue == "" || listed.Continue == token {
				break
			}
			token = listed.Continue
		}
	}
	return held, false, nil
}
