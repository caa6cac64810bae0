package logs

import (
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
)

// source is the log of one container, as the page reads it. Copies of the model share it.
type source struct {
	n         int // its index among the sources of the page
	pod       podlog.Pod
	container podlog.Container
	gone      bool // the pod was deleted
	cut       bool // the server read fewer lines than chosen, because they are long

	x         call.Call
	reader    podlog.Reader
	seen      podlog.Seen
	pending   [][]byte  // parts of the body that aren't parsed yet
	waiting   int       // their bytes
	ended     bool      // the body has ended: what is pending is the last of it
	whole     bool      // it has ended with a whole line
	begun     bool      // a response has begun
	followed  bool      // the call stays open
	next      time.Time // when to read again
	failures  int       // calls without a complete response, one after the other
	no        *status.Status
	exhausted bool        // the log is read to its end, and doesn't grow
	told      podlog.Exit // the end of the container that a note tells
	gap       time.Time   // the time of a line before which others are missing; zero: none. A restart explains it
	gapAt     time.Time   // when the page found that, by the reader's clock
}

// The bounds of what is waiting to be parsed. A log that comes faster loses its oldest lines there, and a note says so.
const (
	maxWaiting  = 8 << 20
	keepWaiting = 4 << 20
)

// maxSources is how many logs a page reads at most.
const maxSources = 100

// sourcesOf are the containers whose logs are read.
func sourcesOf(pods []podlog.Pod, o Options) (all []*source) {
	for _, p := range pods {
		for _, c := range p.Containers {
			if (o.Container == "" || o.Container == c.Name) && len(all) < maxSources {
				all = append(all, &source{pod: p, container: c})
			}
		}
	}
	return all
}

// Readable are the containers that have a log to read.
func (m Model) Readable() iter.Seq2[podlog.Pod, podlog.Container] {
	return func(yield func(podlog.Pod, podlog.Container) bool) {
		for _, s := range sourcesOf(m.Found, m.Options) {
			if s.readable(m.Options) && !yield(s.pod, s.container) {
				return
			}
		}
	}
}

func (s *source) is(pod, container string) bool {
	return s.pod.Name == pod && s.container.Name == container
}

// readable tells whether the API server has a log.
func (s *source) readable(o Options) bool {
	if s.gone {
		return false
	}
	if o.Previous {
		return s.container.Before != nil || s.container.Restarts > 0
	}
	return s.container.Started()
}

// finished tells whether the log doesn't grow any more.
func (s *source) finished(o Options) bool { return o.Previous || s.container.Running.IsZero() }

// Path is the API path of a container's log, with the parameters for its first lines.
func Path(pod podlog.Pod, container string, o Options, tail int) (path string, query url.Values) {
	p := apipath.SubresourceOf(apipath.Object("", "v1", pod.Namespace, "pods", pod.Name), "log")
	query = url.Values{"container": {container}, "timestamps": {"true"}}
	if o.Previous {
		query.Set("previous", "true")
	}
	switch {
	case !o.Line.Time.IsZero():
		query.Set("sinceTime", o.Line.Time.UTC().Truncate(time.Second).Format(time.RFC3339))
		return p.String(), query
	case o.Since > 0:
		query.Set("sinceSeconds", strconv.Itoa(int(o.Since.Seconds())))
	}
	query.Set("tailLines", strconv.Itoa(tail))
	return p.String(), query
}

// call is the request for the lines that the page doesn't have.
func (s *source) call(cluster string, o Options, follow bool) call.Call {
	path, query := Path(s.pod, s.container.Name, o, o.tail())
	if since := s.seen.Since(); !since.IsZero() {
		query.Del("tailLines")
		query.Del("sinceSeconds")
		query.Set("sinceTime", since.UTC().Format(time.RFC3339))
	}
	if follow {
		query.Set("follow", "true")
	}
	x := call.New(cluster, "GET", path+"?"+query.Encode(), "", nil)
	x.Header[0].Value = "*/*"
	x.ID, x.Coding = "log/"+strconv.Itoa(s.n), "identity"
	return x
}

// state is what the source does, or why it has no lines, in words.
func (s *source) state(o Options, now time.Time) (components.Tone, string) {
	c := s.container
	switch {
	case s.gone:
		return components.Calm, "pod deleted"
	case s.no != nil:
		return components.Bad, refused(s.no)
	case s.pod.Node == "" && s.pod.Why != "":
		return components.Warn, "not scheduled: " + s.pod.Why
	case s.pod.Node == "" && !c.Started():
		return components.Busy, "not scheduled yet"
	case s.pod.Why != "" && c.Waiting == "" && !c.Started():
		return components.Bad, "never started: " + s.pod.Why
	case o.Previous && !s.readable(o):
		return components.Calm, "no previous run: the container never restarted"
	case o.Previous:
		return components.Calm, "previous run" + exitWords(c.Before)
	case c.Waiting != "":
		return s.waits()
	case c.Ended != nil:
		return toneOf(*c.Ended), "ended: " + c.Ended.String()
	case c.Running.IsZero():
		return components.Busy, "not started yet"
	}
	return s.reading(o, now)
}

// waits says why a container doesn't run.
func (s *source) waits() (components.Tone, string) {
	c := s.container
	words := "waiting: " + c.Waiting
	if c.Message != "" {
		words += ": " + c.Message
	}
	tone := components.Bad
	switch c.Waiting {
	case "ContainerCreating":
		tone = components.Busy
	case "PodInitializing":
		tone, words = components.Busy, "waiting for the init containers"
		for _, other := range s.pod.Containers {
			if other.Sort == podlog.Init && (other.Ended == nil || other.Ended.Code != 0) {
				words = "waiting for the init container " + other.Name
				break
			}
		}
	case "CrashLoopBackOff":
		words = "crashes and waits to start again" + exitWords(c.Before)
	}
	return tone, words
}

func exitWords(e *podlog.Exit) string {
	if e == nil {
		return ""
	}
	return ", last " + e.String()
}

func toneOf(e podlog.Exit) components.Tone {
	if e.Code == 0 && e.Signal == 0 {
		return components.Calm
	}
	return components.Bad
}

// reading is what is read of a container that runs.
func (s *source) reading(o Options, now time.Time) (components.Tone, string) {
	switch {
	case o.Still:
		return components.Calm, "running, not followed"
	case s.failures > 0 && s.next.After(now):
		return components.Warn, "the stream broke, reading again in " + strconv.Itoa(int(s.next.Sub(now).Seconds())+1) + " s"
	case s.failures > 0:
		return components.Warn, "the stream broke, reading again"
	case !s.begun:
		return components.Busy, "running"
	}
	return components.Good, "running"
}

// refused says in a few words why the API server refuses a log.
func refused(no *status.Status) string {
	if d, ok := no.Denied(); ok && no.Is(status.Forbidden) && d.Verb != "" {
		return "no permission to " + d.Verb + " pods/log"
	}
	return components.Sentence(no.Message)
}
