package promises

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"sigs.k8s.io/yaml"
)

// copied is a block of docs/assistants.md that people copy.
type copied struct{ language, text string }

var fences = regexp.MustCompile("(?s)\n```(\\w+)\n(.*?)\n```")

func copiedBlocks(t *testing.T) (all []copied) {
	t.Helper()
	text, err := os.ReadFile("../docs/assistants.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range fences.FindAllStringSubmatch(string(text), -1) {
		all = append(all, copied{found[1], found[2]})
	}
	return all
}

// configured is a server in a configuration: a command, or an address.
type configured struct {
	Command, URL string
	Args         []string
	Headers      map[string]string
	Variable     string `toml:"bearer_token_env_var"`
}

// servers are the servers that a block configures, by the format of each product.
func (c copied) servers(t *testing.T) (all []configured) {
	t.Helper()
	var of struct {
		Claude map[string]configured `json:"mcpServers"`
		VSCode map[string]configured `json:"servers"`
		Codex  map[string]configured `toml:"mcp_servers"`
		Spec   struct {
			Description, Protocol, URL string
			HeadersFrom                []struct {
				Name      string
				ValueFrom struct{ Type, Name, Key string }
			} `json:"headersFrom"`
		} `json:"spec"`
	}
	var err error
	switch c.language {
	case "sh":
		_, command, ok := strings.Cut(c.text, " -- ")
		if words := strings.Fields(command); ok {
			return []configured{{Command: words[0], Args: words[1:]}}
		}
	case "json":
		err = json.Unmarshal([]byte(c.text), &of)
	case "toml":
		_, err = toml.Decode(c.text, &of)
	case "yaml":
		err = yaml.UnmarshalStrict([]byte(c.text), &struct {
			APIVersion, Kind string
			Metadata         struct{ Name, Namespace string }
			Spec             any
		}{})
		if err == nil {
			err = yaml.Unmarshal([]byte(c.text), &of)
		}
		if s := of.Spec; err != nil || s.Description == "" || s.Protocol != "STREAMABLE_HTTP" || len(s.HeadersFrom) != 1 || s.HeadersFrom[0].ValueFrom.Type != "Secret" || s.HeadersFrom[0].ValueFrom.Key == "" {
			t.Fatalf("kagent would refuse %s: %v", c.text, err)
		}
		return []configured{{URL: of.Spec.URL, Headers: map[string]string{of.Spec.HeadersFrom[0].Name: "Bearer "}}}
	}
	if err != nil {
		t.Fatalf("%v: %s", err, c.text)
	}
	for _, each := range []map[string]configured{of.Claude, of.VSCode, of.Codex} {
		for _, one := range each {
			all = append(all, one)
		}
	}
	return all
}

// TestConfigurationsHaveADate: each product's section says where its format stands, and when that was read.
func TestConfigurationsHaveADate(t *testing.T) {
	text, err := os.ReadFile("../docs/assistants.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, product := range []string{"Claude Code", "Cursor", "VS Code", "Codex", "kagent"} {
		_, section, found := strings.Cut(string(text), "\n## "+product+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		date := read.FindStringSubmatch(section)
		if !found || date == nil || !strings.Contains(section, "](https://") {
			t.Errorf("%s has no address and no date of its format", product)
			continue
		}
		if _, err := time.Parse(time.DateOnly, date[1]); err != nil {
			t.Error(product, err)
		}
	}
}

var read = regexp.MustCompile(`read on\s+(\d{4}-\d\d-\d\d)`)

// TestConfigurationsThatPeopleCopy starts each command of docs/assistants.md, and connects to each address.
func TestConfigurationsThatPeopleCopy(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	f := startFieldmark(t, kubeconfig, t.TempDir()+"/kubeconfig")
	token := f.programToken(t)
	commands, addresses := 0, 0
	for _, block := range copiedBlocks(t) {
		servers := block.servers(t)
		if len(servers) != 1 {
			t.Errorf("%d servers in %s", len(servers), block.text)
			continue
		}
		one := servers[0]
		switch {
		case one.Command == "fieldmark":
			commands++
			command := exec.CommandContext(context.WithoutCancel(t.Context()), fieldmarkProgram(t), one.Args...)
			command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
			s := speak(t, command)
			s.begin(t, "2025-06-18")
			if text, failed := s.tool(t, "clusters", `{}`); failed || !strings.Contains(text, "practice") {
				t.Errorf("%s: %s", block.text, text)
			}
		case one.URL != "":
			addresses++
			f.connects(t, one, token)
		default:
			t.Errorf("no server in %s", block.text)
		}
	}
	if commands != 5 || addresses != 5 {
		t.Errorf("%d commands and %d addresses", commands, addresses)
	}
}

// connects follows a configuration with an address: the path, and the header.
func (f *fieldmark) connects(t *testing.T, one configured, token string) {
	t.Helper()
	u, err := url.Parse(one.URL)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(one.Headers["Authorization"], "Bearer ") && one.Variable == "" {
		t.Errorf("%+v sends no token", one)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "promises", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: f.origin(t) + u.Path, HTTPClient: &http.Client{Transport: bearing{token}}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatalf("%s: %v", one.URL, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}
