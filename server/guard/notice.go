package guard

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/guard/status"
)

// Notice is a page of the guard's own: a refusal, or the sign-in form.
type Notice struct {
	Status     int
	Title      string
	Words      string
	Stylesheet string // URL; empty for none
	// SignIn asks for a link to SignInPath, Form for the form itself: POST to SignInPath with the fields "token" and "next".
	SignIn, Form bool
	// Next is where to go after signing in, the value of the form's field "next".
	Next string
	// Share asks for the form that makes a link for another browser: POST to LinkPath.
	Share bool
	// Link is such a link, to be shown.
	Link string
	// Programs asks for the forms that make and revoke tokens for programs: POST to ProgramsPath, with the field "revoke" to revoke one or all. Tokens are
	// those of the session at the time Now, and Address is where programs send them.
	Programs bool
	Tokens   []ProgramToken
	Now      time.Time
	Address  string
	// Again is the path of this page when reloading it from our own origin may help: browsers leave the cookie out
	// when another site's link leads here.
	Again string
	// Refresh is an address of ours, or of an issuer, that the page opens at once by itself; empty: none.
	Refresh string
	// Places are the clusters that the reader can sign in for, in shared mode. Action is where a form with a token is sent to: POST with
	// the fields "cluster", "token" and "next". In local mode it is empty.
	Places []Place
	Action string
	// Links lead on from here.
	Links []Link
}

// Place is a cluster, and the ways to sign in for it.
type Place struct {
	Slug, Title string
	// Wanted tells that the page that was requested is about this cluster.
	Wanted bool
	// Person is who is signed in for it; empty: nobody.
	Person string
	// Start is the address that leads to the issuer, and By the issuer's name; empty: this way isn't possible.
	Start, By string
	// Token tells that a token can be pasted.
	Token bool
	// Why says in whole sentences what to know about this cluster, or why there is no way.
	Why string
}

// Link is an address with its text.
type Link struct{ Text, Href string }

var notice = template.Must(template.New("notice").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} · Fieldmark</title>
{{- with .Refresh}}
<meta http-equiv="refresh" content="0;url={{.}}">{{end}}
{{- with .Stylesheet}}
<link rel="stylesheet" href="{{.}}">{{end}}
</head>
<body>
<main class="notice">
<h1>{{.Title}}</h1>
<p>{{.Words}}</p>
{{- if .Form}}
<form method="post" action="/-/sign-in">
<input type="hidden" name="next" value="{{.Next}}">
<label for="token">Launch token</label>
<input id="token" name="token" type="password" autocomplete="off" required autofocus>
<button type="submit">Sign in</button>
</form>
<p>The launch token is the value of --token or FIELDMARK_TOKEN. Without them, Fieldmark prints a random token in the terminal where you started it.</p>{{end}}
{{- if .Share}}
<form method="post" action="/-/sign-in-link"><button type="submit">Make a link</button></form>{{end}}
{{- with .Link}}
<p><code>{{.}}</code></p>{{end}}
{{- if .Programs}}
<form method="post" action="/-/programs"><button type="submit">Make a token</button></form>
{{- range .Tokens}}
<form method="post" action="/-/programs"><p>…{{.Ending}}, made at {{.Made.UTC.Format "15:04 UTC"}}, {{if .Used.IsZero}}not used{{else}}last used at {{.Used.UTC.Format "15:04 UTC"}}{{end}}, ends at {{.Until.UTC.Format "15:04 UTC"}}</p>
<button type="submit" name="revoke" value="{{.ID}}">Revoke …{{.Ending}}</button></form>{{end}}
{{- if .Tokens}}
<form method="post" action="/-/programs"><button type="submit" name="revoke" value="all">Revoke all tokens</button></form>{{end}}{{end}}
{{- with .Again}}
<p><a href="{{.}}">Continue if you are signed in</a></p>{{end}}
{{- with .Refresh}}
<p><a href="{{.}}">Continue</a></p>{{end}}
{{- range .Places}}
<h2>{{.Title}}</h2>
{{- with .Person}}<p>You are signed in as {{.}}.</p>{{end}}
{{- with .Why}}<p>{{.}}</p>{{end}}
{{- if .Start}}<p><a href="{{.Start}}">Sign in with {{.By}}</a></p>{{end}}
{{- if .Token}}
<form method="post" action="{{$.Action}}">
<input type="hidden" name="next" value="{{$.Next}}">
<input type="hidden" name="cluster" value="{{.Slug}}">
<label>Token <input name="token" type="password" autocomplete="off" required></label>
<button type="submit">Sign in with a token</button>
</form>{{end}}
{{- end}}
{{- range .Links}}
<p><a href="{{.Href}}">{{.Text}}</a></p>{{end}}
{{- if .SignIn}}
<p><a href="/-/sign-in">Sign in with the launch token</a></p>{{end}}
</main>
</body>
</html>
`))

func plainPage(w io.Writer, n Notice) error {
	if err := notice.Execute(w, n); err != nil {
		return fmt.Errorf("writing the plain page: %w", err)
	}
	return nil
}

// deny answers a refused request: a page for people, a Status for programs.
func (g *Guard) deny(w http.ResponseWriter, r *http.Request, no Refusal) {
	g.opt.Log.Debug("refused", "method", r.Method, "path", r.URL.Path, "code", no.Code, "why", no.Words)
	// A connection that waited for an upgrade accepts no other request. A proxy in front of us would send it one.
	if _, upgrade := r.Header["Upgrade"]; (no.HangUp || upgrade) && r.ProtoMajor == 1 { // each stream of HTTP/2 ends by itself, and the others go on
		w.Header().Set("Connection", "close")
	}
	g.hangUpIfUnread(w, r)
	if no.Wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds(no.Wait)))
	}
	if wantsPage(r, no.Code) {
		g.show(w, r, no.Code, no.Words)
		return
	}
	status.Write(w, no.Code, no.Words)
}

// wantsPage tells a person's browser from a program. A request to a cluster gets a Status, except where a person opens the address in a browser that has
// to sign in first. Only browsers send Sec-Fetch-Mode. Pages of other sites may not lead to clusters (isolated).
func wantsPage(r *http.Request, code int) bool {
	opened := code == http.StatusUnauthorized && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Site") != "cross-site"
	return strings.Contains(r.Header.Get("Accept"), "text/html") && (opened || !strings.HasPrefix(r.URL.Path, clusters))
}

var titles = map[int]string{
	http.StatusOK:                    "Sign in",
	http.StatusBadRequest:            "This request can't be read",
	http.StatusUnauthorized:          "Sign in",
	http.StatusForbidden:             "Request refused",
	http.StatusRequestEntityTooLarge: "The request is too long",
	http.StatusTooManyRequests:       "Too many attempts",
	http.StatusInternalServerError:   "Something went wrong",
}

// show makes a page of words. Where signing in helps, the door says how.
func (g *Guard) show(w http.ResponseWriter, r *http.Request, code int, words string) {
	n := Notice{Status: code, Title: titles[code], Words: words}
	if n.Title == "" {
		n.Title = http.StatusText(code)
	}
	g.door.Invite(r, &n)
	g.page(w, n)
}

// page writes a page of the guard's own.
func (g *Guard) page(w http.ResponseWriter, n Notice) {
	n.Stylesheet = g.opt.Stylesheet()
	var page bytes.Buffer
	if err := g.opt.Page(&page, n); err != nil {
		g.opt.Log.Error("the notice could not be rendered", "error", err)
		page.Reset()
		_ = plainPage(&page, n)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(page.Len()))
	w.WriteHeader(n.Status)
	_, _ = page.WriteTo(w)
}
