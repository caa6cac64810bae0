package follow

import (
	"net/url"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// TestRefusalsAreAboutWhatWasAsked: a session's own selectors and rights say nothing about the server.
func TestRefusalsAreAboutWhatWasAsked(t *testing.T) {
	of := func(resource string) Question {
		return Question{Collection: apipath.Collection("", "v1", "n", resource)}
	}
	pods, configMaps := of("pods"), of("configmaps")
	chosen := pods
	chosen.Selectors = url.Values{"fieldSelector": {"nonsense"}}
	for _, c := range []struct {
		code            int
		question        Question
		pods, configMap bool // are refused from then on
	}{
		{400, pods, true, true},
		{422, pods, true, true},
		{405, pods, true, false},
		{403, pods, false, false},
		{400, chosen, false, false},
		{500, pods, false, false},
	} {
		g := NewGroup(Options{Now: time.Now})
		ask := func(q Question) *stream {
			return &stream{Reflector: g.Reflector(Source{Question: q}, nil, Had{}), server: "s"}
		}
		ask(c.question).learn(c.code)
		if got := ask(pods).isRefused(); got != c.pods {
			t.Errorf("after %d for %s: pods are refused: %t", c.code, c.question.Name(), got)
		}
		if got := ask(configMaps).isRefused(); got != c.configMap {
			t.Errorf("after %d for %s: configmaps are refused: %t", c.code, c.question.Name(), got)
		}
	}
}
