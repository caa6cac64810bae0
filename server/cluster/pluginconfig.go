package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// throughUs is the plugin's configuration, changed to run the plugin by this program (see PluginMain), which keeps in a file what the plugin says.
func (s settings) throughUs(plugin *clientcmdapi.ExecConfig, says string) *clientcmdapi.ExecConfig {
	wrapped := plugin.DeepCopy()
	wrapped.Command = s.executable
	wrapped.Args = slices.Concat([]string{PluginCommand, "--timeout", s.pluginTimeout.String(), "--says", says, "--parent", strconv.Itoa(os.Getpid()), "--", plugin.Command}, plugin.Args)
	wrapped.StdinUnavailable = true
	wrapped.StdinUnavailableMessage = "Fieldmark has no terminal for questions"
	return wrapped
}

// supportedPlugins are the API versions that client-go speaks with plugins.
var supportedPlugins = []string{"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}

func checkPlugin(plugin *clientcmdapi.ExecConfig) *Problem {
	switch {
	case plugin.Command == "":
		return &Problem{Text: "the user's credentials plugin has no command", Advice: "Set exec.command in the kubeconfig's user."}
	case !slices.Contains(supportedPlugins, plugin.APIVersion):
		return &Problem{
			Text:   fmt.Sprintf("the credentials plugin's apiVersion %q is not supported", plugin.APIVersion),
			Advice: "Set exec.apiVersion to client.authentication.k8s.io/v1. If the plugin doesn't support that version, update the plugin.",
		}
	case plugin.InteractiveMode == clientcmdapi.AlwaysExecInteractiveMode:
		return &Problem{
			Text:   fmt.Sprintf("the credentials plugin %q needs a terminal, which Fieldmark does not have", base(plugin)),
			Advice: "Set exec.interactiveMode to IfAvailable. Then log in with the plugin's own command before you use Fieldmark.",
		}
	}
	return checkInstalled(plugin)
}

// installPlugin is the advice if a credentials plugin is not installed.
const installPlugin = "Install the plugin, or add its folder to the PATH of Fieldmark."

// checkInstalled looks up the command in PATH. It can't tell if the kubeconfig gives the plugin its own PATH; then the error comes
// from running the plugin.
func checkInstalled(plugin *clientcmdapi.ExecConfig) *Problem {
	if slices.ContainsFunc(plugin.Env, func(v clientcmdapi.ExecEnvVar) bool { return v.Name == "PATH" }) {
		return nil
	}
	if _, err := exec.LookPath(plugin.Command); err == nil {
		return nil
	}
	return &Problem{
		Text:   fmt.Sprintf("the credentials plugin %q is not installed", plugin.Command),
		Advice: installPlugin,
		Hint:   plugin.InstallHint,
	}
}

func base(plugin *clientcmdapi.ExecConfig) string { return filepath.Base(plugin.Command) }
