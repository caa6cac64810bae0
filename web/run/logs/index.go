package logs

import (
	"regexp"
	"sort"
	"strings"

	"github.com/fieldmark/fieldmark/kube/podlog"
)

// index has the lines of a log that a filter shows, and how many rows each of them needs.
type index struct {
	filter        filter
	before, after int // how many lines are shown around a line that matches
	columns       int // characters in a row; 0: each line is one row

	upTo  int   // the Number of the first line that isn't judged yet
	until int   // lines before this Number are shown, because one before them matches
	shown []int // the Numbers of the shown lines
	ends  []int // the number of rows up to each shown line, counted from the beginning of the log
	gone  int   // rows of lines that were dropped
}

// filter says which lines match.
type filter struct {
	text  string         // in lower case; empty: all
	re    *regexp.Regexp // instead of text
	level podlog.Level
	err   string // why the expression can't be read
}

func newFilter(o Options) filter {
	f := filter{level: o.Level}
	if !o.Pattern {
		f.text = strings.ToLower(o.Filter)
		return f
	}
	if o.Filter == "" {
		return f
	}
	re, err := regexp.Compile("(?i)" + o.Filter)
	if err != nil {
		f.err = strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return f
	}
	f.re = re
	return f
}

// all tells whether every line matches.
func (f filter) all() bool {
	return f.err == "" && f.text == "" && f.re == nil && f.level == podlog.NoLevel
}

func (f filter) matches(l podlog.Line) bool {
	switch {
	case f.err != "" || l.Level < f.level:
		return false
	case f.re != nil:
		return f.re.MatchString(l.Text)
	}
	return f.text == "" || strings.Contains(strings.ToLower(l.Text), f.text)
}

// found are the parts of a text that match: pairs of its bytes.
func (f filter) found(text string) (parts [][]int) {
	if f.re != nil {
		return f.re.FindAllStringIndex(text, -1)
	}
	lower := strings.ToLower(text)
	if f.text == "" || len(lower) != len(text) {
		return nil
	}
	for at := 0; ; {
		i := strings.Index(lower[at:], f.text)
		if i < 0 {
			return parts
		}
		parts = append(parts, []int{at + i, at + i + len(f.text)})
		at += i + len(f.text)
	}
}

func newIndex(o Options) *index {
	return &index{filter: newFilter(o), before: o.Before, after: o.After, upTo: 1}
}

// share bounds the bytes that are judged at a time.
const share = 64 << 10

// work judges more lines. It returns false if there was none to judge.
func (x *index) work(log *podlog.Log) bool {
	if x.upTo >= log.Next() {
		return false
	}
	for bytes := 0; bytes < share && x.upTo < log.Next(); x.upTo++ {
		l := log.Line(x.upTo)
		bytes += len(l.Text) + 32
		switch {
		case l.Note:
			x.show(log, x.upTo)
		case x.filter.matches(l):
			for n := max(x.upTo-x.before, log.Dropped()+1); n <= x.upTo; n++ {
				x.show(log, n)
			}
			x.until = x.upTo + x.after + 1
		case x.upTo < x.until:
			x.show(log, x.upTo)
		}
	}
	return true
}

// show shows a line, if it isn't shown yet.
func (x *index) show(log *podlog.Log, number int) {
	if len(x.shown) > 0 && x.shown[len(x.shown)-1] >= number {
		return
	}
	x.shown = append(x.shown, number)
	x.ends = append(x.ends, x.totalRows()+rowsOf(log.Line(number), x.columns))
}

// totalRows is the number of rows from the beginning of the log.
func (x *index) totalRows() int {
	if len(x.ends) == 0 {
		return x.gone
	}
	return x.ends[len(x.ends)-1]
}

// rows is the number of rows.
func (x *index) rows() int { return x.totalRows() - x.gone }

// invalidateLines says that the lines from a Number on have changed.
func (x *index) invalidateLines(from int) {
	if from >= x.upTo {
		return
	}
	kept := sort.SearchInts(x.shown, from-x.before)
	x.shown, x.ends = x.shown[:kept], x.ends[:kept]
	x.upTo, x.until = max(1, from-x.before-x.after), 0
}

// drop forgets lines that the log has dropped.
func (x *index) drop(log *podlog.Log) {
	first := log.Dropped() + 1
	if n := sort.SearchInts(x.shown, first); n > 0 {
		x.gone = x.ends[n-1]
		x.shown, x.ends = x.shown[n:], x.ends[n:]
	}
	x.upTo = max(x.upTo, first)
}

// at is the index of the shown line with a row.
func (x *index) at(row int) int { return sort.SearchInts(x.ends, x.gone+row+1) }

// top is the row in which the shown line at an index begins.
func (x *index) top(i int) int {
	if i == 0 {
		return 0
	}
	return x.ends[i-1] - x.gone
}

// measure counts the rows again, for another width.
func (x *index) measure(log *podlog.Log, columns int) {
	x.columns, x.gone = columns, 0
	end := 0
	for i, number := range x.shown {
		end += rowsOf(log.Line(number), columns)
		x.ends[i] = end
	}
}
