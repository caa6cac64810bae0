package compare

import (
	"fmt"
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/compared"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/words"
)

// mayNot says why Fieldmark doesn't send the request; empty: it does. A request that an API server would refuse can be sent, because a refusal is a
// response too.
func (m Model) mayNot() string {
	p, ok := m.draft(0).Path()
	there, also := m.draft(1).Path()
	switch {
	case !ok || !also:
		return fmt.Sprintf("Fieldmark can’t read this path: %s", m.pathTrouble())
	case !m.Shell.ReadOnly:
		return ""
	case p.Connects() || there.Connects():
		return m.Shell.Limit() + " Fieldmark sends no requests to workloads."
	case m.Draft.Writes() && m.Draft.Request().Query.Get("dryRun") != "All":
		return m.Shell.Limit() + " Fieldmark sends only reads and dry runs. Add dryRun=All to send this request."
	}
	return ""
}

// summary says how the responses differ, in whole sentences.
func (m Model) summary() string {
	r := m.Result
	switch {
	case r == nil:
		return ""
	case r.Found == nil:
		return "There is nothing to compare, because a server sent no response."
	}
	c := r.Found.Count(m.All)
	switch {
	case r.Pair != nil && m.All && !c.None():
		return pairWords(r.Pair) + " " + compared.Words(c)
	case r.Pair != nil:
		return pairWords(r.Pair)
	case c.None() && c.LeftOut == 0 && r.Found.Partial():
		return "Both servers sent the same response, as far as it is compared."
	case c.None() && c.LeftOut == 0:
		return "Both servers sent the same response."
	case c.None():
		return "Both servers sent the same response, apart from what always differs."
	}
	return compared.Words(c)
}

// leftOut says how many differences don't count; empty: none.
func (m Model) leftOut() string {
	if m.Result == nil || m.Result.Found == nil {
		return ""
	}
	if n := m.Result.Found.Count(m.All).LeftOut; n > 0 {
		return fmt.Sprintf("%s left out.", words.Count(int64(n), "difference is", "differences are"))
	}
	return ""
}

// remarks are what the reader must know about the comparison, in sentences.
func (m Model) remarks() []string {
	r := m.Result
	if r == nil || r.Found == nil {
		return nil
	}
	var all []string
	say := func(is bool, sentence string) {
		if is {
			all = append(all, sentence)
		}
	}
	notes := func(note compare.Note) bool { return r.Found.Left.Note == note || r.Found.Right.Note == note }
	say(r.Stopped, fmt.Sprintf("A watch doesn’t end. The page stopped it after %d seconds, and compares the events until then.", mostSeconds))
	say(r.Found.Formats, "The bodies have different formats, so most lines differ.")
	say(!r.Stopped && r.Found.Partial(), "Where a body or a value is too long or incomplete, the page compares only its beginning.")
	say(notes(compare.Binary), "The format is binary and has no lines. The page compares the bytes, and shows their number.")
	say(notes(compare.Withheld), "The body may have secrets, and this format can’t hide only the secrets. The page compares the bytes, and shows their number. Request JSON to see the other lines.")
	say(notes(compare.Hidden), "Values of Secrets and tokens are hidden. A mark at such a line says that the values differ.")
	return all
}

// varyWords say what always differs.
const varyWords = "These differ in each response, or on each server: uid, resourceVersion, the times of metadata, managers and conditions, continue tokens, and the headers Date, Audit-Id, Content-Length and X-Kubernetes-Pf-*."

// writesWords say that the request changes both clusters; empty: it doesn't.
func (m Model) writesWords() string {
	switch {
	case !m.Draft.Stores():
		return ""
	case m.same():
		return fmt.Sprintf("This request changes %s, and is sent twice.", m.name(0))
	}
	return fmt.Sprintf("This request changes both clusters: %s and %s.", m.name(0), m.name(1))
}

// equalBodies says that the lines of the bodies don't differ, as far as they count; empty: they do.
func (m Model) equalBodies() string {
	found := m.Result.Found
	vary := false
	for _, l := range found.Lines {
		if compared.Mark(l, m.All) != change.Same {
			return ""
		}
		vary = vary || l.What == compare.Varies
	}
	lines := words.Count(int64(len(found.Lines)), "line", "lines")
	switch {
	case len(found.Lines) == 0:
		return "Both responses have no body."
	case vary:
		return fmt.Sprintf("Both bodies have the same %s, apart from what always differs.", lines)
	}
	return fmt.Sprintf("Both bodies have the same %s.", lines)
}

// around is the number of equal lines before and after a difference.
const around = 3

// difference are the lines of both bodies side by side; more is true if the page shows only the first ones.
func (m Model) difference() (d components.Difference, more bool) {
	return compared.Of(m.Result.Found, compared.Look{
		Label: "The bodies of both responses", First: "first server", Second: "second server", Side: true,
		All: m.All, Equal: m.live.equal, Around: around, Most: m.live.lines,
	})
}

// differing are the headers that differ, if this counts.
func (m Model) differing() []compare.Header {
	var all []compare.Header
	for _, h := range m.Result.Found.Headers {
		if mark, _, _ := m.headerMark(h); mark == "changes" {
			all = append(all, h)
		}
	}
	return all
}

// headerMark is the mark of a header, as that of a line.
func (m Model) headerMark(h compare.Header) (mark, sign, spoken string) {
	switch {
	case h.What == compare.Varies && !m.All:
		return "varies", "≈", "always different"
	case h.What == compare.Same:
		return "", "", "equal"
	case h.What == compare.Only:
		return "changes", "~", "only one server"
	}
	return "changes", "~", "different"
}

// example is a request that is worth a comparison.
type example struct{ Title, Method, Target, Accept, Type, Body string }

// aggregated requests discovery of all groups in one document.
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

var examples = []example{
	{Title: "The version of the server", Target: "/version"},
	{Title: "All groups and their types, in one document", Target: "/apis", Accept: aggregated},
	{Title: "The groups", Target: "/apis"},
	{Title: "The OpenAPI documents", Target: "/openapi/v3"},
	{Title: "A list as CBOR", Target: UsualPath, Accept: "application/cbor"},
	{Title: "A Table with its columns", Target: "/api/v1/nodes?limit=1", Accept: accept.Table},
	{Title: "A list of an exact resource version", Target: "/api/v1/namespaces?limit=1&resourceVersion=1&resourceVersionMatch=Exact"},
	{Title: "A watch that begins with the state", Target: "/api/v1/namespaces?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3"},
	{
		Title: "A dry run with an unknown field", Method: request.Post, Target: "/api/v1/namespaces/default/configmaps?dryRun=All&fieldValidation=Strict", Type: "application/json",
		Body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"example-"},"unknownField":true}`,
	},
	{Title: "A dry run of a DELETE, with an option for objects that the server can’t read", Method: request.Delete, Target: "/api/v1/namespaces/default/configmaps/kube-root-ca.crt?dryRun=All&ignoreStoreReadErrorWithClusterBreakingPotential=true"},
}

func (e example) draft() draft.Draft {
	d := draft.Draft{Method: e.Method, Target: e.Target, Accept: e.Accept, ContentType: e.Type, Body: e.Body}
	if d.Method == "" {
		d.Method = request.Get
	}
	return d
}

// suggestions are the examples as links.
func (m Model) suggestions() []components.Link {
	links := make([]components.Link, len(examples))
	for i, e := range examples {
		d := e.draft()
		hint := d.Method + " " + d.Target
		if d.Accept != "" {
			hint += " · Accept: " + d.Accept
		}
		links[i] = components.Link{Text: e.Title, Href: m.link(d), Hint: hint, Current: m.link(d) == m.link(m.Draft)}
	}
	return links
}

// swapped is the page of the other cluster, with the request.
func (m Model) swapped() string {
	other := m
	other.Shell.Cluster.Slug, other.Other = m.Other, m.Shell.Cluster.Slug
	d := m.draft(1)
	if m.There != "" {
		other.There = m.Draft.Target
	}
	return other.link(d)
}

// inConsole is the request in the console of one of the clusters.
func (m Model) inConsole(side int) string {
	sent := m
	sent.Draft, sent.There = m.Result.Draft, m.Result.There
	query := sent.draft(side).Query()
	return web.WithQuery(web.Tool(m.Result.Sides[side].Call.Cluster, web.Request), query)
}

// inWireLog is the request in the wire log of one of the clusters.
func (m Model) inWireLog(side int) string {
	x := m.Result.Sides[side].Call
	return web.WithQuery(web.Tool(x.Cluster, web.Requests), url.Values{web.EntryField: {x.Entry}})
}

// longest is how much of a header's value is shown, in bytes.
const longest = 400

func shorter(text string) string {
	if cut := layout.Cut(text, longest); cut != text {
		return cut + "…"
	}
	return text
}

// serverHeading is a server's name in its heading. If both are the same cluster, the names tell which request it is.
func (m Model) serverHeading(side int) string {
	if m.Result != nil && !m.live.under {
		return m.Result.Sides[side].Name
	}
	return m.name(side)
}

// otherAccept is the text in the field for a media type without a name.
func (m Model) otherAccept() string {
	if !m.live.other && draft.Named(draft.Accepts, m.Draft.Accept) {
		return ""
	}
	return m.Draft.Accept
}

var onlyOne = components.Notice{
	Title:  "You have one cluster only",
	Words:  "This page compares two clusters. Until there is a second one, both requests go to the same cluster.",
	Advice: "Add a context to your kubeconfig. Or start practice clusters of two versions: make run ARGS='--practice-version 1.31,1.37'.",
}

var sameContext = components.Notice{
	Title:  "Both requests go to the same context",
	Words:  "So the server and the user are the same, and only what differs in each response can differ.",
	Advice: "Choose another cluster above, or another path for the second request. Two contexts of one server differ by their users.",
}
