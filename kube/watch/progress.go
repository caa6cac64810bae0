package watch

import (
	"fmt"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Progress judges whether a list in chunks makes progress. A faulty API server could cause requests without end: it sends the same page
// token again, or the same objects, or chunks without objects. Each of these is a failure of the server. The follower tells the Machine
// (Broke), and sends the request again after the Machine's wait.
//
//	token ──▶ request ──▶ Take(chunk) ──▶ "", done: the list is complete
//	  ▲                        │
//	  └── Token() ─────────────┴──────▶ a Status: break, wait, then the request of Token() again
//
// The API allows a chunk without objects that has a token ("up to zero items in the event all requested objects are filtered out").
// kube-apiserver 1.37 never sends one, because it reads on until the chunk is full. So MaxEmpty of them in a row are accepted, and each
// further one is a break. The list then continues, but slowly.
type Progress struct {
	token string
	seen  map[uint64]struct{} // hashes of tokens, and of the first objects of chunks
	empty int                 // chunks without objects, since the last one with some
}

// MaxEmpty is how many chunks without objects in a row are accepted without a wait.
const MaxEmpty = 8

// Chunk is what Progress needs to know about a chunk.
type Chunk struct {
	Items int
	First string // the name of the first object, or all of its text; empty: not known
	Next  string // the token of the next chunk; empty: there is none
}

// ProgressFrom begins with the chunk of a token. An empty token means the first chunk.
func ProgressFrom(token string) *Progress {
	p := &Progress{token: token, seen: map[uint64]struct{}{}}
	if token != "" {
		p.mark("token", token)
	}
	return p
}

// Token is the continue token for the next request. It is empty for the first chunk, and after the last one.
func (p *Progress) Token() string { return p.token }

// Take judges a chunk. used tells whether to use its objects. A Status with a code says that the list makes no progress. Then request
// the chunk of Token again.
func (p *Progress) Take(c Chunk) (used bool, why status.Status) {
	first := c.Items > 0 && c.First != ""
	switch {
	case c.Next != "" && p.has("token", c.Next):
		return false, endless("The API server sends a continue token that it has sent before, so its list never ends.")
	case first && p.has("object", c.First):
		return false, endless("The API server sends a chunk that it has sent before, so its list never ends.")
	}
	if p.token = c.Next; c.Next != "" {
		p.mark("token", c.Next)
	}
	if first {
		p.mark("object", c.First)
	}
	if c.Items > 0 || c.Next == "" {
		p.empty = 0
		return true, status.Status{}
	}
	if p.empty++; p.empty > MaxEmpty {
		return true, endless(fmt.Sprintf("The API server has sent %d chunks without objects, one after the other, each with a continue token.", p.empty))
	}
	return true, status.Status{}
}

func endless(words string) status.Status {
	return status.Status{Code: status.CodeBadGateway, Reason: status.EndlessList, Message: words}
}

func (p *Progress) has(what, text string) bool {
	_, has := p.seen[sum(what, text)]
	return has
}

func (p *Progress) mark(what, text string) { p.seen[sum(what, text)] = struct{}{} }

// sum is an FNV-1a hash. A token may be as long as a body, so only its hash is kept.
func sum(what, text string) uint64 {
	h := uint64(14695981039346656037)
	for _, part := range [2]string{what, text} {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * 1099511628211
		}
	}
	return h
}
