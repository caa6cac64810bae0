package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// connected is a client of a server with the tools, in one process.
func connected(t *testing.T, o Options) *sdk.ClientSession {
	t.Helper()
	server, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// TestToolListIsShort: the list of tools stands in each context window. All tools say that they only read.
func TestToolListIsShort(t *testing.T) {
	client := connected(t, deskOf(t, hostileCluster("x")).Options)
	all, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(all)
	if err != nil || len(text) > 8<<10 {
		t.Errorf("the list of tools has %d bytes, %v", len(text), err)
	}
	var names []string
	for _, one := range all.Tools {
		names = append(names, one.Name)
		if one.Annotations == nil || !one.Annotations.ReadOnlyHint || one.InputSchema == nil || one.OutputSchema == nil {
			t.Errorf("%+v", one)
		}
	}
	want := []string{"clusters", "events", "explain_field", "explain_refusal", "get", "history", "lesson_about", "list", "logs", "owners_of", "preview_apply", "who_can", "who_fights"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if init := client.InitializeResult(); init.Instructions == "" {
		t.Errorf("%+v", init)
	}
}

func TestWithoutRedactionThereIsNoServer(t *testing.T) {
	if _, err := New(Options{Clusters: hostileCluster("x"), Library: noLibrary{}}); err == nil {
		t.Error("a server without a way to hide credentials is made")
	}
}

func TestArgumentsThatDoNotFit(t *testing.T) {
	d := deskOf(t, hostileCluster("x"))
	for what, c := range map[string]struct{ tool, arguments, says string }{
		"no JSON":           {"get", `{`, "aren't JSON"},
		"a list":            {"get", `[]`, "don't fit the schema"},
		"a number":          {"get", `{"resource":1,"name":"a"}`, "don't fit the schema"},
		"nothing":           {"get", ``, "don't fit the schema"},
		"another member":    {"get", `{"resource":"pods","name":"a","force":true}`, "don't fit the schema"},
		"a name with /":     {"get", `{"resource":"pods","name":"a/exec"}`, "can't be the name of an object"},
		"dots":              {"get", `{"resource":"pods","name":".."}`, "can't be the name of an object"},
		"an odd namespace":  {"get", `{"resource":"pods","name":"a","namespace":"a/b"}`, "can't be the name of a namespace"},
		"an odd cursor":     {"get", `{"resource":"configmaps","name":"a","cursor":"%%"}`, "cursor"},
		"another cursor":    {"list", `{"resource":"configmaps","cursor":"` + cursorOf(byOffset, "1") + `"}`, "cursor"},
		"a negative cursor": {"get", `{"resource":"configmaps","name":"a","cursor":"` + cursorOf(byOffset, "-1") + `"}`, "cursor"},
		"no such type":      {"list", `{"resource":"widgets"}`, "serves no type"},
		"no such object":    {"get", `{"resource":"configmaps","name":"b"}`, "no such object"},
		"no manifest":       {"preview_apply", `{"manager":"a"}`, "either a manifest, or a patch"},
		"both":              {"preview_apply", `{"manager":"a","manifest":"a: b","patch":"{}"}`, "either a manifest, or a patch"},
		"no manager":        {"preview_apply", `{"manager":"","manifest":"a: b"}`, "name of a manager"},
		"a long manager":    {"preview_apply", `{"manager":"` + strings.Repeat("m", 200) + `","manifest":"a: b"}`, "name of a manager"},
		"10 MB":             {"preview_apply", `{"manager":"a","manifest":"` + strings.Repeat("a: b # ", 10<<20/7) + `"}`, "longer than 1 MiB"},
		"many documents":    {"preview_apply", `{"manager":"a","manifest":"` + strings.Repeat(`---\na: b\n`, 30) + `"}`, "more than 20 documents"},
		"a blank manifest":  {"preview_apply", `{"manager":"a","manifest":"# nothing"}`, "no document"},
		"a patch of what":   {"preview_apply", `{"manager":"a","patch":"{}"}`, "needs the resource"},
		"no refusal":        {"explain_refusal", `{"text":" "}`, "There is no text"},
		"events of what":    {"events", `{"name":"a"}`, "need its resource"},
		"a field of what":   {"who_can", `{"verb":"change","resource":"pods","field":"spec"}`, "needs name"},
		"no guide":          {"lesson_about", `{"topic":"x"}`, "guide can't be read"},
	} {
		if text, failed := d.answer(t, c.tool, c.arguments); !failed || !strings.Contains(string(text), c.says) {
			t.Errorf("%s: %v %.300s", what, failed, text)
		}
	}
}

// TestFourCallsAtATime: a client that floods has four calls at a time, some that wait, and no others.
func TestFourCallsAtATime(t *testing.T) {
	c := hostileCluster("x")
	c.wait = make(chan struct{})
	client := connected(t, deskOf(t, c).Options)
	var refused, served int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range AtOnce + waiting + 20 {
		all.Go(func() {
			result, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "events"})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case result.IsError:
				if refused++; refused == 20 {
					close(c.wait)
				}
			default:
				served++
			}
		})
	}
	all.Wait()
	if refused != 20 || served != AtOnce+waiting {
		t.Errorf("%d refused, %d served", refused, served)
	}
}

// TestABugEndsOneCall: a panic ends no process, because a running Fieldmark has the calls of many people, and tools send requests beside each other.
func TestABugEndsOneCall(t *testing.T) {
	c := hostileCluster("x")
	c.broken = true
	d := deskOf(t, c)
	for tool, arguments := range map[string]string{
		"get":             `{"resource":"configmaps","name":"x"}`,
		"who_can":         `{"resource":"configmaps","verb":"update"}`,
		"who_fights":      `{"seconds":1}`,
		"explain_refusal": `{"text":"Operation cannot be fulfilled on configmaps \"x\": the object has been modified; please apply your changes to the latest version and try again"}`,
	} {
		if text, failed := d.answer(t, tool, arguments); !failed || !strings.Contains(string(text), "A bug in Fieldmark stopped the tool") {
			t.Errorf("%s: %v %.300s", tool, failed, text)
		}
	}
}

// TestCanceledCallsLeave: a call that waits for its turn ends with its context.
func TestCanceledCallsLeave(t *testing.T) {
	turns := NewTurns()
	for range AtOnce {
		if _, err := turns.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.enter(ctx); err == nil || len(turns.all) != AtOnce {
		t.Errorf("%v, %d calls", err, len(turns.all))
	}
}

// TestSecretsNeverArrive asks each tool about each document that has secrets in it.
func TestSecretsNeverArrive(t *testing.T) {
	for _, one := range canary.Documents() {
		if one.Vague { // then its path alone says that it is a Secret, so tools refuse it
			continue
		}
		c := &scripted{name: "x", bodies: map[string]string{"/secrets/a": one.JSON, "/configmaps/a": one.JSON, "/secrets": one.JSON, "/configmaps": one.JSON}}
		d := deskOf(t, c)
		for _, resource := range []string{"secrets", "configmaps"} {
			for tool, more := range map[string]string{
				"get": "", "owners_of": "", "history": `,"seconds":1`,
				"preview_apply": `,"manager":"m","patch":"{\"data\":{}}"`,
			} {
				text, _ := d.answer(t, tool, `{"resource":"`+resource+`","name":"a"`+more+`}`)
				if canary.Escapes(string(text)) {
					t.Errorf("%s of %s, %s: %s", tool, one.Name, resource, text)
				}
			}
			text, _ := d.answer(t, "preview_apply", `{"manager":"m","details":true,"manifest":"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {other: eA==}\n"}`)
			if canary.Escapes(string(text)) {
				t.Errorf("preview of %s: %s", one.Name, text)
			}
		}
	}
}

// TestOwnersOfALargeObject: the answer about an object of 1,000 lines has at most 4 kB, and cursors lead to the rest.
func TestOwnersOfALargeObject(t *testing.T) {
	var data, fields []string
	for i := range 1000 {
		data = append(data, fmt.Sprintf(`"a-rather-long-key-%04d":"x"`, i))
		fields = append(fields, fmt.Sprintf(`"f:a-rather-long-key-%04d":{}`, i))
	}
	owned := strings.Join(fields, ",")
	var entries []string
	for i := range 12 {
		entries = append(entries, fmt.Sprintf(`{"manager":"a-manager-with-a-long-name-%02d","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{%s}}}`, i, owned))
	}
	c := &scripted{bodies: map[string]string{"/configmaps/a": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":[` + strings.Join(entries, ",") + `]},"data":{` + strings.Join(data, ",") + `}}`}}
	d := deskOf(t, c)
	seen, cursor := map[string]bool{}, ""
	for range 5 {
		text, failed := d.answer(t, "owners_of", `{"resource":"configmaps","name":"a","cursor":"`+cursor+`"}`)
		if failed || len(text) > 4<<10 {
			t.Fatalf("%d bytes: %s", len(text), text)
		}
		var a struct {
			Next string `json:"next_cursor"`
			Data struct {
				Shared []struct{ Path string } `json:"shared"`
			} `json:"data_from_cluster"`
		}
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Data.Shared {
			if seen[f.Path] {
				t.Errorf("%s comes twice", f.Path)
			}
			seen[f.Path] = true
		}
		if cursor = a.Next; cursor == "" || len(a.Data.Shared) == 0 {
			t.Fatalf("the rest can't be read: %s", text)
		}
	}
}
