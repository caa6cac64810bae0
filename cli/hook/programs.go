package hook

import (
	_ "embed" // programs.tsv
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/hook/line"
)

//go:embed programs.tsv
var programsTSV string

// effect is what a program does besides its output.
type effect int

const (
	maybeWrites effect = iota // it may write to a cluster
	reads
	files // it changes files
)

// rule says what a program does.
type rule struct {
	effect effect
	subs   []string // the subcommands that the rule is for; empty: all
	never  []string // beginnings of arguments that the rule isn't for
}

// programs are the rules for programs that write to no cluster, by name.
type programs map[string][]rule

// knownPrograms are those of the table, and those that the user names.
func knownPrograms(more []string) programs {
	all := programs{}
	for text := range strings.Lines(programsTSV) {
		columns := strings.Split(strings.TrimRight(text, "\n"), "\t")
		if strings.HasPrefix(text, "#") || len(columns) != 4 {
			continue
		}
		r := rule{effect: reads, subs: list(columns[2]), never: list(columns[3])}
		if columns[1] == "files" {
			r.effect = files
		}
		for _, name := range strings.Fields(columns[0]) {
			all[name] = append(all[name], r)
		}
	}
	for _, name := range more {
		all[name] = []rule{{effect: files}}
	}
	return all
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// effect is what a call does, by the rules for its program.
func (p programs) effect(c line.Call) effect {
	for _, r := range p[c.Name()] {
		if r.fits(c.Words[1:]) {
			return r.effect
		}
	}
	return maybeWrites
}

func (r rule) fits(words []line.Word) bool {
	if len(r.subs) > 0 && len(words) > 0 && (!words[0].Known || !words[0].One || !slices.Contains(r.subs, words[0].Text)) {
		return false
	}
	if len(r.never) == 0 {
		return true
	}
	return !slices.ContainsFunc(words, func(w line.Word) bool {
		return !w.Known || slices.ContainsFunc(r.never, func(begin string) bool { return begun(w.Text, begin) })
	})
}

// begun tells whether an argument begins so, or has a short option among others.
func begun(argument, begin string) bool {
	if option, among := strings.CutPrefix(begin, "-*"); among {
		return strings.HasPrefix(argument, "-") && !strings.HasPrefix(argument, "--") && strings.Contains(argument, option)
	}
	return strings.HasPrefix(argument, begin)
}
