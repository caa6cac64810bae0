package upgrade

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/removal"
	"github.com/fieldmark/fieldmark/kube/request"
)

// The ways out that only an upgrade has. check has the others.
const (
	WayServe   = "serve"   // put a version back into a definition
	WayRewrite = "rewrite" // change the version of an entry, so that the manager stays the owner
	WayClear   = "clear"   // remove an entry, so that the manager owns nothing
	WayStore   = "store"   // store all objects in the version of today
	WayLook    = "look"    // find out more
)

// wayTitles name the ways for people.
var wayTitles = map[string]string{
	check.WayCorrect: "Correct what the manager sends", WayServe: "Put the version back into the definition", WayRewrite: "Change the version of the entry",
	WayClear: "Remove the entry", WayStore: "Store all objects again", WayLook: "Find out more",
}

// WayTitle names a way for people.
func WayTitle(w check.Way) string { return cmp.Or(wayTitles[w.Way], w.Way) }

// correct is the way of changing the version in manifests or programs.
func correct(w written, to, kind string) []check.Way {
	if to == "" {
		return nil
	}
	to, other, _ := strings.Cut(to, " ")
	text := fmt.Sprintf("# In all that %s sends: use apiVersion: %s instead of %s.\n", plain.Text(w.name), to, plain.Text(w.APIVersion))
	if other != "" && other != kind {
		text += "# The kind is then " + other + ".\n"
	}
	if kind != "" {
		text += "# Some fields have other names there: " + removal.Guide + "\n"
	}
	if w.Operation == manager.Apply {
		text += "# Apply again. The entry then has the new version.\n"
	}
	return []check.Way{{Way: check.WayCorrect, Text: text}}
}

// inAudit says how to find a client in the audit log.
func inAudit(r Request) []check.Way {
	return []check.Way{{Way: WayLook, Text: fmt.Sprintf("# In the audit log of the API servers:\n"+
		`jq -r 'select(.annotations["k8s.io/deprecated"] == "true" and .objectRef.resource == %s and .objectRef.apiVersion == %s) | [.user.username, .userAgent, .verb] | @tsv' audit.log | sort | uniq -c`+"\n",
		inQuotes(r.Resource), inQuotes(r.Version))}}
}

// inQuotes is a text as a string of jq in the quotes of a shell.
func inQuotes(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return strings.ReplaceAll(string(b), "'", `\u0027`)
}

func looking(command, name string) []check.Way {
	return []check.Way{{Way: WayLook, Text: command + request.Quote(name) + "\n"}}
}

// operation is one of a JSON Patch.
type operation = map[string]any

// patchWay is a JSON Patch of an object as a way that can be tried.
func patchWay(way, note, resource, namespace, name string, operations []operation) check.Way {
	body, err := json.Marshal(operations)
	if err != nil {
		return check.Way{} // it is made of texts
	}
	command := "kubectl patch " + request.Named(resource, name)
	if namespace != "" {
		command += " -n " + request.Quote(namespace)
	}
	return check.Way{
		Way: way, Text: note + command + " --type=json -p " + request.Quote(string(body)) + "\n",
		NotTried: true, Trial: &check.Trial{Method: "PATCH", ContentType: patch.JSONPatchType, Query: url.Values{}, Body: body},
	}
}

// definitions is the resource of CustomResourceDefinitions, as kubectl takes it.
const definitions = "customresourcedefinitions.apiextensions.k8s.io"

// wayBack puts a version back into a definition. It need not be served: an apply only needs to find it in the list. There is none if a webhook
// converts, because the webhook would have to know the version, too.
func (d Definition) wayBack(apiVersion string) []check.Way {
	group, version := discovery.SplitGroupVersion(apiVersion)
	storage, at := d.Storage()
	if at < 0 || group != d.Group || d.Converted {
		return nil
	}
	from, to := fmt.Sprintf("/spec/versions/%d", at), fmt.Sprintf("/spec/versions/%d", len(d.Versions))
	note := fmt.Sprintf("# The version gets the schema of %s. It isn’t served, which is enough for applies. Set served to true if clients still need it.\n", plain.Text(storage))
	return []check.Way{patchWay(WayServe, note, definitions, "", d.Name, []operation{
		{"op": "test", "path": from + "/name", "value": storage},
		{"op": "copy", "from": from, "path": "/spec/versions/-"},
		{"op": "replace", "path": to + "/name", "value": version},
		{"op": "replace", "path": to + "/served", "value": false},
		{"op": "replace", "path": to + "/storage", "value": false},
	})}
}

// restore are the ways to store all objects of a type again.
func (f Facts) restore(d Definition, storage string) []check.Way {
	if t, served := f.Catalog.Type("storagemigration.k8s.io", "", "storageversionmigrations"); served && t.Version == "v1" { // earlier versions don't correct the status
		return []check.Way{{Way: WayStore, Text: fmt.Sprintf("# Kubernetes stores all objects again, and then corrects status.storedVersions.\n"+
			"kubectl create -f - <<'EOF'\napiVersion: %s\nkind: %s\nmetadata:\n  generateName: %s-\nspec:\n  resource:\n    group: %s\n    resource: %s\nEOF\n",
			t.GroupVersion(), t.Kind, plain.Text(d.Resource), plain.Text(d.Group), plain.Text(d.Resource))}}
	}
	mark := fmt.Sprintf("kubectl patch %s --subresource=status --type=merge -p %s\n", request.Named(definitions, d.Name),
		request.Quote(`{"status":{"storedVersions":[`+quoted(storage)+`]}}`))
	return []check.Way{{Way: WayStore, Text: fmt.Sprintf("# Write each object without a change. Then say that no other version is stored.\n"+
		"kubectl get %s -A -o json | kubectl replace -f -\n%s", request.Quote(d.Resource+"."+storage+"."+d.Group), mark)}}
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}
