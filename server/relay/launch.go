package relay

import "context"

// launch lets a feed list and watch until the API server refuses, or ctx ends. While nothing happens, the feed of one session has no
// goroutine.
func (h *hub) launch(ctx context.Context, f *feed) {
	if f.lead != nil {
		h.spawn(f, func() {
			defer f.cancel()
			defer f.free()
			f.terms(ctx)
		})
		return
	}
	h.relay.serving.Add(1)
	f.reflector.Start(ctx, func(over bool, crash error) {
		defer h.relay.serving.Done()
		h.spawn(f, func() {
			defer f.cancel()
			defer f.free()
			switch {
			case crash != nil:
				panic(crash)
			case over:
				h.replace(f)
			}
		})
	})
}
