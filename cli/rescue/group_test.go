package rescue

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestPanicIsRaisedWhereTheGroupIsAwaited(t *testing.T) {
	var g Group
	var done atomic.Int32
	g.Go(func() { done.Add(1) })
	g.Go(func() { panic("trouble") })
	g.Go(func() { done.Add(1) })
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Value != "trouble" || done.Load() != 2 || !strings.Contains(p.String(), "group_test.go") {
			t.Errorf("caught %v, %d others done", p, done.Load())
		}
	}()
	g.Wait()
	t.Error("Wait returned")
}

func TestGroupWithoutPanicIsAwaited(t *testing.T) {
	var g Group
	var done atomic.Int32
	for range 10 {
		g.Go(func() { done.Add(1) })
	}
	if g.Wait(); done.Load() != 10 {
		t.Errorf("%d of 10 done", done.Load())
	}
}
