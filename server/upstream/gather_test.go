package upstream

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"testing/iotest"
)

// arriving is a connection at which one piece arrives after the other.
type arriving struct {
	net.Conn
	pieces [][]byte
	end    error
	most   int // the largest buffer that was read into
}

func (a *arriving) Read(p []byte) (n int, err error) {
	a.most = max(a.most, len(p))
	if len(a.pieces) == 0 {
		return 0, a.end
	}
	n = copy(p, a.pieces[0])
	if a.pieces[0] = a.pieces[0][n:]; len(a.pieces[0]) == 0 {
		a.pieces = a.pieces[1:]
	}
	return n, nil
}

// TestGather_GivesWhatArrivesInItsOrder reads pieces of any size with buffers of any size.
func TestGather_GivesWhatArrivesInItsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		from := &arriving{end: io.EOF}
		var text []byte
		for range random.IntN(12) {
			piece := make([]byte, 1+random.IntN(2*largest))
			for i := range piece {
				piece[i] = byte(random.UintN(256))
			}
			from.pieces, text = append(from.pieces, piece), append(text, piece...)
		}
		g := &gather{Conn: from}
		var got []byte
		for p := make([]byte, 2*largest); ; {
			n, err := g.Read(p[:1+random.IntN(len(p))])
			if got = append(got, p[:n]...); err != nil {
				break
			}
		}
		if !bytes.Equal(got, text) {
			t.Fatalf("%d of %d bytes, or others", len(got), len(text))
		}
		if g.large != nil {
			t.Fatal("a large buffer is kept at the end")
		}
	}
}

func TestGather_HasALargeBufferOnlyForMuch(t *testing.T) {
	from := &arriving{pieces: [][]byte{make([]byte, 900), make([]byte, ownBuffer-1)}, end: io.EOF}
	g := &gather{Conn: from}
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{g}); err != nil || from.most != ownBuffer {
		t.Errorf("little: %v; a buffer of %d bytes", err, from.most)
	}
	from.pieces = [][]byte{make([]byte, ownBuffer+largest)}
	p := make([]byte, ownBuffer)
	for range 2 {
		if _, err := g.Read(p); err != nil {
			t.Fatal(err)
		}
	}
	if from.most != largest || g.large == nil {
		t.Errorf("much: a buffer of %d bytes", from.most)
	}
	if _, err := io.CopyN(io.Discard, g, largest-ownBuffer); err != nil || g.large != nil {
		t.Errorf("the large buffer is kept after it was read: %v", err)
	}
}

func TestGather_AnErrorComesAfterWhatArrived(t *testing.T) {
	broken := errors.New("broken")
	from := &arriving{pieces: [][]byte{make([]byte, 3*ownBuffer)}, end: broken}
	n, err := io.Copy(io.Discard, iotest.OneByteReader(&gather{Conn: from}))
	if n != 3*ownBuffer || !errors.Is(err, broken) {
		t.Errorf("%d bytes, then %v", n, err)
	}
}
