// Package parameter explains the query parameters of API requests: which parameters a verb has, which values they can have, and what
// they do.
package parameter

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Form is how a parameter is written.
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
	Values  []string // of a Choice: all that are allowed
	Means   string   // what it does to this verb
	Example string
	Note    string // since when it is there, or what it needs
}

// For are the parameters of a verb on a path, the most used first; media is the patch's media type, or the one asked for in an answer.
func For(verb string, p apipath.Path, media string) []Parameter {
	if !p.IsResource() {
		return nonResource(p)
	}
	switch verb {
	case "get":
		return slices.Concat(reading(p), []Parameter{pretty})
	case "list":
		return slices.Concat(listing, tables(media), []Parameter{beginsWatch, pretty})
	case "watch":
		return slices.Concat(watching, tables(media), []Parameter{pretty})
	case "create":
		return slices.Concat(connecting(p, writing), []Parameter{pretty})
	case "update":
		return slices.Concat(writing, []Parameter{pretty})
	case "patch":
		return slices.Concat(writing, forced(media), []Parameter{pretty})
	case "delete":
		return slices.Concat(deleting, []Parameter{pretty})
	case "deletecollection":
		return slices.Concat(selecting, deleting, []Parameter{pretty})
	}
	return nil
}

var pretty = Parameter{Name: "pretty", Form: Flag, Means: "JSON over several lines, for people. Without it the server looks at the User-Agent: browsers and curl get it pretty, too."}

var selectors = []Parameter{
	{Name: "labelSelector", Form: Text, Example: "app=web,tier in (a,b),!old", Means: "Only objects whose labels match. The server reads all of them to find those."},
	{Name: "fieldSelector", Form: Text, Example: "status.phase=Running", Means: "Only objects whose fields match: metadata.name and metadata.namespace of every type, and the few others that a type offers."},
}

var listing = slices.Concat([]Parameter{
	{Name: "limit", Form: Number, Example: "500", Means: "At most so many objects in the answer; where there are more, it holds a token for continue. Servers may ignore it while they list from their cache."},
	{Name: "continue", Form: Text, Means: "The token of the chunk before: go on behind it, in the same state of the collection. Everything else has to stay as it was.", Note: "It lives for about five minutes; then the answer is 410."},
}, selectors, []Parameter{
	{Name: "resourceVersion", Form: Text, Example: "0", Means: "How current the answer has to be. Left out: the newest state there is. 0: any state that the server has in its cache. Another: at least that one, unless resourceVersionMatch says otherwise."},
	{Name: "resourceVersionMatch", Form: Choice, Values: []string{"NotOlderThan", "Exact"}, Means: "How resourceVersion is meant: that state or a newer one, or that very state.", Note: "It needs a resourceVersion; Exact can’t be with 0."},
	{Name: "timeoutSeconds", Form: Number, Example: "30", Means: "How long the server may take for it."},
})

var beginsWatch = Parameter{Name: "watch", Form: Flag, Means: "Instead of the collection, its changes as they happen: one event a line, until the connection ends."}

var watching = slices.Concat([]Parameter{
	{Name: "watch", Form: Flag, Means: "It makes a watch of a list: one event a line, until the connection ends."},
	{Name: "resourceVersion", Form: Text, Means: "The version after which events are told; usually that of a list. Left out, or 0: first an ADDED event for each object there is. One that is too old is answered with 410, or an ERROR event."},
	{Name: "sendInitialEvents", Form: Flag, Means: "The stream begins with all objects there are, and a bookmark with the annotation k8s.io/initial-events-end tells where that ends: list and watch in one.", Note: "On by default since 1.34. It needs resourceVersionMatch=NotOlderThan, and allowWatchBookmarks for the bookmark."},
	{Name: "allowWatchBookmarks", Form: Flag, Means: "The server may send BOOKMARK events, which hold a version to resume from and nothing else. When it does is up to the server."},
	{Name: "resourceVersionMatch", Form: Choice, Values: []string{"NotOlderThan"}, Means: "With sendInitialEvents: the initial state is at least as new as resourceVersion.", Note: "A watch takes it together with sendInitialEvents only."},
	{Name: "timeoutSeconds", Form: Number, Example: "60", Means: "After so many seconds the server ends the stream, whatever happens. Without it, after a time of its own choice of 30 to 60 minutes."},
}, selectors)

// tables is what only Tables have.
func tables(media string) []Parameter {
	if media != "Table" {
		return nil
	}
	return []Parameter{{
		Name: "includeObject", Form: Choice, Values: []string{"None", "Metadata", "Object"},
		Means: "What stands in a Table’s rows beside the cells: nothing, the object’s metadata (which is usual), or all of it.",
	}}
}

var writing = []Parameter{
	{Name: "dryRun", Form: Choice, Values: []string{"All"}, Means: "Everything is done but to store it: defaults, admission, validation, and the answer is what would be stored."},
	{Name: "fieldManager", Form: Text, Example: "fieldmark", Means: "The name under which managedFields records what this write sets. Without it: what stands before the slash in the User-Agent. Server-side apply demands it.", Note: "At most 128 characters."},
	{Name: "fieldValidation", Form: Choice, Values: []string{"Ignore", "Warn", "Strict"}, Means: "What becomes of fields that the type doesn’t have, and of those given twice: dropped without a word, dropped with a Warning header, or the request is refused.", Note: "Warn is usual since 1.25."},
}

// forced is what only server-side apply has.
func forced(media string) []Parameter {
	if media != "apply" {
		return nil
	}
	return []Parameter{{Name: "force", Form: Flag, Means: "On a conflict, the fields are taken from the managers that own them. Without it the answer is 409, and nothing is written."}}
}

var deleting = []Parameter{
	{Name: "dryRun", Form: Choice, Values: []string{"All"}, Means: "Everything is done but to delete."},
	{Name: "propagationPolicy", Form: Choice, Values: []string{"Background", "Foreground", "Orphan"}, Means: "What becomes of the objects that this one owns: deleted afterwards, deleted before it, or left without an owner.", Note: "With a body that holds DeleteOptions, the query doesn’t count."},
	{Name: "gracePeriodSeconds", Form: Number, Example: "30", Means: "How long it has to end by itself, of types that know that, as pods do. 0: it is gone from the API at once, whether or not anything still runs."},
	{Name: "orphanDependents", Form: Flag, Means: "What propagationPolicy=Orphan was called before. Not both.", Note: "Deprecated since 1.7."},
	{Name: "ignoreStoreReadErrorWithClusterBreakingPotential", Form: Flag, Means: "Delete an object that can’t be read from etcd any more, as when the key is lost that it was encrypted with. Finalizers and preconditions don’t count, and nothing is cleaned up.", Note: "On by default since 1.37 (feature gate AllowUnsafeMalformedObjectDeletion, since 1.32). It takes the verb unsafe-delete-ignore-read-errors besides."},
}

var selecting = slices.Concat(selectors, []Parameter{
	{Name: "limit", Form: Number, Means: "Delete at most so many."},
	{Name: "resourceVersion", Form: Text, Means: "Which state of the collection counts, as with a list."},
})

func reading(p apipath.Path) []Parameter {
	switch {
	case p.Subresource == "log":
		return logs
	case p.Connects():
		return connecting(p, nil)
	}
	return []Parameter{{Name: "resourceVersion", Form: Text, Example: "0", Means: "How current the answer has to be. Left out: the newest state there is. 0: whatever the server has in its cache. Another: at least that one."}}
}

var logs = []Parameter{
	{Name: "container", Form: Text, Means: "Whose log. A pod with one container needs none."},
	{Name: "follow", Form: Flag, Means: "The stream stays open, and tells what is written from now on."},
	{Name: "tailLines", Form: Number, Example: "100", Means: "Begin so many lines before the end."},
	{Name: "previous", Form: Flag, Means: "The log of the container that ran before this one, as of one that crashed."},
	{Name: "sinceSeconds", Form: Number, Example: "600", Means: "Only what was written within so many seconds. Not together with sinceTime."},
	{Name: "sinceTime", Form: Text, Example: "2026-01-02T03:04:05Z", Means: "Only what was written since then."},
	{Name: "timestamps", Form: Flag, Means: "Each line begins with the time at which it was written."},
	{Name: "limitBytes", Form: Number, Means: "At most so many bytes; the last line may be cut."},
	{Name: "stream", Form: Choice, Values: []string{"All", "Stdout", "Stderr"}, Means: "Which of the container’s outputs.", Note: "Behind the feature gate PodLogsQuerySplitStreams; not together with tailLines."},
	{Name: "insecureSkipTLSVerifyBackend", Form: Flag, Means: "The API server doesn’t check the certificate of the kubelet that it gets the log from: it may be somebody else’s."},
}

var streams = []Parameter{
	{Name: "container", Form: Text, Means: "In which container. A pod with one needs none."},
	{Name: "stdin", Form: Flag, Means: "Pass on what is typed."},
	{Name: "stdout", Form: Flag, Means: "Pass on what is written."},
	{Name: "stderr", Form: Flag, Means: "Pass on errors, too; not with tty."},
	{Name: "tty", Form: Flag, Means: "With a terminal."},
}

// connecting are the parameters of what opens a way into a workload.
func connecting(p apipath.Path, otherwise []Parameter) []Parameter {
	switch p.Subresource {
	case "exec":
		return append([]Parameter{{Name: "command", Form: Text, Means: "What to run: a word each, given as often as it takes. The connection has to be upgraded, which this page can’t."}}, streams...)
	case "attach":
		return streams
	case "portforward":
		return []Parameter{{Name: "ports", Form: Number, Means: "Which ports. The connection has to be upgraded, which this page can’t."}}
	case "proxy":
		return nil
	}
	return otherwise
}

// nonResource are the parameters of paths that are no resources.
func nonResource(p apipath.Path) []Parameter {
	switch p.Rest {
	case "/healthz", "/livez", "/readyz":
		return []Parameter{
			{Name: "verbose", Form: Flag, Means: "Every check by itself, whether or not it passes."},
			{Name: "exclude", Form: Text, Example: "etcd", Means: "Leave a check out."},
		}
	}
	if p.Kind == apipath.KindGroupList || p.Kind == apipath.KindDiscovery {
		return []Parameter{{Name: "timeout", Form: Text, Example: "32s", Means: "How long the server may take for it."}}
	}
	return nil
}
