package lab

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
)

func TestEachReturnsTheFirstError(t *testing.T) {
	var mu sync.Mutex
	done := map[int]bool{}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	note := func(_ context.Context, i int) error {
		mu.Lock()
		defer mu.Unlock()
		done[i] = true
		return nil
	}
	if err := Each(t.Context(), all, note); err != nil || len(done) != len(all) {
		t.Errorf("%d done, %v", len(done), err)
	}
	bad := errors.New("bad")
	if err := Each(t.Context(), all, func(context.Context, int) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
}

func TestEachRoundBeginsWithAnotherWay(t *testing.T) {
	var ways []int
	err := InTurn(2, 3, func(way int) error {
		ways = append(ways, way)
		return nil
	})
	if want := []int{0, 1, 2, 1, 2, 0}; err != nil || !slices.Equal(ways, want) {
		t.Errorf("got %v (%v), want %v", ways, err, want)
	}
	bad := errors.New("bad")
	if err := InTurn(2, 3, func(int) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
}
