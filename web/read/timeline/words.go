package timeline

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/words"
)

// facts say how much the shown recording has.
func (t *Tab) facts() string {
	s := t.sheet()
	all := []string{words.Count(int64(s.rec.Last()), "version", "versions")}
	if n := s.rec.Rewrites(); n > 0 {
		all = append(all, fmt.Sprintf("%d of them changed nothing", n))
	}
	if n := s.rec.Dropped(); n > 0 {
		all = append(all, words.Count(int64(n), "older version deleted", "older versions deleted"))
	}
	return strings.Join(append(all, components.Bytes(int64(s.rec.Bytes()))), " · ")
}

// standing says what is recorded, since when, and until when.
func (t *Tab) standing() string {
	s := t.sheet()
	switch {
	case s.paused && s.waiting() > 0:
		return words.Count(int64(s.waiting()), "new version waits until you continue", "new versions wait until you continue")
	case s.paused:
		return "paused. New versions are still recorded"
	case s.waiting() > 0 && t.over:
		return words.Count(int64(s.waiting()), "new version held back while you point", "new versions held back while you point")
	default:
		return "since " + clock(t.began, t.now)
	}
}

// lasting says how long a recording lasts.
const lasting = "The page records in every view, until you leave the page."

func (t *Tab) pauseButton() components.Button {
	if t.sheet().paused {
		return components.Button{Words: "Continue", Do: doPause, Hint: "Show the new versions"}
	}
	return components.Button{Words: "Pause", Do: doPause, Hint: "Don’t show new versions. They are still recorded and counted."}
}

// replayWords say which file is replayed.
func (t *Tab) replayWords() string {
	r := t.replay
	return fmt.Sprintf("Replaying %s: %s of cluster %s, written %s. A replay sends no requests.",
		components.Visible(r.name), components.Visible(r.from.Path), components.Visible(r.from.Cluster), clock(r.from.Written, t.now))
}

// meanwhile says that the page still records its own object while a file is replayed.
func (t *Tab) meanwhile() string {
	return fmt.Sprintf("The page still records its own object (%s).", words.Count(int64(t.live.rec.Last()), "version", "versions"))
}

// positionText is the number of the selected version, and of the newest.
func (s *sheet) positionText() string {
	return fmt.Sprintf("%d of %d", s.current(), s.newest())
}

// spoken is the text of the slider for screen readers.
func (s showing) spoken() string {
	v, _ := s.rec.Find(s.current())
	words, _ := s.changeText(v)
	names := make([]string, 0, 2)
	for _, w := range v.Writers() {
		names = append(names, components.Visible(w.Name))
	}
	text := fmt.Sprintf("version %s, %s, %s", s.positionText(), clock(v.Step.Seen, s.now), words)
	if len(names) > 0 {
		text += ", by " + strings.Join(names, " and ")
	}
	return text
}

// pinText is the text in the field for the version to compare with.
func (s *sheet) pinText() string {
	if s.against == 0 {
		return ""
	}
	return fmt.Sprint(s.against)
}

func (s *sheet) pinButton() components.Button {
	if s.against != 0 {
		return components.Button{Words: "Compare with the previous version", Do: doPin, Hint: "Compare each version with the version before it"}
	}
	return components.Button{Words: "Compare with this version", Do: doPin, Hint: "Compare all versions with this one"}
}

func (s *sheet) foldButton() components.Button {
	return components.Button{Words: "Only differences", Do: doFold, Pressed: s.folded, Hint: "Hide equal lines"}
}

func (s *sheet) resourceVersion() string {
	v, _ := s.rec.Find(s.current())
	return v.Step.ResourceVersion
}

// broken says why the page may miss versions now; empty if it doesn't, or if a file is replayed.
func (t *Tab) broken(about About) string {
	if t.replay != nil {
		return ""
	}
	return about.Broken
}

func (t *Tab) title() string {
	if t.live.paused {
		return "Paused"
	}
	return "Recording"
}

func (t *Tab) tone() components.Tone {
	if t.live.paused {
		return components.Busy
	}
	return components.Good
}
