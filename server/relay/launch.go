package relay

import "context"

// runFeed lets a feed list and watch until the API server refuses, or ctx ends. While nothing happens, the feed of one session has no
// goroutine.
func (h *hub) runFeed(ctx context.Context, f *feed) {
	if f.lead != nil {
		h.spawn(f, func() {
			defer f.cancel()
			defer f.releaseCharge()
			f.runTerms(ctx)
		})
		return
	}
	h.relay.serving.Add(1)
	f.reflector.Start(ctx, func(over bool, crash error) {
		defer h.relay.serving.Done()
		h.spawn(f, func() {
			defer f.cancel()
			defer f.releaseCharge()
			switch {
			case crash != nil:
				panic(crash)
			case over:
				h.moveToNextLogin(f)
			}
		})
	})
}
