// Package parameter explains the query parameters of API requests: which parameters a verb has, which values they can have, and what
// they do.
package parameter

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/lazy"
)

// Form is the type of a parameter's value.
type Form string

// The forms.
const (
	Text   Form = "text"
	Number Form = "number"
	Flag   Form = "flag"   // true or false
	Choice Form = "choice" // one of its Values
)

// Parameter is a query parameter of one verb.
type Parameter struct {
	Name    string
	Form    Form
	Values  []string // of a Choice: all allowed values
	Means   string   // its effect on this verb
	Example string
	Note    string // the release that introduced it, or its requirements
}

// For returns the parameters of a verb on a path, the most used first. media is the media type of the patch, or of the requested response.
func For(verb string, p apipath.Path, media string) []Parameter {
	if !p.IsResource() {
		return nonResource(p)
	}
	switch verb {
	case "get":
		return slices.Concat(reading(p), []Parameter{pretty})
	case "list":
		return slices.Concat(listing.Get(), tables(media), []Parameter{beginsWatch, pretty})
	case "watch":
		return slices.Concat(watching.Get(), tables(media), []Parameter{pretty})
	case "create":
		return slices.Concat(connecting(p, writing), []Parameter{pretty})
	case "update":
		return slices.Concat(writing, []Parameter{pretty})
	case "patch":
		return slices.Concat(writing, forced(media), []Parameter{pretty})
	case "delete":
		return slices.Concat(deleting, []Parameter{pretty})
	case "deletecollection":
		return slices.Concat(selecting.Get(), deleting, []Parameter{pretty})
	}
	return nil
}

var pretty = Parameter{Name: "pretty", Form: Flag, Means: "Formats the JSON over several lines. Without this parameter, the server checks the User-Agent, and formats the JSON for browsers and curl."}

var selectors = []Parameter{
	{Name: "labelSelector", Form: Text, Example: "app=web,tier in (a,b),!old", Means: "Only objects with matching labels. The server reads all objects to find them."},
	{Name: "fieldSelector", Form: Text, Example: "status.phase=Running", Means: "Only objects with matching fields. Every type supports metadata.name. Namespaced types also support metadata.namespace, and some types a few others."},
}

var listing = lazy.Value[[]Parameter]{Make: func() []Parameter {
	return slices.Concat([]Parameter{
		{Name: "limit", Form: Number, Example: "500", Means: "The maximum number of objects in the response. If there are more, the response has a token for continue. Servers may ignore the limit when they list from their cache."},
		{Name: "continue", Form: Text, Means: "The token of the previous chunk. The next chunk is from the same state of the collection. Keep all other parameters the same.", Note: "By default, a token is valid for five to ten minutes. After that, the status code is 410."},
	}, selectors, []Parameter{
		{Name: "resourceVersion", Form: Text, Example: "0", Means: "How new the data must be. Omitted: the newest state. 0: any state in the server’s cache. Another version: at least that version, unless resourceVersionMatch changes this."},
		{Name: "resourceVersionMatch", Form: Choice, Values: []string{"NotOlderThan", "Exact"}, Means: "The meaning of resourceVersion: that state or a newer one, or exactly that state.", Note: "This parameter needs a resourceVersion. Exact is not allowed with 0."},
		{Name: "timeoutSeconds", Form: Number, Example: "30", Means: "The time limit for the request."},
	})
}}

var beginsWatch = Parameter{Name: "watch", Form: Flag, Means: "Sends changes of the collection as they happen, one event per line, until the connection ends."}

var watching = lazy.Value[[]Parameter]{Make: func() []Parameter {
	return slices.Concat([]Parameter{
		{Name: "watch", Form: Flag, Means: "Turns the list into a watch: one event per line, until the connection ends."},
		{Name: "resourceVersion", Form: Text, Means: "The watch sends events after this version, usually the version of a list. Omitted or 0: the watch first sends an ADDED event for each object. If the version is too old, the response is 410 or an ERROR event."},
		{Name: "sendInitialEvents", Form: Flag, Means: "The stream starts with all existing objects. A bookmark with the annotation k8s.io/initial-events-end marks their end. So this is a list and a watch in one request.", Note: "On by default since 1.34. This parameter needs resourceVersionMatch=NotOlderThan, and allowWatchBookmarks for the bookmark."},
		{Name: "allowWatchBookmarks", Form: Flag, Means: "The server may send BOOKMARK events. They contain only a version from which you can resume. The server decides when it sends them."},
		{Name: "resourceVersionMatch", Form: Choice, Values: []string{"NotOlderThan"}, Means: "With sendInitialEvents: the initial state is at least as new as resourceVersion.", Note: "In a watch, this parameter is allowed only with sendInitialEvents."},
		{Name: "timeoutSeconds", Form: Number, Example: "60", Means: "The server ends the stream after this number of seconds. Without this parameter, it ends the stream after a random time between 30 and 60 minutes."},
	}, selectors)
}}

// tables returns the parameters that only Tables have.
func tables(media string) []Parameter {
	if media != "Table" {
		return nil
	}
	return []Parameter{{
		Name: "includeObject", Form: Choice, Values: []string{"None", "Metadata", "Object"},
		Means: "The content of each Table row in addition to the cells: nothing, the object’s metadata (the default), or the whole object.",
	}}
}

var writing = []Parameter{
	{Name: "dryRun", Form: Choice, Values: []string{"All"}, Means: "The server does everything except storing the object: defaults, admission and validation. The response shows the object that would be stored."},
	{Name: "fieldManager", Form: Text, Example: "fieldmark", Means: "The manager that managedFields records for the fields of this write. The default is the part of the User-Agent before the slash. Server-side apply requires this parameter.", Note: "At most 128 characters."},
	{Name: "fieldValidation", Form: Choice, Values: []string{"Ignore", "Warn", "Strict"}, Means: "How the server handles unknown and duplicate fields: it drops them, drops them with a Warning header, or refuses the request.", Note: "Warn is the default since 1.25."},
}

// forced returns the parameters that only server-side apply has.
func forced(media string) []Parameter {
	if media != "apply" {
		return nil
	}
	return []Parameter{{Name: "force", Form: Flag, Means: "In a conflict, your manager takes the fields from their owners. Without force, the status code is 409, and nothing is written."}}
}

var deleting = []Parameter{
	{Name: "dryRun", Form: Choice, Values: []string{"All"}, Means: "The server does everything except the deletion."},
	{Name: "propagationPolicy", Form: Choice, Values: []string{"Background", "Foreground", "Orphan"}, Means: "What happens to the dependents: they are deleted afterwards, deleted before the object, or left without an owner.", Note: "If the body has DeleteOptions, the server ignores the query."},
	{Name: "gracePeriodSeconds", Form: Number, Example: "30", Means: "The time that the object has to stop by itself. Only some types support it, for example pods. 0: the object is deleted from the API at once, even if its containers still run."},
	{Name: "orphanDependents", Form: Flag, Means: "The old form of propagationPolicy=Orphan. Don’t use both.", Note: "Deprecated since 1.7."},
	{Name: "ignoreStoreReadErrorWithClusterBreakingPotential", Form: Flag, Means: "Deletes an object that the server can’t read from etcd, for example because its encryption key is lost. The server ignores finalizers and preconditions, and nothing is cleaned up.", Note: "On by default since 1.37 (feature gate AllowUnsafeMalformedObjectDeletion, since 1.32). You also need permission for the verb unsafe-delete-ignore-read-errors."},
}

var selecting = lazy.Value[[]Parameter]{Make: func() []Parameter {
	return slices.Concat(selectors, []Parameter{
		{Name: "limit", Form: Number, Means: "The maximum number of objects to delete."},
		{Name: "resourceVersion", Form: Text, Means: "The state of the collection to use, as for a list."},
	})
}}

func reading(p apipath.Path) []Parameter {
	switch {
	case p.Subresource == "log":
		return logs
	case p.Connects():
		return connecting(p, nil)
	}
	return []Parameter{{Name: "resourceVersion", Form: Text, Example: "0", Means: "How new the data must be. Omitted: the newest state. 0: any state in the server’s cache. Another version: at least that version."}}
}

var logs = []Parameter{
	{Name: "container", Form: Text, Means: "The container of the log. Not needed for a pod with one container."},
	{Name: "follow", Form: Flag, Means: "The stream stays open and sends new lines."},
	{Name: "tailLines", Form: Number, Example: "100", Means: "Start this number of lines before the end."},
	{Name: "previous", Form: Flag, Means: "The log of the previous container, for example after a crash."},
	{Name: "sinceSeconds", Form: Number, Example: "600", Means: "Only lines from this number of seconds until now. Not allowed with sinceTime."},
	{Name: "sinceTime", Form: Text, Example: "2026-01-02T03:04:05Z", Means: "Only lines since this time."},
	{Name: "timestamps", Form: Flag, Means: "Each line starts with its time."},
	{Name: "limitBytes", Form: Number, Means: "The maximum number of bytes. The last line may be cut."},
	{Name: "stream", Form: Choice, Values: []string{"All", "Stdout", "Stderr"}, Means: "The output stream of the container.", Note: "Needs the feature gate PodLogsQuerySplitStreams. Not allowed with tailLines."},
	{Name: "insecureSkipTLSVerifyBackend", Form: Flag, Means: "The API server doesn’t check the certificate of the kubelet that sends the log, so the sender may be somebody else."},
}

var streams = []Parameter{
	{Name: "container", Form: Text, Means: "The container to use. Not needed for a pod with one container."},
	{Name: "stdin", Form: Flag, Means: "Sends your input to the container."},
	{Name: "stdout", Form: Flag, Means: "Receives the standard output."},
	{Name: "stderr", Form: Flag, Means: "Receives the error output. Not allowed with tty."},
	{Name: "tty", Form: Flag, Means: "Uses a terminal."},
}

// connecting returns the parameters of subresources that connect to a workload.
func connecting(p apipath.Path, otherwise []Parameter) []Parameter {
	switch p.Subresource {
	case "exec":
		return append([]Parameter{{Name: "command", Form: Text, Means: "The command to run. Repeat the parameter for each word. The request needs a connection upgrade, which this page doesn’t support."}}, streams...)
	case "attach":
		return streams
	case "portforward":
		return []Parameter{{Name: "ports", Form: Number, Means: "The ports to forward. The request needs a connection upgrade, which this page doesn’t support."}}
	case "proxy":
		return nil
	}
	return otherwise
}

// nonResource returns the parameters of paths that address no resources.
func nonResource(p apipath.Path) []Parameter {
	switch p.Rest {
	case "/healthz", "/livez", "/readyz":
		return []Parameter{
			{Name: "verbose", Form: Flag, Means: "Shows the result of each check."},
			{Name: "exclude", Form: Text, Example: "etcd", Means: "Skips a check."},
		}
	}
	if p.Kind == apipath.KindGroupList || p.Kind == apipath.KindDiscovery {
		return []Parameter{{Name: "timeout", Form: Text, Example: "32s", Means: "The time limit for the request."}}
	}
	return nil
}
