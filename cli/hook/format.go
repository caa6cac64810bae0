package hook

import (
	_ "embed" // formats.json
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/fieldmark/fieldmark/cli/output"
)

// format is how an assistant calls its hooks. Its documentation says so; formats.json has the date on which it was read.
type format struct {
	Name    string   `json:"name"`
	Product string   `json:"product"`
	Source  string   `json:"source"`
	Read    string   `json:"read"`
	Event   string   `json:"event"`  // before a command runs
	Tool    []string `json:"tool"`   // the path of the tool's name; empty: the event is for shells only
	Shells  []string `json:"shells"` // tools that run command lines
	Unread  []string `json:"unread"` // tools that run what Fieldmark can't read
	Command []string `json:"command"`
	Folder  []string `json:"folder"`
	// Asks tells that the assistant can ask its user. If it can't, an ask is sent as a denial: otherwise the command would run.
	Asks bool `json:"asks"`
	// Allows tells that the assistant knows the answer allow.
	Allows  bool   `json:"allows"`
	Answer  string `json:"answer"`
	Silence string `json:"silence"` // what says nothing
}

//go:embed formats.json
var formatsJSON []byte

// formats are the known formats.
func formats() ([]format, error) {
	var all []format
	if err := json.Unmarshal(formatsJSON, &all); err != nil {
		return nil, fmt.Errorf("reading the formats: %w", err)
	}
	return all, nil
}

// names are the names of the formats.
func names() []string {
	all, _ := formats() // a test reads them
	texts := make([]string, 0, len(all))
	for _, f := range all {
		texts = append(texts, f.Name)
	}
	return texts
}

// formatOf is the format with a name.
func formatOf(name string) (format, error) {
	all, err := formats()
	if err != nil {
		return format{}, err
	}
	i := slices.IndexFunc(all, func(f format) bool { return f.Name == name })
	if i < 0 {
		return format{}, fmt.Errorf("--for must be one of %v, not %q", names(), name)
	}
	return all[i], nil
}

// toolCall is what an assistant is about to run.
type toolCall struct {
	command, folder string
	other           bool // a tool that runs no command line
}

// readCall reads what the assistant sends. The error is a sentence for people.
func (f format) readCall(text []byte) (toolCall, error) {
	var sent map[string]any
	if err := json.Unmarshal(text, &sent); err != nil {
		return toolCall{}, fmt.Errorf("the input of the hook is no JSON as %s sends it", f.Product)
	}
	if event := textAt(sent, "hook_event_name"); event != f.Event {
		return toolCall{}, fmt.Errorf("the hook is for the event %s of %s, not %q", f.Event, f.Product, event)
	}
	if len(f.Tool) > 0 {
		switch tool := textAt(sent, f.Tool...); {
		case slices.Contains(f.Unread, tool):
			return toolCall{}, fmt.Errorf("Fieldmark can’t read commands of the tool %s", tool) //nolint:staticcheck // Fieldmark is a name
		case tool != "" && !slices.Contains(f.Shells, tool):
			return toolCall{other: true}, nil
		}
	}
	c := toolCall{command: textAt(sent, f.Command...), folder: textAt(sent, f.Folder...)}
	if c.command == "" {
		return toolCall{}, fmt.Errorf("the input of the hook has no command where %s puts it", f.Product)
	}
	return c, nil
}

// textAt is a text at a path of fields; empty: there is none.
func textAt(value any, path ...string) string {
	for _, name := range path {
		fields, _ := value.(map[string]any)
		value = fields[name]
	}
	text, _ := value.(string)
	return text
}

// The decisions. Silence leaves the decision to the assistant's own rules.
const (
	sayNothing = ""
	sayAllow   = "allow"
	sayAsk     = "ask"
	sayDeny    = "deny"
)

// write prints a decision as the assistant reads it.
func (f format) write(out io.Writer, decision, why string) error {
	switch {
	case decision == sayAsk && !f.Asks:
		decision, why = sayDeny, why+"\n\nAsk your user. "+f.Product+" can’t ask from a hook, so the command is denied here. The user can run it in a terminal."
	case decision == sayAllow && !f.Allows:
		return output.Compact(out, map[string]any{"systemMessage": why})
	case decision == sayNothing:
		_, err := io.WriteString(out, f.Silence)
		return err
	}
	if f.Answer == "permission" {
		return output.Compact(out, map[string]any{"permission": decision, "user_message": why, "agent_message": why})
	}
	return output.Compact(out, map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": f.Event, "permissionDecision": decision, "permissionDecisionReason": why,
	}})
}
