package promises

import (
	"fmt"
	"strings"
	"testing"
)

// while calls write again and again until a tool has answered.
func (a *assistant) while(t *testing.T, write func(n int), tool string, arguments map[string]any) string {
	t.Helper()
	answered := make(chan string, 1)
	go func() {
		text, failed := a.text(t, tool, arguments)
		if failed {
			t.Errorf("%s: %s", tool, text)
		}
		answered <- text
	}()
	for n := 0; ; n++ {
		select {
		case text := <-answered:
			return text
		default:
			write(n)
		}
	}
}

// TestAFightIsSeen: two managers overwrite each other's value while the tools watch.
func TestAFightIsSeen(t *testing.T) {
	c := open(t, "mcp-"+random(t, 4))
	a := startAssistant(t, c.kubeconfig)
	s := situation{of: configMaps, kind: "ConfigMap"}
	write := func(n int) {
		who := []string{"ada", "ben"}[n%2]
		if err := s.send(t.Context(), c, deed{who, "force", fmt.Sprintf(`{data: {level: of-%s}}`, who)}, "fought"); err != nil {
			t.Error(err)
		}
	}
	write(0)
	fights := a.while(t, write, "who_fights", map[string]any{"resources": []string{"configmaps"}, "namespace": c.namespace, "seconds": 3})
	if !strings.Contains(fights, `"path":".data.level"`) || !strings.Contains(fights, "ada (Apply)") || !strings.Contains(fights, "ben (Apply)") || strings.Contains(fights, "of-ada") {
		t.Error(fights)
	}
	changes := a.while(t, write, "history", map[string]any{"resource": "configmaps", "namespace": c.namespace, "name": "fought", "seconds": 2})
	if !strings.Contains(changes, `"path":".data.level"`) || !strings.Contains(changes, `"by":["ada (Apply)"]`) || !strings.Contains(changes, "Nobody has recorded the object") {
		t.Error(changes)
	}
}
