package lesson

import (
	"cmp"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
)

// variant is a link to the request console, with a copy of a request that the reader may change. It has no address if there is none.
type variant struct{ href, hint string }

// variantOf is the variant of a request that the page has a response for.
func (m Model) variantOf(at block) variant {
	filled, err := m.block(at).Request.Expanded(m.live.vars)
	if err != nil || !m.live.sent[at].Answered() || m.live.phase != ready && m.live.phase != reading {
		return variant{}
	}
	r, object, ok := filled.Variant()
	if !ok || len(r.Body) > web.MostInAddress {
		return variant{}
	}
	x := m.call("", r)
	query := url.Values{
		web.ConsoleMethod: {x.Method}, web.ConsolePath: {x.Path}, web.ConsoleAccept: {request.Field(x.Header, "Accept")},
	}
	if r.Body != "" {
		query.Set(web.ConsoleBody, r.Body)
		query.Set(web.ConsoleContent, cmp.Or(request.Field(x.Header, "Content-Type"), "application/json"))
	}
	v := variant{href: web.WithQuery(web.Tool(x.Cluster, web.Request), query), hint: "A copy of this request opens in the request console. Change it there."}
	switch step := m.creator(at, filled); {
	case object == "" || r.Creates():
	case step == none || step == at.step:
		v.hint += " It is about the object " + object + ": create it first."
	default:
		v.hint += " It is about the object " + object + ": create it first, with a variant of step " + strconv.Itoa(step+1) + "."
	}
	return v
}

// creator is the first step that creates the object of a request; none: there is no such step.
func (m Model) creator(at block, r lesson.Request) int {
	for s := range at.step + 1 {
		for _, b := range m.Lesson.Steps[s].Blocks {
			if b.Request == nil || !b.Request.Creates() {
				continue
			}
			if made, err := b.Request.Expanded(m.live.vars); err == nil && made.Touches() == r.Touches() {
				return s
			}
		}
	}
	return none
}
