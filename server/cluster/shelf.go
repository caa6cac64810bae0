package cluster

import (
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"
)

// shelf keeps what was parsed from responses, so that people share the result if their responses are the same, byte for byte. The bytes
// always come from a request with the person's own credentials. So the shelf gives nobody what the API server didn't send to them
// (threat: two sessions). It keeps nothing alive: a result is forgotten when no person has it any more.
//
//	ada ── request ──▶ bytes ── digest ──┐
//	                                     ├──▶ one parsed catalog
//	ben ── request ──▶ bytes ── digest ──┘
//
// A nil shelf shares nothing.
type shelf struct {
	mu   sync.Mutex
	kept map[digest]any // a weak.Pointer
}

// shelved returns the parsed result of these bytes, and parses them if nobody has it yet.
func shelved[T any](s *shelf, of digest, parse func() (T, error)) (*T, error) {
	if s == nil {
		value, err := parse()
		return &value, err
	}
	if known := findKept[T](s, of); known != nil {
		return known, nil
	}
	value, err := parse()
	if err != nil {
		return nil, err
	}
	return keepResult(s, of, &value), nil
}

func findKept[T any](s *shelf, of digest) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept, ok := s.kept[of].(weak.Pointer[T]); ok {
		return kept.Value()
	}
	return nil
}

// keepResult keeps a result, unless somebody else was faster.
func keepResult[T any](s *shelf, of digest, value *T) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept, ok := s.kept[of].(weak.Pointer[T]); ok {
		if other := kept.Value(); other != nil {
			return other
		}
	}
	if s.kept == nil {
		s.kept = map[digest]any{}
	}
	mine := weak.Make(value)
	s.kept[of] = mine
	runtime.AddCleanup(value, func(of digest) { forget(s, of, mine) }, of)
	return value
}

// forget removes a result that nobody has any more.
func forget[T any](s *shelf, of digest, gone weak.Pointer[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[of] == any(gone) {
		delete(s.kept, of)
	}
}

// digestOf differs between two lists of texts. The first text says what the others are.
func digestOf(what string, texts ...[]byte) digest {
	sum := sha256.New()
	for _, text := range append([][]byte{[]byte(what)}, texts...) {
		one := sha256.Sum256(text)
		_, _ = sum.Write(one[:])
	}
	return digest(sum.Sum(nil))
}
