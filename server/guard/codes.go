package guard

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync"
	"time"
)

// How long a code is valid, and how many are kept. If there are more, the oldest is deleted.
const (
	codeTime = 5 * time.Minute
	maxCodes = 16
)

// codes are the codes of one-visit links. URLs end up in histories and logs. So a URL holds a code of its own, never the launch token. A
// code is good for one visit and for a few minutes (threat: token in the address). Codes are kept as hashes, like cookies.
type codes struct {
	now    func() time.Time
	random io.Reader

	mu     sync.Mutex
	byHash map[[sha256.Size]byte]grant
}

// grant is a session that a code opens, and the page it begins with.
type grant struct {
	until time.Time
	// since is when the session counts as opened. A link that a session makes for another browser doesn't outlive that session.
	since time.Time
	there string
}

func newCodes(opt Options) *codes {
	return &codes{now: opt.Now, random: opt.Rand, byHash: map[[sha256.Size]byte]grant{}}
}

// make gives a new code. It has 192 random bits: nobody can guess it, so wrong codes are not counted.
func (c *codes) make(since time.Time, there string) (string, error) {
	var secret [24]byte
	if _, err := io.ReadFull(c.random, secret[:]); err != nil {
		return "", fmt.Errorf("reading random bytes for a one-visit link: %w", err)
	}
	code := base64.RawURLEncoding.EncodeToString(secret[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	c.makeRoom()
	c.byHash[sha256.Sum256([]byte(code))] = grant{until: c.now().Add(codeTime), since: since, there: there}
	return code, nil
}

// redeemCode returns the grant of a valid code, and deletes the code.
func (c *codes) redeemCode(code string) (grant, bool) {
	hash := sha256.Sum256([]byte(code))
	c.mu.Lock()
	defer c.mu.Unlock()
	g, ok := c.byHash[hash]
	delete(c.byHash, hash)
	return g, ok && c.now().Before(g.until)
}

func (c *codes) makeRoom() {
	for len(c.byHash) >= maxCodes {
		var oldest [sha256.Size]byte
		var until time.Time
		for hash, g := range c.byHash {
			if until.IsZero() || g.until.Before(until) {
				oldest, until = hash, g.until
			}
		}
		delete(c.byHash, oldest)
	}
}

// Link makes a link that signs one browser in, for one visit and a few minutes. It leads to a page of ours.
func (g *Guard) Link(there string) (string, error) {
	if g.launch == nil {
		return "", errors.New("only local mode has links that sign in")
	}
	return g.launch.link(g.opt.Now(), there)
}

func (l *launch) link(since time.Time, there string) (string, error) {
	code, err := l.codes.make(since, ownPath(there))
	if err != nil {
		return "", err
	}
	link := url.URL{Scheme: "http", Host: l.opt.Address, Path: "/", RawQuery: codeParameter + "=" + code}
	return link.String(), nil
}
