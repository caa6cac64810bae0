package relay

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestTaskRunsWhenAsked: a task that is asked for while it runs, runs once more; nothing that was to be told is left behind.
func TestTaskRunsWhenAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &conn{}
		var runs atomic.Int32
		e := &task{conn: c}
		e.do = func() time.Duration {
			if runs.Add(1) == 1 {
				e.in(time.Second)
				time.Sleep(time.Minute) // the bubble's time: it runs long enough to be asked again meanwhile
				e.in(time.Second)
			}
			return 0
		}
		e.in(time.Second)
		e.in(time.Second)
		time.Sleep(time.Hour) // the bubble's time
		if n := runs.Load(); n != 2 {
			t.Errorf("it ran %d times, not twice", n)
		}
		e.in(time.Second)
		time.Sleep(time.Hour) // the bubble's time
		if n := runs.Load(); n != 3 {
			t.Errorf("it ran %d times, not once more", n)
		}
	})
}

// TestTaskRepeatsUntilItsEnd: the result of do is the time until it runs again, and no run begins after the end.
func TestTaskRepeatsUntilItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &conn{}
		var runs atomic.Int32
		e := &task{conn: c, do: func() time.Duration { runs.Add(1); return time.Second }}
		e.in(time.Second)
		time.Sleep(10*time.Second + time.Millisecond) // the bubble's time
		e.stopRuns()
		c.all.Wait()
		e.in(time.Second)
		time.Sleep(time.Hour) // the bubble's time
		if n := runs.Load(); n != 10 {
			t.Errorf("it ran %d times, not 10", n)
		}
	})
}
