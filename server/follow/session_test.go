package follow

import (
	"context"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// TestRequestsAreMadeForTheirSession asks for the way to a cluster for two sessions, whose credentials may differ.
func TestRequestsAreMadeForTheirSession(t *testing.T) {
	var asked []string
	g := group(nil)
	g.Resolve = func(ctx context.Context, _ string) (*upstream.Target, error) {
		asked = append(asked, identity.SessionOf(ctx))
		return nil, context.DeadlineExceeded
	}
	for _, session := range []string{"ada", "ben"} {
		source := Source{Session: session, Cluster: "k", Question: pods, Limit: 500}
		if _, err := g.Reflector(source, nil, Had{}).Client(t.Context()); err == nil {
			t.Error("there is a client, although there is no way to the cluster")
		}
	}
	if !slices.Equal(asked, []string{"ada", "ben"}) {
		t.Errorf("the ways were asked for on behalf of %q", asked)
	}
}
