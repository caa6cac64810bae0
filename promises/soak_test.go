package promises

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fieldmark/fieldmark/cli"
)

// atOnce is how many stories are told at the same time.
const atOnce = 3

// TestRandomWrites tells random stories for FIELDMARK_SOAK (60 s if it isn't set). FIELDMARK_SOAK_SEED repeats those of an earlier run.
func TestRandomWrites(t *testing.T) {
	// The first verb sets client-go's logger, which client-go reads without a lock in all stories.
	if code := cli.Run(t.Context(), cli.Program{Called: "fieldmark", Version: "v1", In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard}, []string{"check", "--rules"}); code != 0 {
		t.Fatal(code)
	}
	c := open(t, strings.ToLower(rand.Text()[:8]))
	seed, length := seedOf(t), lengthOf(t)
	t.Logf("FIELDMARK_SOAK_SEED=%d", seed)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var told, steps atomic.Int64
	var g errgroup.Group
	for number := range atOnce {
		g.Go(func() error {
			for n := uint64(number); ctx.Err() == nil; n += atOnce {
				s := author{mathrand.New(mathrand.NewPCG(seed, n))}.story()
				if err := c.next().tell(t.Context(), s); err != nil {
					short, wrong := c.shorten(t.Context(), s, err)
					return fmt.Errorf("story %d of FIELDMARK_SOAK_SEED=%d: %w\n%v", n, seed, wrong, short)
				}
				told.Add(1)
				steps.Add(int64(len(s)))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("%d stories with %d writes", told.Load(), steps.Load())
}

func seedOf(t *testing.T) uint64 {
	t.Helper()
	if text := os.Getenv("FIELDMARK_SOAK_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return seed
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	return binary.BigEndian.Uint64(random[:]) >> 16
}

func lengthOf(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("FIELDMARK_SOAK")
	if text == "" {
		text = "60s"
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// tell makes the writes of a story, and judges each. The error says what Fieldmark got wrong.
func (o object) tell(ctx context.Context, s story) error {
	for i, one := range s {
		if err := o.write(ctx, one); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		for _, version := range []string{"v1", "v2"} {
			if err := o.blames(ctx, version); err != nil {
				return fmt.Errorf("after step %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func (o object) write(ctx context.Context, one move) error {
	if one.How != "merge" {
		return o.predict(ctx, one)
	}
	_, err := o.send(ctx, one) // a refused patch changes nothing
	return err
}

// shorten leaves out steps and fields of a story as long as it fails.
func (c *ground) shorten(ctx context.Context, s story, wrong error) (story, error) {
	for again := true; again; {
		again = false
		for _, shorter := range shortened(s) {
			if err := c.next().tell(ctx, shorter); err != nil {
				s, wrong, again = shorter, err, true
				break
			}
		}
	}
	return s, wrong
}

// shortened are the stories with one step or one field less.
func shortened(s story) []story {
	var all []story
	for i := range s {
		all = append(all, slices.Delete(slices.Clone(s), i, i+1))
	}
	for i, one := range s {
		for _, name := range slices.Sorted(maps.Keys(one.Spec)) {
			less := slices.Clone(s)
			less[i].Spec = maps.Clone(one.Spec)
			delete(less[i].Spec, name)
			all = append(all, less)
		}
	}
	return all
}
