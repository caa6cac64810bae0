package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	cluster "github.com/fieldmark/fieldmark/cli/ask"
)

// answered is what the hook prints for a tool call, without a cluster.
func answered(t *testing.T, in io.Reader, args ...string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "/nowhere")
	flags := genericclioptions.NewConfigFlags(true)
	var out bytes.Buffer
	c := New("fieldmark", cluster.New(flags), genericiooptions.IOStreams{In: in, Out: &out, ErrOut: io.Discard})
	c.SetArgs(args)
	c.SilenceUsage, c.SilenceErrors = true, true
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Samples are calls as the documentation of each assistant has them.
var samples = map[string]string{
	"claude-code": `{"session_id":"abc","transcript_path":"/t.jsonl","cwd":"/work","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"COMMAND","description":"x","timeout":120000},"tool_use_id":"toolu_1"}`,
	"codex":       `{"session_id":"abc","turn_id":"1","transcript_path":null,"cwd":"/work","model":"m","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"COMMAND"},"tool_use_id":"1"}`,
	"cursor":      `{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"beforeShellExecution","cursor_version":"1.7.2","workspace_roots":["/work"],"user_email":null,"command":"COMMAND","cwd":"/work"}`,
}

func TestFormats(t *testing.T) {
	for name, c := range map[string]struct{ silence, begins, denies string }{
		"claude-code": {"", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Fieldmark can’t tell`, ""},
		"codex":       {"", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Fieldmark can’t tell`, "Ask your user."},
		"cursor":      {"{}", `{"agent_message":"Fieldmark can’t tell`, `"permission":"ask"`},
	} {
		call := func(command string) string {
			return answered(t, strings.NewReader(strings.ReplaceAll(samples[name], "COMMAND", command)), "--for", name, "--within", "1m")
		}
		if got := call("kubectl get pods"); got != c.silence {
			t.Errorf("%s says %q instead of nothing", name, got)
		}
		got := call("./deploy.sh")
		if !strings.HasPrefix(got, c.begins) || !strings.Contains(got, c.denies) || !json.Valid([]byte(got)) {
			t.Errorf("%s: %s", name, got)
		}
		if got := call("kubectl delete pod web"); !strings.HasPrefix(got, c.begins) {
			t.Errorf("without a cluster, %s says %s", name, got)
		}
		for _, bad := range []string{"", "{", "[]", `{"hook_event_name":"Stop"}`, strings.ReplaceAll(samples[name], `"COMMAND"`, "7"), strings.Repeat("x", longestCall+1)} {
			if got := answered(t, strings.NewReader(bad), "--for", name, "--within", "1m"); !strings.Contains(got, "can’t tell who would lose what") {
				t.Errorf("%s says %q about %.40q", name, got, bad)
			}
		}
	}
	if got := answered(t, strings.NewReader(strings.NewReplacer(`"Bash"`, `"Read"`, "COMMAND", "x").Replace(samples["claude-code"])), "--for", "claude-code"); got != "" {
		t.Error("another tool:", got)
	}
	if got := answered(t, strings.NewReader(strings.NewReplacer(`"Bash"`, `"PowerShell"`, "COMMAND", "ls").Replace(samples["claude-code"])), "--for", "claude-code", "--within", "1m"); !strings.Contains(got, `"ask"`) {
		t.Error("PowerShell:", got)
	}
	if got := answered(t, nil, "--formats"); strings.Count(got, "read on 20") != 3 {
		t.Error(got)
	}
}

func TestFormatsAreRead(t *testing.T) {
	all, err := formats()
	if err != nil || len(all) != len(samples) {
		t.Fatal(all, err)
	}
	for _, f := range all {
		if _, err := time.Parse(time.DateOnly, f.Read); err != nil || !strings.HasPrefix(f.Source, "https://") || samples[f.Name] == "" {
			t.Errorf("%+v", f)
		}
	}
}

// An assistant that never ends its call gets an answer.
func TestAnInputThatDoesNotEnd(t *testing.T) {
	in, _ := io.Pipe()
	if got := answered(t, in, "--for", "cursor", "--within", "50ms"); !strings.Contains(got, "did not respond within 50ms") || !strings.Contains(got, `"permission":"ask"`) {
		t.Error(got)
	}
}
