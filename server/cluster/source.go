package cluster

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/fieldmark/fieldmark/server/upstream"
)

// source is where a context's credentials come from, if the kubeconfig doesn't have them itself. If it has, source is the zero value.
type source struct {
	// plugin is the credentials plugin's command, provider the auth provider's name; at most one is set.
	plugin, provider string
}

func sourceOf(config *rest.Config) source {
	var s source
	if config.ExecProvider != nil {
		s.plugin = config.ExecProvider.Command
	}
	if config.AuthProvider != nil {
		s.provider = config.AuthProvider.Name
	}
	return s
}

// failed tells whether a request that was already being sent failed because of the plugin: the TLS handshake may run
// the plugin for a client certificate.
func (s source) failed(err error) bool {
	return s.plugin != "" && strings.Contains(err.Error(), "exec: executable ")
}

// credentialsError describes the failure without any output of the plugin or provider.
func (s source) credentialsError(err error, c *Cluster) *upstream.CredentialsError {
	if s.provider != "" {
		return &upstream.CredentialsError{
			Text:   fmt.Sprintf("the auth provider %q gave no credentials", s.provider),
			Advice: "Log in again with the tool that wrote the kubeconfig. Auth providers are outdated; credentials plugins replace them.",
		}
	}
	_, code, _ := strings.Cut(err.Error(), "failed with exit code ")
	text, advice := exitWords(code, s.plugin, c)
	return &upstream.CredentialsError{Text: text, Advice: advice}
}

// exitWords says how a plugin ended, by the exit code of PluginMain that client-go reports. code is empty if the plugin ended without
// an error, but its output could not be used.
func exitWords(code, plugin string, c *Cluster) (text, advice string) {
	name := filepath.Base(plugin)
	try := fmt.Sprintf("Run kubectl --context %s version in a terminal to see what the plugin says.", strconv.Quote(c.name))
	switch n, _ := strconv.Atoi(code); n {
	case 0, exitNoJSON, exitTooMuch:
		return fmt.Sprintf("the output of the credentials plugin %q is not a credential", name), try
	case exitTimeout:
		return fmt.Sprintf("the credentials plugin %q did not finish within %s, so Fieldmark stopped it", name, c.settings.pluginTimeout),
			"The plugin may be waiting for a login. " + try
	case exitNotFound:
		return fmt.Sprintf("the credentials plugin %q is not installed", name), installPlugin
	case exitNotRun:
		return fmt.Sprintf("the credentials plugin %q can't be started", name), "Check that the plugin is an executable file for this machine."
	case exitUsage, exitCancelled:
		return fmt.Sprintf("the credentials plugin %q failed", name), try
	default:
		return fmt.Sprintf("the credentials plugin %q failed with exit code %d", name, n), try
	}
}
