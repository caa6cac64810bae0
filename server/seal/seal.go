// Package seal makes values that only a Fieldmark with the same key can read and make: the cookies of the shared mode. So replicas share a
// key file and nothing else.
package seal

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/fieldmark/fieldmark/server/private"
)

// Purpose is what a value is for. A value that was sealed for one purpose can't be opened for another.
type Purpose string

// Sealer seals values with its first key, and opens those of all its keys. It is safe for concurrent use.
type Sealer struct {
	keys   []cipher.AEAD
	now    func() time.Time
	random io.Reader
}

// ErrRefused is the error of a value that this Sealer did not make for this purpose, or that was changed. It doesn't tell which, because
// the sender could learn from it.
var ErrRefused = errors.New("the sealed value was changed, or its key is gone")

// ErrOld is the error of a value that is older than allowed, or from the future.
var ErrOld = errors.New("the sealed value is too old")

const (
	minKey  = 32          // bytes
	version = 1           // of the format, first byte of a value
	stamp   = 8           // bytes of the issue time, Unix milliseconds, before the content
	skew    = time.Minute // how much the clocks of two replicas may differ
)

// Options are the clock and the randomness of a Sealer; nil means the machine's own.
type Options struct {
	Now    func() time.Time
	Random io.Reader
}

// New makes a Sealer. The first key seals; the others only open what was sealed before a rotation. Each has at least 32 bytes.
func New(o Options, keys ...[]byte) (*Sealer, error) {
	s := &Sealer{now: o.Now, random: o.Random}
	if s.now == nil {
		s.now = time.Now
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no key")
	}
	for i, key := range keys {
		if err := strong(key); err != nil {
			return nil, fmt.Errorf("key %d: %w", i+1, err)
		}
		derived, err := hkdf.Key(sha256.New, key, nil, "fieldmark sealed value, format 1", chacha20poly1305.KeySize)
		if err != nil {
			return nil, fmt.Errorf("deriving key %d: %w", i+1, err)
		}
		aead, err := chacha20poly1305.NewX(derived)
		if err != nil {
			return nil, fmt.Errorf("using key %d: %w", i+1, err)
		}
		s.keys = append(s.keys, aead)
	}
	return s, nil
}

// Load makes a Sealer from key files. Each has at least 32 random bytes, raw or in base64. setting is the name of the setting with the
// paths, for the error.
func Load(o Options, setting string, paths ...string) (*Sealer, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s is missing: name a file with at least %d random bytes in base64", setting, minKey)
	}
	var keys [][]byte
	for _, path := range paths {
		content, err := private.Read(setting, path)
		if err != nil {
			return nil, err
		}
		key := decoded(content)
		if err := strong(key); err != nil {
			return nil, fmt.Errorf("%s: %s: %w. Make one with: head -c 32 /dev/urandom | base64", setting, path, err)
		}
		keys = append(keys, key)
	}
	return New(o, keys...)
}

// decoded reads base64, with or without padding. Anything else is a raw key.
func decoded(content []byte) []byte {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if key, err := encoding.DecodeString(string(content)); err == nil {
			return key
		}
	}
	return content
}

// strong refuses keys that could be guessed. A key of 32 random bytes has 30 different ones on average, and never fewer than 8.
func strong(key []byte) error {
	if len(key) < minKey {
		return fmt.Errorf("the key has %d bytes, and needs at least %d", len(key), minKey)
	}
	different := map[byte]bool{}
	for _, b := range key {
		different[b] = true
	}
	if len(different) < 8 {
		return errors.New("the key isn't random: it repeats a few bytes")
	}
	return nil
}

// Seal makes a sealed value, which is text of the letters, digits, - and _.
func (s *Sealer) Seal(purpose Purpose, content []byte) (string, error) {
	nonce := make([]byte, chacha20poly1305.NonceSizeX, 1+chacha20poly1305.NonceSizeX+stamp+len(content)+chacha20poly1305.Overhead)
	if _, err := io.ReadFull(s.random, nonce); err != nil {
		return "", fmt.Errorf("reading random bytes for a sealed value: %w", err)
	}
	plain := binary.BigEndian.AppendUint64(nil, uint64(s.now().UnixMilli()))
	plain = append(plain, content...)
	sealed := s.keys[0].Seal(append([]byte{version}, nonce...), nonce, plain, additional(purpose))
	return base64.RawURLEncoding.EncodeToString(sealed), nil
}

// Open returns the content of a sealed value, and when it was sealed. The error is ErrRefused, or ErrOld if the value is older than maxAge.
func (s *Sealer) Open(purpose Purpose, sealed string, maxAge time.Duration) (content []byte, at time.Time, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil || len(raw) < 1+chacha20poly1305.NonceSizeX+chacha20poly1305.Overhead+stamp || raw[0] != version {
		return nil, time.Time{}, ErrRefused
	}
	nonce, box := raw[1:1+chacha20poly1305.NonceSizeX], raw[1+chacha20poly1305.NonceSizeX:]
	for _, key := range s.keys {
		plain, err := key.Open(nil, nonce, box, additional(purpose))
		if err != nil {
			continue
		}
		at := time.UnixMilli(int64(binary.BigEndian.Uint64(plain)))
		if age := s.now().Sub(at); age > maxAge || age < -skew {
			return nil, at, ErrOld
		}
		return plain[stamp:], at, nil
	}
	return nil, time.Time{}, ErrRefused
}

// additional is authenticated with a value, and isn't part of it.
func additional(purpose Purpose) []byte { return append([]byte{version}, purpose...) }
