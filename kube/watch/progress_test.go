package watch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

// chunks reads chunks written as "first*items>next".
func chunks(t *testing.T, text string) []Chunk {
	t.Helper()
	var all []Chunk
	for _, word := range strings.Fields(text) {
		var c Chunk
		head, next, _ := strings.Cut(word, ">")
		first, items, _ := strings.Cut(head, "*")
		if _, err := fmt.Sscan(items, &c.Items); err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		c.First, c.Next = first, next
		all = append(all, c)
	}
	return all
}

func empties(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " *0>e%d", from+i)
	}
	return b.String()
}

func TestProgress(t *testing.T) {
	for name, c := range map[string]struct {
		from, chunks string
		breaks       string // the numbers of chunks at which the list breaks; with a !, it isn't used
		token        string // that is asked for next
	}{
		"one chunk":                           {"", "a*5", "", ""},
		"nothing":                             {"", "*0", "", ""},
		"three chunks":                        {"", "a*5>t1 f*5>t2 k*2", "", ""},
		"a token twice running":               {"", "a*5>t1 f*5>t1", "1!", "t1"},
		"a token in a circle":                 {"", "a*5>t1 f*5>t2 k*5>t1", "2!", "t2"},
		"the token that a page brought":       {"t0", "f*5>t0", "0!", "t0"},
		"and mended":                          {"", "a*5>t1 f*5>t1 f*5>t2 k*1", "1!", ""},
		"the first chunk for ever":            {"", "a*5>t1 a*5>t2 a*5>t3", "1! 2!", "t1"},
		"the first chunk once more, the last": {"", "a*5>t1 a*5", "1!", "t1"},
		"objects without names":               {"", "*5>t1 *5>t2 *5", "", ""},
		"an object named as a token":          {"", "t1*5>a a*5>t1 z*1", "", ""},
		"some empty chunks":                   {"", "a*5>t1" + empties(0, MaxEmpty) + " b*1", "", ""},
		"one empty chunk too many":            {"", "a*5>t1" + empties(0, MaxEmpty+1), fmt.Sprint(MaxEmpty + 1), fmt.Sprintf("e%d", MaxEmpty)},
		"and one more":                        {"", empties(0, MaxEmpty+2), fmt.Sprint(MaxEmpty, " ", MaxEmpty+1), fmt.Sprintf("e%d", MaxEmpty+1)},
		"until there is an object":            {"", empties(0, MaxEmpty+1) + " b*1>t1" + empties(100, MaxEmpty) + " *0", fmt.Sprint(MaxEmpty), ""},
		"empty chunks with one token":         {"", "*0>t *0>t", "1!", "t"},
	} {
		p := ProgressFrom(c.from)
		var breaks []string
		for i, k := range chunks(t, c.chunks) {
			used, why := p.Take(k)
			if why.Code != 0 || !used {
				breaks = append(breaks, fmt.Sprint(i)+map[bool]string{false: "!"}[used])
				if why.Code != status.CodeBadGateway || why.Reason != status.EndlessList || why.Message == "" || !retried(why.Code) {
					t.Errorf("%s: %+v", name, why)
				}
			}
		}
		if got := strings.Join(breaks, " "); got != c.breaks || p.Token() != c.token {
			t.Errorf("%s: it breaks at %q and goes on with %q, want %q and %q", name, got, p.Token(), c.breaks, c.token)
		}
	}
}
