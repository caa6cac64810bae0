package promises

import (
	"encoding/json"
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

// TestWhoCanChangeAField: the tool names the owners of a field, and the subjects that they could be, as the verb who-can does.
func TestWhoCanChangeAField(t *testing.T) {
	namespace := "shop"
	a := startAssistant(t, practiceKubeconfig(t))
	for _, field := range []string{"spec.replicas", "spec.template.spec.containers", "status", "spec.nosuch"} {
		var tool struct {
			Data struct {
				Subjects []struct{ Name string }
				Owners   []struct {
					Manager, Operation, Subresource string
					CouldBe                         []struct{ Kind, Name, Namespace, Why string } `json:"could_be"`
				}
			} `json:"data_from_cluster"`
		}
		a.call(t, &tool, "who_can", map[string]any{"verb": "change", "resource": "deploy", "namespace": namespace, "name": "storefront", "field": field})
		if len(tool.Data.Subjects) == 0 {
			t.Error(field, "may be changed by nobody")
		}
		code, out, errs := onPractice(t, "", "who-can", "change", "deploy/storefront", "-n", namespace, "--field", field, "-o", "json")
		if field == "spec.nosuch" {
			if len(tool.Data.Owners) != 0 {
				t.Errorf("a field that doesn't exist has owners: %+v", tool.Data)
			}
			continue
		}
		var verb struct {
			Owners []struct {
				Manager, Operation, Subresource string
				CouldBe                         []struct {
					Subject struct{ Kind, Name, Namespace string }
					Why     string
				}
			}
		}
		if err := json.Unmarshal([]byte(out), &verb); err != nil || code > 1 || len(verb.Owners) == 0 {
			t.Fatal(code, err, out, errs)
		}
		told := map[string]bool{}
		for _, o := range tool.Data.Owners {
			said := fmt.Sprint(o.Manager, o.Operation, o.Subresource)
			for _, l := range o.CouldBe {
				said += fmt.Sprint(l.Kind, l.Name, l.Namespace, l.Why)
			}
			told[said] = true
		}
		for _, o := range verb.Owners {
			said := fmt.Sprint(o.Manager, o.Operation, o.Subresource)
			for _, l := range o.CouldBe {
				said += fmt.Sprint(l.Subject.Kind, l.Subject.Name, l.Subject.Namespace, l.Why)
			}
			if !told[said] {
				t.Errorf("%s: the verb names %s, and the tool %v", field, said, told)
			}
		}
	}
}
