//go:build js && wasm

package dom

import (
	"context"
	"syscall/js"
)

// await waits for a promise; ok is false if it was rejected, or ctx ended.
func await(ctx context.Context, promise js.Value) (value js.Value, ok bool) {
	type outcome struct {
		value js.Value
		ok    bool
	}
	done := make(chan outcome, 1)
	settle := func(ok bool) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			done <- outcome{args[0], ok}
			return nil
		})
	}
	kept, broken := settle(true), settle(false)
	promise.Call("then", kept, broken)
	select {
	case o := <-done:
		kept.Release()
		broken.Release()
		return o.value, o.ok
	case <-ctx.Done():
		return js.Undefined(), false // the callbacks are not released, because the promise may still call them
	}
}
