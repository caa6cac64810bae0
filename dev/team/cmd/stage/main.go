// Command stage starts the stage of the tests for browser tests: it prints where everything is, as one line of JSON, and ends when its standard input does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/control"
	"github.com/fieldmark/fieldmark/dev/team/stage"
)

func main() {
	o := stage.Options{Joined: true}
	flag.StringVar(&o.Fieldmark, "fieldmark", "bin/fieldmark", "the program of Fieldmark")
	flag.StringVar(&o.Practice, "practice", "bin/fieldmark-practice", "the program of the practice cluster")
	flag.DurationVar(&o.Tokens, "tokens", 15*time.Second, "how long a token is valid")
	flag.Parse()
	if err := playStage(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// playStage plays until nobody reads any longer, or somebody asks it to stop. Then it ends what it started.
func playStage(o stage.Options) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	s, err := stage.New(ctx, o)
	if err != nil {
		return err
	}
	c, err := control.Start(ctx, s)
	if err != nil {
		return errors.Join(err, s.Clear())
	}
	err = json.NewEncoder(os.Stdout).Encode(c.Tell())
	if err == nil {
		<-ctx.Done()
	}
	return errors.Join(err, c.Stop(), s.Clear())
}
