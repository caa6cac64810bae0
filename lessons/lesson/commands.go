package lesson

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
)

// Commands are commands for a shell by which kubectl makes this request, and what has to be said of them; without any it can't,
// and that is why. They are the lesson's own, or a translation of the request, which has to be expanded. What is sent with somebody else's
// rights is sent by way of a context of a kubeconfig.
func (r Request) Commands(context string) (text, note string) {
	text = r.Kubectl
	switch {
	case r.NoKubectl != "":
		return "", r.NoKubectl
	case text == "":
		text, note = r.translated()
	}
	if r.As != "" {
		text = command.ReplaceAllString(text, "${1}kubectl --context="+context+" ")
	}
	return strings.TrimSuffix(text, "\n"), note
}

// cannot is said of a request where kubectl has no words for a part of it.
const cannot = "kubectl can’t send this as it is, or can’t ask for the answer in this form. The page can."

// command is where a command with kubectl begins.
var command = regexp.MustCompile(`(?m)(^|[|;&(]\s*)kubectl `)

// translated is the request as a command that sends the same and asks for the same form.
func (r Request) translated() (text, note string) {
	q := request.New(r.Method, r.Target)
	q.Body = []byte(r.Body)
	for _, h := range r.Header {
		q.Header = append(q.Header, request.Header(h))
	}
	accept, _, _ := strings.Cut(q.Field("Accept"), ",")
	media, parameters, _ := strings.Cut(strings.ReplaceAll(accept, " ", ""), ";")
	table := strings.Contains(";"+parameters+";", ";as=Table;") && strings.Contains(";"+parameters+";", ";v=v1;")
	if media != "application/json" || parameters != "" && !table || q.Field("Accept-Encoding") != "" || !r.readable() {
		return "", cannot
	}
	if sent, _, _ := strings.Cut(q.Field("Content-Type"), ";"); q.Method == request.Post && !slices.Contains([]string{"", "application/json", "application/yaml"}, sent) {
		return "", "" // nor what to call a body
	}
	c := q.Kubectl()
	reads := q.Method == request.Get
	switch {
	case table && c.Line != c.Raw:
		return c.Line, c.Note
	case table || q.Verb() == "deletecollection":
		return "", cannot // it would get another form, or delete one after the other
	case c.Raw != "" && (reads || c.Line == c.Raw):
		if media := q.Field("Content-Type"); r.Body != "" && media != "application/json" {
			return "", cannot // the media type
		}
		return c.Raw, ""
	}
	return c.Line, c.Note
}

// readable tells whether kubectl, which reads what it sends, would send the body as it is: one object that says what it is, in a form that
// kubectl knows.
func (r Request) readable() bool {
	media := r.Field("Content-Type")
	_, query, _ := strings.Cut(r.Target, "?")
	parameters, err := url.ParseQuery(query)
	dry := parameters.Get("dryRun")
	switch {
	case err != nil || dry != "" && dry != "All":
		return false
	case r.Body == "" || r.Method == request.Patch || r.Method == request.Delete:
		return true
	case media != "application/json" && media != "application/yaml":
		return false
	}
	return typed.MatchString(r.Body) && versioned.MatchString(r.Body) && !several.MatchString(r.Body)
}

// What a body says of itself, in JSON or YAML.
var (
	typed     = regexp.MustCompile(`(?m)^\{?\s*"?kind"?:|[{,]\s*"?kind"?:`)
	versioned = regexp.MustCompile(`(?m)^\{?\s*"?apiVersion"?:|[{,]\s*"?apiVersion"?:`)
	several   = regexp.MustCompile(`(?m)^---|"?kind"?:\s*"?[A-Za-z]*List\b`)
)
