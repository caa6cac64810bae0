package promises

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistant is a client of the verb mcp: the SDK's own, with a process of its own.
type assistant struct {
	*sdk.ClientSession
	log *recording
}

// startAssistant starts the verb with a kubeconfig. It ends with the test.
func startAssistant(t *testing.T, kubeconfig string, args ...string) *assistant {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), fieldmarkProgram(t), append([]string{"mcp", "--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}, args...)...)
	a := &assistant{log: newRecording()}
	command.Env, command.Stderr = os.Environ(), a.log
	client := sdk.NewClient(&sdk.Implementation{Name: "promises", Version: "1"}, nil)
	session, err := client.Connect(context.WithoutCancel(t.Context()), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatalf("%v: %s", err, a.log)
	}
	a.ClientSession = session
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the verb did not end well: %v: %s", err, a.log)
		}
	})
	return a
}

// text is what a tool answers, and whether it failed.
func (a *assistant) text(t *testing.T, tool string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	result, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v: %s", tool, err, a.log)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s: %+v", tool, result)
	}
	one, _ := result.Content[0].(*sdk.TextContent)
	return one.Text, result.IsError
}

// call reads the answer of a tool, which must not fail.
func (a *assistant) call(t *testing.T, into any, tool string, arguments map[string]any) {
	t.Helper()
	text, failed := a.text(t, tool, arguments)
	if err := json.Unmarshal([]byte(text), into); err != nil || failed {
		t.Fatalf("%s: %v: %s", tool, err, text)
	}
}
