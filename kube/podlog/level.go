package podlog

import "strings"

// Level is how bad a line is by what its program says.
type Level uint8

// The levels.
const (
	NoLevel Level = iota // the line has none that is known
	Debug
	Info
	Warning
	Error
	Fatal
)

// String is the level's name; empty for NoLevel.
func (l Level) String() string {
	return [...]string{"", "debug", "info", "warning", "error", "fatal"}[l]
}

// names are the names of levels in lower case.
var names = map[string]Level{
	"trace": Debug, "debug": Debug, "dbg": Debug, "verbose": Debug,
	"info": Info, "inf": Info, "information": Info, "notice": Info, "log": Info,
	"warn": Warning, "warning": Warning, "wrn": Warning,
	"error": Error, "err": Error, "severe": Error,
	"fatal": Fatal, "critical": Fatal, "crit": Fatal, "panic": Fatal, "emergency": Fatal, "emerg": Fatal, "alert": Fatal,
}

// keys are the names of the field that has the level, in JSON and in key=value pairs.
var keys = []string{"level", "severity", "lvl", "loglevel", "log.level", "levelname"}

// searched is how many bytes at the beginning of a line may have its level. After that, words are the message's.
const searched = 80

// level finds the level of a line: in its fields, as a key=value pair, in klog's first letter, or as a word in capitals or brackets.
func level(text string) Level {
	if l, ok := ofObject(text); ok {
		return l
	}
	if l, ok := klog(text); ok {
		return l
	}
	head := text[:min(len(text), searched)]
	for word := range strings.FieldsFuncSeq(head, apart) {
		if key, value, pair := strings.Cut(word, "="); pair {
			if l := namedLevel(strings.Trim(value, `"`)); l != NoLevel && isKey(key) {
				return l
			}
			continue
		}
		if l := ofWord(head, word); l != NoLevel {
			return l
		}
	}
	return NoLevel
}

func apart(r rune) bool {
	switch r {
	case ' ', '\t', '[', ']', '(', ')', '{', '}', '|', ',', ':':
		return true
	}
	return false
}

// longest is the length of the longest name of a level.
const longest = len("information")

// namedLevel is the level of a name, whatever its case.
func namedLevel(name string) Level {
	if len(name) > longest {
		return NoLevel
	}
	if l, ok := names[name]; ok {
		return l
	}
	return names[strings.ToLower(name)]
}

// ofWord is the level that a word names, if it is in capitals or in brackets: in sentences, the same words mean less.
func ofWord(head, word string) Level {
	if word == "" || word[0] < 'A' || word[0] > 'z' {
		return NoLevel
	}
	l := namedLevel(word)
	if l == NoLevel || word != strings.ToUpper(word) && !strings.Contains(head, "["+word+"]") {
		return NoLevel
	}
	return l
}

func isKey(name string) bool {
	for _, key := range keys {
		if strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// klog reads the head that Kubernetes' own programs write: a letter, month and day, and a time.
func klog(text string) (Level, bool) {
	const head = len("I0102 15:04:05")
	if len(text) < head || text[5] != ' ' || text[8] != ':' || text[11] != ':' {
		return NoLevel, false
	}
	for _, c := range text[1:5] {
		if c < '0' || c > '9' {
			return NoLevel, false
		}
	}
	l, ok := map[byte]Level{'I': Info, 'W': Warning, 'E': Error, 'F': Fatal}[text[0]]
	return l, ok
}

// ofObject is the level in a line that is a JSON object; ok is false for other lines.
func ofObject(text string) (l Level, ok bool) {
	ok = eachField(text, func(name, value string) {
		if l == NoLevel && isKey(name) {
			l = ofValue(value)
		}
	})
	return l, ok
}

// ofValue is the level that a value of JSON names, or has as a number of bunyan and pino: 10 to 60.
func ofValue(value string) Level {
	if l := namedLevel(strings.Trim(value, `"`)); l != NoLevel {
		return l
	}
	return map[string]Level{"10": Debug, "20": Debug, "30": Info, "40": Warning, "50": Error, "60": Fatal}[value]
}
