package components

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/lazy"
)

// Tone is the tone of a word. It selects a mark and a color. Mark and color support the word and never replace it.
type Tone string

// The tones.
const (
	Calm Tone = ""
	Good Tone = "good"
	Busy Tone = "busy"
	Warn Tone = "warn"
	Bad  Tone = "bad"
)

// toned are the columns with the states of objects.
var toned = map[string]bool{"status": true, "phase": true, "state": true, "conditions": true}

var tones = lazy.Value[map[string]Tone]{Make: func() map[string]Tone {
	return map[string]Tone{
		"running": Good, "active": Good, "bound": Good, "ready": Good, "available": Good, "complete": Good,
		"completed": Good, "succeeded": Good, "healthy": Good, "approved": Good, "established": Good,
		"pending": Busy, "containercreating": Busy, "podinitializing": Busy, "terminating": Busy, "released": Busy,
		"progressing": Busy, "schedulinggated": Busy, "waiting": Busy, "suspended": Busy,
		"unknown": Warn, "degraded": Warn, "notready": Bad, "failed": Bad, "error": Bad, "crashloopbackoff": Bad,
		"imagepullbackoff": Bad, "errimagepull": Bad, "oomkilled": Bad, "evicted": Bad, "lost": Bad,
		"createcontainerconfigerror": Bad, "invalidimagename": Bad, "denied": Bad,
	}
}}

// IsState tells whether a column has the states of objects.
func IsState(column string) bool { return toned[strings.ToLower(column)] }

// Finished tells whether a state says that an object has done its work, so that no part of it is ready any more.
func Finished(state string) bool {
	return state == "Completed" || state == "Succeeded" || state == "Complete"
}

// Short tells whether a text such as 0/1 says that some parts are missing.
func Short(text string) bool {
	have, want, ok := strings.Cut(text, "/")
	if !ok {
		return false
	}
	n, err := strconv.Atoi(have)
	of, wrong := strconv.Atoi(want)
	return err == nil && wrong == nil && n < of
}

// CellTone is the tone of a table cell. Only columns with states, and the type of Events, have one. In a list of words
// ("Ready,SchedulingDisabled"), the first word counts.
func CellTone(column, text string) Tone {
	if column == "Type" && text == "Warning" {
		return Warn
	}
	if !IsState(column) {
		return Calm
	}
	word, _, _ := strings.Cut(text, ",")
	word = strings.TrimPrefix(word, "Init:") // what an init container waits for
	return tones.Get()[strings.ToLower(strings.TrimSpace(word))]
}

// VerdictTone is the tone of what a condition means.
func VerdictTone(v condition.Verdict) Tone {
	switch v {
	case condition.Fine:
		return Good
	case condition.Busy:
		return Busy
	case condition.Ill:
		return Warn
	default:
		return Calm
	}
}
