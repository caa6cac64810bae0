package line

import (
	"slices"
	"strings"
)

// wrapper is a program that runs another one, which its arguments name.
type wrapper struct {
	// alone are its options without a value, and valued those whose value is the next word.
	alone, valued []string
	skips         int  // how many words follow before the program
	appends       bool // it adds arguments from its standard input
	assigns       bool // it takes NAME=VALUE before the program
}

var wrappers = map[string]wrapper{
	"sudo":    {alone: []string{"-E", "-H", "-n", "-S", "-k", "--preserve-env", "--non-interactive"}, valued: []string{"-u", "-g", "--user", "--group"}, assigns: true},
	"doas":    {alone: []string{"-n"}, valued: []string{"-u"}},
	"env":     {alone: []string{"-i", "-", "--ignore-environment"}, valued: []string{"-u", "--unset"}, assigns: true},
	"timeout": {alone: []string{"--preserve-status", "--foreground", "-v", "--verbose"}, valued: []string{"-s", "--signal", "-k", "--kill-after"}, skips: 1},
	"nice":    {valued: []string{"-n", "--adjustment"}},
	"ionice":  {alone: []string{"-t"}, valued: []string{"-c", "-n"}},
	"nohup":   {}, "setsid": {alone: []string{"-w", "--wait", "-f", "--fork"}},
	"stdbuf":  {valued: []string{"-i", "-o", "-e"}},
	"time":    {alone: []string{"-p", "-v"}, valued: []string{"-f", "-o"}},
	"command": {alone: []string{"-p"}}, "builtin": {}, "exec": {alone: []string{"-c", "-l"}, valued: []string{"-a"}},
	"xargs": {
		alone:  []string{"-0", "--null", "-r", "--no-run-if-empty", "-t", "--verbose"},
		valued: []string{"-n", "--max-args", "-P", "--max-procs", "-I", "-L", "--max-lines", "-d", "--delimiter", "-s", "-E"}, appends: true,
	},
}

// unwrap removes wrappers. If their arguments can't be read, the wrapper stays, and the program isn't known.
func (r *reader) unwrap(c Call) Call {
	for {
		name := c.Name()
		w, is := wrappers[name]
		if !is || looksUp(c) {
			return c
		}
		rest, set, ok := w.program(slices.Clone(c.Words[1:]))
		if !ok {
			r.doubt("Fieldmark can’t tell which program " + name + " runs here.")
			return c
		}
		if len(rest) == 0 {
			if c.Appended { // xargs env
				r.doubt("Fieldmark can’t tell which program " + name + " runs here.")
			}
			return c
		}
		c.Words, c.Via, c.Set = rest, append(slices.Clone(c.Via), name), append(slices.Clone(c.Set), set...)
		if w.appends {
			c.Appended, c.Input = true, Input{Given: true}
		}
	}
}

// looksUp tells whether command only says what a name means.
func looksUp(c Call) bool {
	return c.Name() == "command" && len(c.Words) > 1 && c.Words[1].Known && (c.Words[1].Text == "-v" || c.Words[1].Text == "-V")
}

// program are the words from the program on, and the variables that are set for it. Words that the wrapper replaces are unknown.
func (w wrapper) program(words []Word) (rest []Word, set []string, ok bool) {
	skips := w.skips
	for i := 0; i < len(words); i++ {
		word := words[i]
		if !word.Known || !word.One {
			return nil, nil, false
		}
		option, _, joined := strings.Cut(word.Text, "=")
		switch {
		case word.Text == "--":
		case slices.Contains(w.alone, word.Text):
			if strings.HasPrefix(word.Text, "-i") || word.Text == "-" {
				set = append(set, "HOME")
			}
		case slices.Contains(w.valued, word.Text):
			if i++; i == len(words) {
				return nil, nil, false
			}
			if set = append(set, words[i].Text); w.appends && word.Text == "-I" { // env -u NAME takes a variable away; other values are no names of variables
				replaced(words[i+1:], words[i].Text)
			}
		case strings.HasPrefix(word.Text, "-") && (joined && slices.Contains(w.valued, option) || w.glued(word.Text)):
			if w.appends && word.Text[:2] == "-I" {
				replaced(words[i+1:], word.Text[2:])
			}
		case strings.HasPrefix(word.Text, "-"):
			return nil, nil, false
		case w.assigns && joined && option != "":
			set = append(set, option)
		case skips > 0:
			skips--
		default:
			return words[i:], set, true
		}
	}
	return nil, set, true
}

// replaced makes the words unknown in which xargs replaces a text. An empty text means that nobody knows which.
func replaced(words []Word, text string) {
	for i, w := range words {
		if text == "" || strings.Contains(w.Text, text) {
			words[i] = Word{One: w.One}
		}
	}
}

// glued tells whether a word is a short option with its value, such as -n1.
func (w wrapper) glued(text string) bool {
	return len(text) > 2 && text[1] != '-' && slices.Contains(w.valued, text[:2])
}
