package guard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	byHash map[[sha256.Size]byte]*program
}

// program is what a token stands for.
type program struct {
	session Session
	ending  string // the last characters of the token
	made    time.Time
	used    time.Time // zero: not yet
	until   time.Time
}

// shownEnding is how many characters of a token people see in the list. It has 32, so the others can't be guessed.
const shownEnding = 4

// ProgramToken is a token for programs as the people see it who made it. Nobody can use it as a token.
type ProgramToken struct {
	ID     string // the value of the field "revoke"
	Ending string // its last characters
	Made   time.Time
	Used   time.Time // the last request; zero: there was none
	Until  time.Time
}

func newPrograms(opt Options) *programs {
	return &programs{now: opt.Now, random: opt.Rand, byHash: map[[sha256.Size]byte]*program{}}
}

// make makes a token on behalf of a session. It exists nowhere else.
func (p *programs) make(s Session) (token string, err error) {
	secret, err := NewToken(p.random)
	if err != nil {
		return "", err
	}
	token = programPrefix + secret
	now := p.now()
	one := &program{
		session: Session{ID: s.ID, Kind: Bearer, Person: s.Person, ReadOnly: programsReadOnly, NoWorkloads: programsReadOnly},
		ending:  token[len(token)-shownEnding:], made: now, until: now.Add(programTime),
	}
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

// list has the tokens of a session, the newest first.
func (p *programs) list(session string) []ProgramToken {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []ProgramToken
	for hash, one := range p.byHash {
		if one.session.ID == session && p.now().Before(one.until) {
			all = append(all, ProgramToken{ID: programID(hash), Ending: one.ending, Made: one.made, Used: one.used, Until: one.until})
		}
	}
	slices.SortFunc(all, func(a, b ProgramToken) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.ID, b.ID)) })
	return all
}

// programID names a token in a form. It is a part of the hash, so it gives no access.
func programID(hash [sha256.Size]byte) string { return hex.EncodeToString(hash[:8]) }

// revoke deletes one token of a session, and tells whether there was one.
func (p *programs) revoke(session, id string) (revoked bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for hash, one := range p.byHash {
		if one.session.ID == session && programID(hash) == id {
			delete(p.byHash, hash)
			revoked = true
		}
	}
	return revoked
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
	defer p.mu.Unlock()
	one, known := p.byHash[sha256.Sum256([]byte(token))]
	if !known || !p.now().Before(one.until) {
		return Session{}, refuse(http.StatusUnauthorized, "This token for programs isn't valid any more. It was revoked, or its time is over, or the session that made it has ended. Make another one at "+ProgramsPath+".")
	}
	one.used = p.now()
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
	n := Notice{Status: http.StatusOK, Title: "Tokens for programs", Programs: true, Now: g.opt.Now(), Address: g.origin(r) + ProgramPath}
	switch {
	case s.Kind == Bearer && s.Person != nil:
		g.deny(w, r, refuse(http.StatusForbidden, "Only a signed-in browser can make tokens for programs."))
		return
	case reads(r.Method):
		n.Words = "An assistant asks Fieldmark with a token of its own. The token only reads. It ends with this session, and after 8 hours at the latest."
		if g.opt.Public != nil {
			n.Words += " If Fieldmark has several replicas, each of them knows only the tokens that it made."
		}
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
	n.Tokens = g.programs.list(s.ID)
	if !strings.Contains(r.Header.Get("Accept"), "text/html") && n.Link != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, n.Link+"\n")
		return
	}
	g.page(w, n)
}

// origin is the address of this Fieldmark as the sender of a request knows it. The guard has checked the request's host.
func (g *Guard) origin(r *http.Request) string {
	switch {
	case g.opt.Public != nil:
		return g.opt.Public.String()
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// The field of the form that revokes a token: its id, or all for all tokens of the session.
const (
	revokeField = "revoke"
	revokeAll   = "all"
)

// change makes a token, or revokes some.
func (g *Guard) change(w http.ResponseWriter, r *http.Request, s Session, n *Notice) Refusal {
	if no := readForm(w, r); no.yes() {
		return no
	}
	switch id := r.PostFormValue(revokeField); {
	case id == revokeAll:
		g.programs.end(s.ID)
		n.Words = "All tokens of this session are revoked. Programs that have one are refused from now on."
		return Refusal{}
	case id != "" && g.programs.revoke(s.ID, id):
		n.Words = "The token is revoked. Programs that have it are refused from now on."
		return Refusal{}
	case id != "":
		n.Words = "There is no such token. It was revoked before, or its time is over."
		if g.opt.Public != nil {
			n.Words = "This replica of Fieldmark has no such token. It was revoked before, its time is over, or another replica made it. Load the page again until the list has it."
		}
		return Refusal{}
	}
	token, err := g.programs.make(s)
	if err != nil {
		g.opt.Log.Error("no token could be made", "error", err)
		return refuse(http.StatusInternalServerError, "Fieldmark can't make a token.")
	}
	n.Words, n.Link = "Copy the token now. It isn't shown again. It only reads, and it ends with this session, and after 8 hours at the latest.", token
	return Refusal{}
}
