package logs

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/podlog"
)

// Options are what the address says about the page. The zero value reads the last lines of all containers, and follows them.
type Options struct {
	Container string        `json:"container,omitempty"` // its name; empty: all containers
	Previous  bool          `json:"previous,omitempty"`  // the run before the last restart
	Since     time.Duration `json:"since,omitempty"`     // 0: no bound
	Tail      int           `json:"tail,omitempty"`      // 0: Tail
	Still     bool          `json:"still,omitempty"`     // the logs aren't followed
	NoTimes   bool          `json:"noTimes,omitempty"`
	Wrap      bool          `json:"wrap,omitempty"`
	Columns   bool          `json:"columns,omitempty"` // fields of JSON lines are columns

	Filter  string       `json:"filter,omitempty"`
	Pattern bool         `json:"pattern,omitempty"` // the filter is a regular expression
	Before  int          `json:"before,omitempty"`  // how many lines before a matching line are shown
	After   int          `json:"after,omitempty"`   // and after it
	Level   podlog.Level `json:"level,omitempty"`   // the least level that is shown; NoLevel: all lines

	Line Place `json:"line,omitzero"` // the line that a link leads to
}

// Place is the place of a line in a log.
type Place struct {
	Pod       string    `json:"pod"`
	Container string    `json:"container"`
	Time      time.Time `json:"time"`
}

// Tail is how many of its last lines the server reads, and how many the page reads first.
const Tail = 500

// mostAround bounds the lines before and after a matching line.
const mostAround = 50

// The fields of the address.
const (
	fieldContainer = "container"
	fieldPrevious  = "previous"
	fieldSince     = "since"
	fieldTail      = "tail"
	fieldFollow    = "follow"
	fieldTimes     = "timestamps"
	fieldWrap      = "wrap"
	fieldColumns   = "columns"
	fieldFilter    = "filter"
	fieldPattern   = "match"
	fieldBefore    = "before"
	fieldAfter     = "after"
	fieldLevel     = "level"
	fieldLine      = "line"
)

// The values of fields that aren't free text.
const (
	yes     = "true"
	no      = "false"
	pattern = "pattern"
)

// The choices of the menus.
var (
	sinces = []time.Duration{0, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}
	tails  = []int{100, Tail, 5000, maxLines}
	levels = []podlog.Level{podlog.NoLevel, podlog.Debug, podlog.Info, podlog.Warning, podlog.Error, podlog.Fatal}
)

// ParseOptions reads the query of an address. What it can't read becomes the default.
func ParseOptions(query url.Values) Options {
	o := Options{
		Container: query.Get(fieldContainer), Previous: query.Get(fieldPrevious) == yes, Still: query.Get(fieldFollow) == no,
		NoTimes: query.Get(fieldTimes) == no, Wrap: query.Get(fieldWrap) == yes, Columns: query.Get(fieldColumns) == yes,
		Filter: query.Get(fieldFilter), Pattern: query.Get(fieldPattern) == pattern,
		Before: number(query.Get(fieldBefore), mostAround), After: number(query.Get(fieldAfter), mostAround),
		Tail: number(query.Get(fieldTail), maxLines), Line: parsePlace(query.Get(fieldLine)),
	}
	if d, err := time.ParseDuration(query.Get(fieldSince)); err == nil && d >= time.Second {
		o.Since = d
	}
	for _, l := range levels {
		if l.String() == query.Get(fieldLevel) {
			o.Level = l
		}
	}
	if o.Tail == Tail {
		o.Tail = 0
	}
	return o
}

func number(text string, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return min(n, most)
}

func parsePlace(text string) Place {
	pod, rest, _ := strings.Cut(text, "/")
	container, stamp, _ := strings.Cut(rest, "/")
	at, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return Place{}
	}
	return Place{Pod: pod, Container: container, Time: at}
}

func (p Place) String() string {
	if p.Time.IsZero() {
		return ""
	}
	return p.Pod + "/" + p.Container + "/" + p.Time.UTC().Format(time.RFC3339Nano)
}

// Values are the fields of the address. Defaults are left out.
func (o Options) Values() url.Values {
	v := url.Values{}
	set := func(field, text string, is bool) {
		if is {
			v.Set(field, text)
		}
	}
	set(fieldContainer, o.Container, o.Container != "")
	set(fieldPrevious, yes, o.Previous)
	set(fieldSince, short(o.Since), o.Since > 0)
	set(fieldTail, strconv.Itoa(o.Tail), o.Tail > 0)
	set(fieldFollow, no, o.Still)
	set(fieldTimes, no, o.NoTimes)
	set(fieldWrap, yes, o.Wrap)
	set(fieldColumns, yes, o.Columns)
	set(fieldFilter, o.Filter, o.Filter != "")
	set(fieldPattern, pattern, o.Pattern)
	set(fieldBefore, strconv.Itoa(o.Before), o.Before > 0)
	set(fieldAfter, strconv.Itoa(o.After), o.After > 0)
	set(fieldLevel, o.Level.String(), o.Level != podlog.NoLevel)
	set(fieldLine, o.Line.String(), !o.Line.Time.IsZero())
	return v
}

// short is a duration without zeros at its end: 5m instead of 5m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// tail is how many lines are read first.
func (o Options) tail() int {
	if o.Tail == 0 {
		return Tail
	}
	return o.Tail
}

// Last is how many lines of a log the server reads.
func (o Options) Last() int { return min(o.tail(), Tail) }

// reads tells whether both options read the same from the API server.
func (o Options) reads(p Options) bool {
	return o.Container == p.Container && o.Previous == p.Previous && o.Since == p.Since && o.Tail == p.Tail && o.Line == p.Line
}

// shows tells whether both options show the same lines.
func (o Options) shows(p Options) bool {
	return o.Filter == p.Filter && o.Pattern == p.Pattern && o.Before == p.Before && o.After == p.After && o.Level == p.Level
}
