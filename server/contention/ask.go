package contention

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// chunkSize is how many objects are listed at once.
const chunkSize = 250

// listFrom asks for a chunk: the first, or the one that token stands for.
func (f *follower) listFrom(token string) string {
	v := url.Values{"limit": {strconv.Itoa(chunkSize)}}
	if token != "" {
		v.Set("continue", token)
	}
	return f.ask(v)
}

// watchFrom asks for what happens after a version.
func (f *follower) watchFrom(version string) string {
	return f.ask(url.Values{
		"watch": {"1"}, "allowWatchBookmarks": {"true"}, "resourceVersion": {version},
		"timeoutSeconds": {seconds(f.scans.pace.minWatch)},
	})
}

// streamed asks for the whole state and for what happens after it. How long the state takes is not known before, so
// that whoever asks ends the watch.
func (f *follower) streamed() string {
	return f.ask(url.Values{
		"watch": {"1"}, "sendInitialEvents": {"true"}, "resourceVersionMatch": {"NotOlderThan"}, "allowWatchBookmarks": {"true"},
		"timeoutSeconds": {seconds(f.scans.pace.arrive)},
	})
}

func (f *follower) ask(v url.Values) string {
	namespace := ""
	if f.of.Namespaced {
		namespace = f.plan.Namespace
	}
	path := apipath.Collection(f.of.Group, f.of.Version, namespace, f.of.Resource).String()
	return strings.Join([]string{path, v.Encode()}, "?")
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) }
