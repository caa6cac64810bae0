package markdown

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// own is a command for the learner's own cluster, as it is written.
type own struct {
	Run   string `yaml:"run"`
	Shows string `yaml:"shows"`
}

// Verbs of kubectl that only read, verbs that only read with a flag for dry runs, and filters that write no files.
var (
	readers = []string{"get", "describe", "explain", "api-resources", "api-versions", "version", "top", "events", "logs", "diff"}
	tries   = []string{"create", "apply", "patch", "replace", "label", "annotate", "delete"}
	filters = []string{"grep", "head", "tail", "wc", "cut"}
)

// owned takes in the commands for the learner's own cluster. None of them may write: people run them where it counts.
func (r *reader) owned(all []own, at int) {
	for _, o := range all {
		if err := onlyReads(o.Run); err != nil {
			r.wrong(at, "own: %q %v", o.Run, err)
		}
		if o.Shows == "" {
			r.wrong(at, "own: %q doesn't say what it shows", o.Run)
		}
		text, holds := r.only(line{at, o.Shows})
		r.lesson.Own = append(r.lesson.Own, lesson.Own{Run: o.Run, Shows: r.inline([]line{text}), Range: holds})
	}
}

// onlyReads tells why a command may write; nil: it can't.
func onlyReads(run string) error {
	parts, err := pipeline(run)
	if err != nil {
		return err
	}
	for i, words := range parts {
		switch whole := strings.Join(words, " "); {
		case i > 0 && (whole == "sort" || whole == "uniq -c"): // with a name of a file, they write it
		case len(words) < 2:
			return errors.New("isn't complete")
		case words[0] == "kubectl" && (slices.Contains(readers, words[1]) || words[1] == "auth" && slices.Contains([]string{"can-i", "whoami"}, words[min(2, len(words)-1)]) || tried(words)):
		case i > 0 && slices.Contains(filters, words[0]):
		default:
			return fmt.Errorf("may write: %q is neither a kubectl that reads nor a filter", strings.Join(words[:min(2, len(words))], " "))
		}
	}
	return nil
}

// tried tells whether kubectl only tries a write. Of several flags for dry runs, the last one would count.
func tried(words []string) bool {
	var flags []string
	for _, w := range words {
		if strings.HasPrefix(w, "--dry-run") {
			flags = append(flags, w)
		}
	}
	return slices.Contains(tries, words[1]) && len(flags) == 1 && (flags[0] == "--dry-run=server" || flags[0] == "--dry-run=client")
}

// pipeline is the words of each command of a pipe. Only quotes, pipes and 2>&1 are known.
func pipeline(run string) (parts [][]string, err error) {
	word, quote, words := strings.Builder{}, rune(0), []string{}
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, c := range strings.ReplaceAll(run, " 2>&1", "") {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\n', quote == '"' && strings.ContainsRune("$`\\", c), quote == 0 && strings.ContainsRune("$`;&<>()\\", c):
			return nil, fmt.Errorf("has a %q: write a pipe of commands without it", c)
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote = c
		case c == ' ':
			end()
		case c == '|':
			end()
			parts, words = append(parts, words), nil
		default:
			word.WriteRune(c)
		}
	}
	end()
	if parts = append(parts, words); quote != 0 || slices.ContainsFunc(parts, func(words []string) bool { return len(words) == 0 }) {
		return nil, errors.New("isn't complete")
	}
	return parts, nil
}
