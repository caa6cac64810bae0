package follow

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fieldmark/fieldmark/server/api"
)

// TestLinesInPieces: however the bytes arrive, the lines are the same.
func TestLinesInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var want []string
		for range random.IntN(20) {
			want = append(want, strings.Repeat("x", random.IntN(3*readAtOnce))+"\n")
		}
		text := strings.Join(want, "")
		for _, body := range []io.Reader{
			strings.NewReader(text), iotest.HalfReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text)),
		} {
			got, err := allLines(&lineReader{body: body})
			if !errors.Is(err, io.EOF) || strings.Join(got, "|") != strings.Join(want, "|") {
				t.Fatalf("%d lines, %v; want %d", len(got), err, len(want))
			}
		}
	}
}

func allLines(l *lineReader) (all []string, err error) {
	defer l.close()
	for {
		line, err := l.next()
		if err != nil {
			return all, err
		}
		all = append(all, string(line))
	}
}

// TestLinesThatAreNone: what breaks off is not taken for a line, and what never ends is not waited for.
func TestLinesThatAreNone(t *testing.T) {
	cut := errors.New("cut")
	for name, c := range map[string]struct {
		body io.Reader
		want error
	}{
		"nothing":    {strings.NewReader(""), io.EOF},
		"no end":     {strings.NewReader("{}"), io.ErrUnexpectedEOF},
		"broken off": {io.MultiReader(strings.NewReader("{"), iotest.ErrReader(cut)), cut},
		"at once":    {iotest.ErrReader(cut), cut},
	} {
		if got, err := allLines(&lineReader{body: c.body}); !errors.Is(err, c.want) || len(got) > 0 {
			t.Errorf("%s: %q, %v; want %v", name, got, err, c.want)
		}
	}
	endless := &lineReader{body: strings.NewReader(strings.Repeat("x", maxLine+1))}
	if _, err := allLines(endless); !errors.As(err, new(*api.BadAnswer)) {
		t.Errorf("a line without end: %v", err)
	}
}

// TestSilentWatchesHaveNoBuffer: one that waits for more has given its buffer back.
func TestSilentWatchesHaveNoBuffer(t *testing.T) {
	from, to := io.Pipe()
	l := &lineReader{body: from}
	came, waits := make(chan string), make(chan struct{})
	go func() {
		defer close(came)
		for {
			line, err := l.next()
			if err != nil {
				return
			}
			came <- string(line)
		}
	}()
	go func() {
		_, _ = io.WriteString(to, "one\n")
		_, _ = io.WriteString(to, "t") // taken when somebody waits for it without a buffer
		close(waits)
		_, _ = io.WriteString(to, "wo\n")
		_ = to.Close()
	}()
	if line := <-came; line != "one\n" {
		t.Fatalf("%q", line)
	}
	<-waits
	if line := <-came; line != "two\n" {
		t.Fatalf("%q", line)
	}
	<-came
	if l.close(); l.buffer != nil {
		t.Error("there is still a buffer")
	}
}
