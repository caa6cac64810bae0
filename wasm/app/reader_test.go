package app

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// of is a page that somebody reads.
func of(reader string, m collection.Model) collection.Model {
	m.Shell.Reader = reader
	return m
}

func TestFormerReader_WhatIsKeptBelongsToTheReader(t *testing.T) {
	b := start(t, of("ada", served()), here)
	if got := b.screen.kept; got["ada."+recentKey] != "pods" || got[recentKey] != "" || got[readerKey] != "ada" {
		t.Errorf("kept: %v", got)
	}
	if got := start(t, of("", served()), here).screen.kept; got[recentKey] != "pods" || len(got) != 1 {
		t.Errorf("kept in local mode: %v", got)
	}
}

func TestFormerReader_TheDocumentIsLoadedForTheNext(t *testing.T) {
	hello := func(reader string) func(*bench) {
		return func(b *bench) {
			b.conn()
			b.until("open", func() bool { return b.link.conn != nil })
			b.act(message{b.link.number, encode(t, wire.Message{Type: wire.Hello, Reader: reader})})
		}
	}
	stored := func(reader string) func(*bench) {
		return func(b *bench) {
			b.screen.kept[readerKey] = reader
			b.act(Stored{Key: readerKey})
		}
	}
	const there = "/c/test/api/v1/namespaces/shop/pods"
	for _, c := range []struct {
		what string
		do   func(*bench)
		want string // the document that is loaded
	}{
		{"the connection is of the same reader", hello("ada"), ""},
		{"the connection is of somebody else", hello("ben"), here},
		{"the connection is of nobody", hello(""), here},
		{"the same reader signs in, in another tab", stored("ada"), ""},
		{"somebody else signs in, in another tab", stored("ben"), here},
		{"the next page is of somebody else", func(b *bench) {
			b.screen.answer(there, embedded(t, there, of("ben", pods("z"))))
			b.Post(Click{Address: there})
			b.until("the document is left", func() bool { return b.screen.left != "" })
		}, there},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := start(t, of("ada", pods("a")), here)
			c.do(b)
			if b.screen.left != c.want {
				t.Errorf("loads %q, want %q", b.screen.left, c.want)
			}
		})
	}
}

func TestAsksToSignInAgainAndContinues(t *testing.T) {
	b := gone(t)
	if _, kept := b.screen.kept[readerKey]; kept {
		t.Error("other tabs aren't told")
	}
	if link := `href="/-/sign-in?next=%2Fc%2Ftest%2Fapi%2Fv1%2Fpods"`; !strings.Contains(b.screen.places[Gone], link) {
		t.Errorf("%s has no %s", b.screen.places[Gone], link)
	}
	b.server.down = make(chan struct{}) // nobody dials now: the page waits for seconds
	b.screen.kept[readerKey] = "ada"
	b.act(Stored{Key: readerKey})
	b.conn()
	b.until("the page says nothing any longer", func() bool { return b.screen.places[Gone] == "" })
}

// gone is a page whose reader's session has ended.
func gone(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, screen: newScreen(t, of("ada", pods("a")), here), server: newServer()}
	close(b.server.down)
	b.screen.answer("/socket", Answer{Head: Head{Status: 401}, Body: []byte(`{"kind":"Status","code":401,"message":"The issuer can't be reached."}`)})
	b.App = New(b.screen, b.server.dial, read.Pages())
	b.open()
	b.until("the words", func() bool { return strings.Contains(b.screen.places[Gone], "The issuer can’t be reached.") })
	return b
}

// TestFormerReader_TabsThatWriteAtTheSameMoment: this tab says that its reader has gone, while the tab of the next reader says who it is.
func TestFormerReader_TabsThatWriteAtTheSameMoment(t *testing.T) {
	b := gone(t)
	b.screen.kept[readerKey] = "ben"
	b.act(SigningOut{})
	if b.screen.kept[readerKey] != "ben" {
		t.Error("the next reader's message is written over")
	}
	b.screen.answer("/socket", Answer{Head: Head{Status: 400}}) // the session of the next reader is good
	l := newLink(b.screen, b.server.dial, nil)
	go l.doubt()
	b.until("the link doesn't wait any longer", func() bool { return len(l.nudge) == 1 })
}

func TestSigningOutInAnotherTabIsNoticed(t *testing.T) {
	b := start(t, of("ada", pods("a")), here)
	b.conn()
	b.screen.answer("/socket", Answer{Head: Head{Status: 401}})
	close(b.server.down)
	delete(b.screen.kept, readerKey)
	b.act(Stored{Key: readerKey})
	b.until("the words", func() bool { return strings.Contains(b.screen.places[Gone], "You’re signed out.") })
}

func TestSigningOutIsToldToOtherTabs(t *testing.T) {
	b := start(t, of("ada", pods("a")), here)
	b.act(SigningOut{})
	if _, kept := b.screen.kept[readerKey]; kept {
		t.Error("other tabs aren't told")
	}
}
