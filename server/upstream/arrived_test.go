package upstream

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestWhatArrivesIsReadInItsOrder adds and takes parts of any size.
func TestWhatArrivesIsReadInItsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		text := make([]byte, random.IntN(10*bareFrame))
		for i := range text {
			text[i] = byte(random.UintN(256))
		}
		var a arrived
		var got []byte
		for rest := text; len(rest) > 0 || !a.empty(); {
			n := min(len(rest), random.IntN(2*bareFrame))
			a.addData(rest[:n])
			rest = rest[n:]
			p := make([]byte, random.IntN(2*bareFrame))
			got = append(got, p[:a.takeData(p)]...)
		}
		if !bytes.Equal(got, text) || a.chunks != nil {
			t.Fatalf("%d of %d bytes, or others; %d chunks are left", len(got), len(text), len(a.chunks))
		}
	}
	var a arrived
	a.addData([]byte("dropped"))
	a.drop()
	if n := a.takeData(make([]byte, 9)); n != 0 || !a.empty() {
		t.Errorf("%d bytes after they were dropped", n)
	}
}
