package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReadingEndsWhenTheProgramIsStopped(t *testing.T) {
	text, err := io.ReadAll(interruptibly(t.Context(), strings.NewReader("all of it")))
	if string(text) != "all of it" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	never, w := io.Pipe()
	defer w.Close()
	in := interruptibly(ctx, never)
	go func() {
		_, _ = io.WriteString(w, "a")
		stop()
	}()
	text, err = io.ReadAll(in)
	if len(text) > 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%q %v", text, err)
	}
}
