package guard

import (
	"crypto/sha256"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Where assistants and other programs ask, and where people make tokens for them.
const (
	ProgramPath  = "/mcp"
	ProgramsPath = "/-/programs"
)

// Bounds of tokens for programs. A token also ends with the session that made it.
const (
	programTime = 8 * time.Hour
	maxPrograms = 5 // of one session; a newer one replaces the oldest
)

// programPrefix begins each token for programs, so that people and scanners of repositories recognize it.
const programPrefix = "fieldmark-program-"

// programsReadOnly says why a program only reads.
const programsReadOnly = "The token is one for programs, and they only read."

// programs are the tokens that people make for programs (threat: program token). A token is good at ProgramPath and nowhere else, so it can't write,
// whatever the person may do. Tokens are kept as hashes, like cookies. They have 192 random bits, so wrong ones are not counted.
type programs struct {
	now    func() time.Time
	random io.Reader

	mu     sync.Mutex
	byHash map[[sha256.Size]byte]program
}

// program is what a token stands for.
type program struct {
	session Session
	made    time.Time
	until   time.Time
}

func newPrograms(opt Options) *programs {
	return &programs{now: opt.Now, random: opt.Rand, byHash: map[[sha256.Size]byte]program{}}
}

// make makes a token on behalf of a session. It exists nowhere else.
func (p *programs) make(s Session) (token string, err error) {
	secret, err := NewToken(p.random)
	if err != nil {
		return "", err
	}
	token = programPrefix + secret
	one := program{session: Session{ID: s.ID, Kind: Bearer, Person: s.Person, ReadOnly: programsReadOnly, NoWorkloads: programsReadOnly}, made: p.now(), until: p.now().Add(programTime)}
	if !s.Ends.IsZero() && s.Ends.Before(one.until) {
		one.until = s.Ends
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.makeRoom(s.ID)
	p.byHash[sha256.Sum256([]byte(token))] = one
	return token, nil
}

// makeRoom deletes the tokens whose time is over and, if a session has too many, its oldest one. The caller holds the lock.
func (p *programs) makeRoom(session string) {
	var own [][sha256.Size]byte
	for hash, one := range p.byHash {
		switch {
		case !p.now().Before(one.until):
			delete(p.byHash, hash)
		case one.session.ID == session:
			own = append(own, hash)
		}
	}
	if len(own) >= maxPrograms {
		delete(p.byHash, slices.MinFunc(own, func(a, b [sha256.Size]byte) int { return p.byHash[a].made.Compare(p.byHash[b].made) }))
	}
}

// count is how many tokens a session has.
func (p *programs) count(session string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.byHash {
		if one.session.ID == session && p.now().Before(one.until) {
			n++
		}
	}
	return n
}

// end deletes the tokens of a session.
func (p *programs) end(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for hash, one := range p.byHash {
		if one.session.ID == session {
			delete(p.byHash, hash)
		}
	}
}

// who is the session that a program's token stands for.
func (p *programs) who(r *http.Request) (Session, Refusal) {
	token, _ := bearerToken(r)
	if !strings.HasPrefix(token, programPrefix) {
		return Session{}, refuse(http.StatusUnauthorized, "This address is for assistants and other programs. It needs a token for programs. Make one at "+ProgramsPath+", and send it as a Bearer token.")
	}
	p.mu.Lock()
	one, known := p.byHash[sha256.Sum256([]byte(token))]
	p.mu.Unlock()
	if !known || !p.now().Before(one.until) {
		return Session{}, refuse(http.StatusUnauthorized, "This token for programs isn't valid any more. It ends with the session that made it. Make another one at "+ProgramsPath+".")
	}
	return one.session, Refusal{}
}

// EndPrograms deletes the tokens for programs that a session has made. Call it when the session ends.
func (g *Guard) EndPrograms(session string) { g.programs.end(session) }

// program finds the sender of a request to ProgramPath. Pages of other sites have no token, and are refused as well (threat: DNS rebinding).
func (g *Guard) program(r *http.Request) (Session, Refusal) {
	if len(r.Header["Origin"]) > 0 && !g.ownOrigin(r) || len(r.Header["Sec-Fetch-Site"]) > 0 && r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return Session{}, refuse(http.StatusForbidden, "Pages of other sites can't use this address.")
	}
	return g.programs.who(r)
}

// tokens is the page on which people make and revoke tokens for programs. The guard has checked the sender.
func (g *Guard) tokens(w http.ResponseWriter, r *http.Request, s Session) {
	n := Notice{Status: http.StatusOK, Title: "Tokens for programs", Programs: true, Tokens: g.programs.count(s.ID)}
	switch {
	case s.Kind == Bearer && s.Person != nil:
		g.deny(w, r, refuse(http.StatusForbidden, "Only a signed-in browser can make tokens for programs."))
		return
	case reads(r.Method):
		n.Words = "An assistant asks Fieldmark with a token of its own. The token only reads. It ends with this session, and after 8 hours."
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, HEAD, POST")
		g.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only GET, HEAD and POST."))
		return
	default:
		if no := g.change(w, r, s, &n); no.yes() {
			g.deny(w, r, no)
			return
		}
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/html") && n.Link != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, n.Link+"\n")
		return
	}
	g.page(w, n)
}

// revokeField is the field of the form that deletes all tokens of the session, with any value.
const revokeField = "revoke"

// change makes a token, or revokes all.
func (g *Guard) change(w http.ResponseWriter, r *http.Request, s Session, n *Notice) Refusal {
	if no := readForm(w, r); no.yes() {
		return no
	}
	if r.PostFormValue(revokeField) != "" {
		g.programs.end(s.ID)
		n.Words, n.Tokens = "All tokens of this session are revoked. Programs that have one get no response any more.", 0
		return Refusal{}
	}
	token, err := g.programs.make(s)
	if err != nil {
		g.opt.Log.Error("no token could be made", "error", err)
		return refuse(http.StatusInternalServerError, "Fieldmark can't make a token.")
	}
	n.Words, n.Link, n.Tokens = "Copy the token now. It isn't shown again. It only reads, and it ends with this session, and after 8 hours.", token, g.programs.count(s.ID)
	return Refusal{}
}
