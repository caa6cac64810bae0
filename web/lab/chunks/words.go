package chunks

import (
	"fmt"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/words"
)

// sum says how much of the list has arrived.
func (m Model) sum() string {
	r := m.live.run
	n := words.Thousands(int64(r.Count()))
	switch r.Phase {
	case chunk.Asking:
		return fmt.Sprintf("%s so far. The next chunk is being fetched", n)
	case chunk.Whole:
		return fmt.Sprintf("%s in %s", objects(r.Count()), words.Count(int64(len(r.Steps)), "chunk", "chunks"))
	case chunk.Expired:
		return fmt.Sprintf("%s so far. The token has expired", n)
	case chunk.Refused:
		return "The API server refused the request"
	}
	switch left, known := r.Left(); {
	case len(r.Steps) == 0:
		return "No chunk has been requested yet"
	case known:
		return fmt.Sprintf("%s so far, %s left", n, words.Thousands(left))
	}
	return fmt.Sprintf("%s so far, and more", n)
}

// nextWords is what the button for the next request says.
func (m Model) nextWords() string {
	if len(m.live.run.Steps) == 0 {
		return "Request the first chunk"
	}
	return "Next chunk"
}

// remaining explains remainingItemCount, or why there is none.
func (m Model) remaining(s chunk.Step) string {
	switch {
	case s.Remaining != nil:
		return words.Thousands(*s.Remaining)
	case s.Token == "":
		return "Absent: this is the last chunk."
	case m.Target.Selects():
		return "Absent: with a selector, the API server doesn’t know how many objects match."
	}
	return "Absent: the API server doesn’t say how many."
}

// constancy says whether a chunk is of the version of those before it.
func constancy(n int, s chunk.Step) string {
	switch {
	case n == 0:
		return "the version of the list"
	case s.Apart:
		return "not the version of the chunk before"
	}
	return "the same version"
}

// reach names the first and the last object of a chunk.
func reach(items []chunk.Item) string {
	switch len(items) {
	case 0:
		return "none"
	case 1:
		return items[0].Key()
	}
	return items[0].Key() + " … " + items[len(items)-1].Key()
}

// body is the body of a response, with the number of objects in place of the objects.
func body(s shot) string {
	if s.step < 0 {
		return call.Laid(s.x.Kept)
	}
	return fmt.Sprintf("metadata: %s\nitems: … %s …", call.Laid(s.answer.Metadata), objects(len(s.answer.Items)))
}

// inside says what a decoded token contains.
func inside(token string) (facts []components.Fact, ok bool) {
	in, ok := chunk.Peek(token)
	if !ok {
		return nil, false
	}
	version := components.Fact{Name: "rv", Text: fmt.Sprint(in.Version), Mono: true, Hint: "The version of the list"}
	if in.Newest() {
		version.Hint = "The newest version, whichever that is"
	}
	return []components.Fact{{Name: "v", Text: in.Form, Mono: true, Hint: "The format of the token"}, version, {Name: "start", Text: fmt.Sprintf("%q", in.Start), Mono: true, Hint: "Where the next chunk begins: right after " + in.After()}}, true
}

// ended says how a watch came to its end; empty: it runs.
func (f follow) ended() string {
	switch {
	case f.runs():
		return ""
	case f.x.State == call.Canceled:
		return "Stopped."
	case f.wrong != nil:
		return "The watch ended with an error."
	case f.x.Status != 0 && !f.x.OK():
		return "The API server refused the watch."
	case f.x.State == call.CutOff:
		return "The connection broke."
	}
	return "The API server has ended the watch, as it does with every watch after some time."
}

// lesson says what the watch shows.
func (f follow) lesson() string {
	if f.seam {
		return "This list has chunks of two versions. The watch begins at the newer one, so it misses changes to objects of the older chunks. Only a new list is complete."
	}
	return "The watch begins right after the snapshot. It sends every later change as an event, in order, including the changes made while you requested the chunks. It misses nothing, and sends nothing twice."
}

// tones of events.
func tone(t watch.Type) components.Tone {
	return map[watch.Type]components.Tone{watch.Added: components.Good, watch.Modified: components.Busy, watch.Deleted: components.Warn, watch.Error: components.Bad}[t]
}

func fateTone(f chunk.Fate) components.Tone {
	return map[chunk.Fate]components.Tone{chunk.Born: components.Good, chunk.Changed: components.Busy, chunk.Gone: components.Warn}[f]
}

// ground says what the dots below the boxes are.
func (m Model) ground() string {
	switch f := m.live.follow; {
	case f.x.ID == "":
		return "The snapshot doesn’t show later changes. Watch from its version to see them."
	case f.runs():
		return "The green dots are objects that the watch reports as created after the snapshot."
	}
	return "The green dots are objects that the watch reported as created after the snapshot."
}

func (m Model) watchWords() string {
	if f := m.live.follow; f.x.ID != "" {
		return f.ended()
	}
	if m.live.run.Phase == chunk.Whole {
		return "The list is complete. A client that keeps a copy continues with this watch."
	}
	return "The watch can begin before the last chunk. Create or delete an object in another tab or with kubectl to see an event."
}

// unwatched says why a watch can't begin at a version.
func unwatched(no status.Status) components.Notice {
	n := call.RefusalOf(strconv.Itoa(no.Code)+": the watch can’t begin at this version", &no)
	n.Words = "The API server no longer has the changes since that version. List again, and watch from the new list’s version."
	return n
}
