package kubectl

import (
	"strings"

	"github.com/spf13/pflag"
)

// verbs are the verbs without subcommands.
var verbs = map[string]Kind{
	"explain": Reads, "get": Reads, "describe": Reads, "logs": Reads, "top": Reads, "events": Reads, "diff": Reads, "wait": Reads, "kustomize": Reads,
	"api-resources": Reads, "api-versions": Reads, "version": Reads, "completion": Reads, "options": Reads, "help": Reads, "port-forward": Reads, "proxy": Reads,
	"fieldmark": Reads, "create": Creates, "expose": Creates,
	"replace": Writes, "patch": Writes, "delete": Writes, "scale": Writes, "label": Writes, "annotate": Writes,
	"edit": Unread, "run": Unread, "autoscale": Unread, "certificate": Unread, "cordon": Unread, "uncordon": Unread, "drain": Unread, "taint": Unread,
	"attach": Unread, "exec": Unread, "cp": Unread, "debug": Unread, "alpha": Unread, "kuberc": Steers,
}

// families are the verbs with subcommands. The empty subcommand is the verb itself.
var families = map[string]map[string]Kind{
	"apply":        {"": Writes, "view-last-applied": Reads, "edit-last-applied": Unread, "set-last-applied": Unread},
	"set":          {"image": Writes, "env": Unread, "resources": Unread, "selector": Unread, "serviceaccount": Unread, "subject": Unread},
	"rollout":      {"history": Reads, "status": Reads, "restart": Writes, "undo": Writes, "pause": Writes, "resume": Writes},
	"auth":         {"can-i": Reads, "whoami": Reads, "reconcile": Unread},
	"cluster-info": {"": Reads, "dump": Reads},
	"plugin":       {"list": Reads},
	"config": {
		"view": Reads, "current-context": Reads, "get-contexts": Reads, "get-clusters": Reads, "get-users": Reads,
		"use-context": Steers, "set-context": Steers, "set-cluster": Steers, "set-credentials": Steers, "set": Steers, "unset": Steers,
		"delete-context": Steers, "delete-cluster": Steers, "delete-user": Steers, "rename-context": Steers, "use": Steers,
	},
}

// Flags are written as kubectl's help has them: name,shorthand and a mark. "!" is a switch, "*" a list, "?" a value that may be left out.
const (
	output    = " output,o show-managed-fields! template allow-missing-template-keys!"
	files     = " filename,f* kustomize,k recursive,R!"
	selection = " selector,l all!"
	allVerbs  = "as as-group* as-uid as-user-extra* cache-dir certificate-authority client-certificate client-key cluster context disable-compression! " +
		"insecure-skip-tls-verify! kubeconfig kuberc log-flush-frequency match-server-version! namespace,n password profile profile-output proxy-url " +
		"request-timeout server,s tls-server-name token user username v,v vmodule warnings-as-errors!"
)

// flags are those of the verbs that are predicted.
var flags = map[string]string{
	"apply": "cascade? dry-run? field-manager force! force-conflicts! grace-period openapi-patch! overwrite! prune! prune-allowlist* server-side! subresource " +
		"timeout validate? wait!" + output + files + selection,
	"replace":         "cascade? dry-run? field-manager force! grace-period raw save-config! subresource timeout validate? wait!" + output + files,
	"patch":           "dry-run? field-manager local! patch,p patch-file subresource type" + output + files,
	"delete":          "all-namespaces,A! cascade? dry-run? field-selector force! grace-period ignore-not-found! interactive,i! now! raw timeout wait! output,o" + files + selection,
	"scale":           "current-replicas dry-run? replicas resource-version timeout" + output + files + selection,
	"label":           "all-namespaces,A! dry-run? field-manager field-selector list! local! overwrite! resource-version" + output + files + selection,
	"annotate":        "all-namespaces,A! dry-run? field-manager field-selector list! local! overwrite! resource-version" + output + files + selection,
	"set image":       "dry-run? field-manager local!" + output + files + selection,
	"rollout restart": "field-manager selector,l" + output + files,
	"rollout undo":    "dry-run? to-revision selector,l" + output + files,
	"rollout pause":   "field-manager selector,l" + output + files,
	"rollout resume":  "field-manager selector,l" + output + files,
}

// steering are flags that lead to another cluster or to other credentials than those of the person's kubeconfig.
var steering = []string{
	"kubeconfig", "kuberc", "server", "token", "as", "as-group", "as-uid", "as-user-extra", "username", "password", "certificate-authority",
	"client-certificate", "client-key", "insecure-skip-tls-verify", "tls-server-name", "proxy-url",
}

// global are the flags that may be before the verb, and whether the next word is their value.
var global = globals()

func globals() map[string]bool {
	all := map[string]bool{}
	for _, spec := range strings.Fields(allVerbs) {
		name, _, _ := strings.Cut(strings.TrimRight(spec, "*!"), ",")
		all[name] = !strings.HasSuffix(spec, "!")
	}
	return all
}

// unset is the value of a flag whose value is left out.
const unset = "unchanged"

// define adds flags to a set.
func define(f *pflag.FlagSet, specs string) {
	for _, spec := range strings.Fields(specs) {
		name, short, _ := strings.Cut(strings.TrimRight(spec, "*!?"), ",")
		switch spec[len(spec)-1] {
		case '!':
			f.BoolP(name, short, false, "")
		case '*':
			f.StringSliceP(name, short, nil, "")
		case '?':
			f.StringP(name, short, "", "")
			f.Lookup(name).NoOptDefVal = unset
		default:
			f.StringP(name, short, "", "")
		}
	}
}
