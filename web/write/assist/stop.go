package assist

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/ignore"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
)

// To stop a fight, the page shows what each manager wants of one field, and the ways to settle it:
//
//	who wants what ──▶ ways, each tried as a dry run ──▶ the chosen one, step by step ──▶ watch until the field is quiet
//	     ▲  (Fight: versions that the page followed)             (run, as for each assistant)         (Vigil)
//	     └── address: field, managers
//
// The field changes its owner all the time, and a dry run depends on the owner. So a way is tried once for each owner, and keeps these results.

// Way is a way to stop a fight.
type Way string

// The ways that are requests. A tool's own rule is a way, too, but no request.
const (
	WayGiveUp   Way = "give-up"
	WayHandOver Way = "hand-over"
	WayLimit    Way = "limit"
)

var ways = []Way{WayGiveUp, WayHandOver, WayLimit}

// Bounds of what is shown and tried.
const (
	mostParties = 4 // managers with ways of their own
	mostPairs   = 6 // hand-overs
)

// contested is the field of the fight; empty: none is chosen.
func (c Choice) contested() string {
	if c.Do != StopFight || len(c.Fields) == 0 {
		return ""
	}
	return c.Fields[0]
}

// stop is the plan of the chosen way.
func (c Choice) stop(o object.Object, past *memory) (assist.Plan, error) {
	from, known := managerOf(o, past, c.From)
	switch {
	case c.contested() == "":
		return assist.Plan{}, missing("Choose the field that the managers fight over.")
	case c.Way == WayLimit:
		s, found := c.scaler(past)
		replicas, err := strconv.ParseInt(c.Limit, 10, 64)
		if !found || err != nil {
			return assist.Plan{}, missing("Fieldmark hasn’t found this autoscaler. Choose a way again.")
		}
		return assist.MoveLimit(s, replicas, fieldmark), nil
	case c.Way == "" || !known:
		return assist.Plan{}, missing("Choose one of the ways.")
	case c.Way == WayGiveUp:
		return assist.GiveUp(o.Fields, nil, from, c.Fields)
	}
	return c.handOver(o, from, true, past)
}

// fieldmark is the field manager of requests that this page makes for itself.
const fieldmark = "fieldmark"

// managerOf finds a manager by its key: in the object, in the memory, or else in the key.
func managerOf(o object.Object, past *memory, key string) (ownership.Manager, bool) {
	if m, held := holderOf(o, key); held {
		return m, true
	}
	if m, known := past.manager(key); known {
		return m, true
	}
	return ownership.ParseKey(key)
}

// scaler is the autoscaler whose limit is to be moved.
func (c Choice) scaler(past *memory) (assist.Scaler, bool) {
	if past == nil || c.Do != StopFight || c.Way != WayLimit {
		return assist.Scaler{}, false
	}
	i := slices.IndexFunc(past.scalers, func(s assist.Scaler) bool { return s.Name == c.Name })
	if i < 0 {
		return assist.Scaler{}, false
	}
	return past.scalers[i], true
}

// scalerPath is the path of an autoscaler of an object.
func scalerPath(o object.Object, s assist.Scaler) apipath.Path {
	return apipath.Object("autoscaling", "v2", o.Meta("namespace"), "horizontalpodautoscalers", s.Name)
}

// meet begins to follow the field of the fight, if it is another one than before.
func (m Model) meet() {
	field := m.Choice.contested()
	if field == "" || m.live.fight != nil && m.live.fight.Path == field {
		return
	}
	m.live.fight, m.live.trials, m.live.vigil = assist.NewFight(field), map[string]*trial{}, nil
	o := m.live.followed.Object
	m.live.fight.See(o.Fields, m.Now)
}

// observe takes in a version of the object that the page has followed.
func (m Model) observe(o object.Object, at time.Time) {
	l := m.live
	if l.fight == nil {
		return
	}
	w := l.fight.See(o.Fields, at)
	if l.vigil != nil && !l.vigil.own(o.Meta("resourceVersion")) {
		l.vigil.Vigil = l.vigil.Hear(w, at)
	}
}

// fighting is the fight as the page knows it.
func (m Model) fighting() *assist.Fight {
	if m.live != nil && m.live.fight != nil {
		return m.live.fight
	}
	f := assist.NewFight(m.Choice.contested())
	f.See(m.Object.Fields, m.Now)
	return f
}

// party is a manager in the fight.
type party struct {
	ownership.Manager
	want    *assist.Want // nil: the manager hasn't owned the field since the page was opened
	scalers []assist.Scaler
}

// parties are the managers in the fight: those of the address, and all that owned the field since the page was opened.
func (m Model) parties() []party {
	f := m.fighting()
	var all []party
	add := func(who ownership.Manager, want *assist.Want) {
		if slices.ContainsFunc(all, func(p party) bool { return p.Same(who) }) {
			return
		}
		p := party{Manager: who, want: want}
		if (assist.Scaler{}).Manager(who) && f.Path == replicas && m.past() != nil {
			p.scalers = m.past().scalers
		}
		all = append(all, p)
	}
	for _, key := range m.Choice.Managers {
		if who, ok := ownership.ParseKey(key); ok {
			add(who, f.Of(who))
		}
	}
	for i := range f.Wants {
		add(f.Wants[i].Manager, &f.Wants[i])
	}
	return all
}

// wants is what the manager wants, in words.
func (p party) wants() string {
	switch {
	case p.want == nil:
		return "not seen yet"
	case p.want.Value == "":
		return "no value"
	}
	return short(p.want.Value)
}

// wrote says when the manager last wrote: the field, if the page has seen it, or else the object.
func (p party) wrote(now time.Time) string {
	switch {
	case p.want == nil:
		return "not an owner since this page was opened"
	case p.want.Wrote.IsZero():
		return owners.Wrote(p.want.Owner, now)
	}
	return "wrote the field " + table.Duration(max(0, now.Sub(p.want.Wrote))) + " ago"
}

// short is a value in JSON, cut to a few characters.
func short(value string) string {
	const most = 60
	if value == "" {
		return "no value"
	}
	if runes := []rune(value); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return value
}

// faces are the faces of all managers that the page names.
func (m Model) faces() owners.Faces {
	var all []ownership.Manager
	if past := m.past(); past != nil {
		all = append(all, past.managers...)
	} else {
		for _, o := range ownership.Parse(m.Object.Fields).Managers() {
			all = append(all, o.Manager)
		}
	}
	if m.Choice.contested() != "" {
		for _, p := range m.parties() {
			all = append(all, p.Manager)
		}
	}
	return owners.FacesOf(all)
}

// face is a manager as the page shows it.
func (m Model) face(who ownership.Manager) components.Manager { return m.faces().Of(who) }

// card is a way to stop the fight, as the page shows it.
type card struct {
	choice Choice // zero: the way is no request
	title  string
	what   string              // one sentence: what the way is
	who    string              // one sentence: who has to do it
	of     []ownership.Manager // whose way it is, for their faces
	lines  string              // YAML to delete from a manifest, or to paste
	named  string              // what the YAML is
	untold string              // why the way can't be tried; empty: it can
}

// key identifies the way among all ways.
func (c card) key() string { return c.choice.query("").Encode() }

// cards are the ways to stop the fight.
func (m Model) cards() []card {
	if m.Choice.contested() == "" {
		return nil
	}
	var all []card
	parties := slices.DeleteFunc(m.parties(), func(p party) bool { return p.History() || assist.Temporary(p.Manager) })
	parties = parties[:min(len(parties), mostParties)]
	for _, p := range parties {
		all = append(all, m.givingUp(p)...)
	}
	for _, p := range parties {
		all = append(all, m.ruled(p, parties)...)
	}
	all = append(all, m.handing(parties)...)
	return append(all, m.limits(parties)...) // last, because they come and go
}

// id is the element's id, so that a card stays the same element when others come and go.
func (c card) id() string {
	return "way-" + url.QueryEscape(strings.Join([]string{string(c.choice.Way), c.title, c.choice.From, c.choice.To}, " "))
}

// way is a choice of a way.
func (m Model) way(w Way, from, to ownership.Manager) Choice {
	c := Choice{Do: StopFight, Fields: m.Choice.Fields, Managers: m.Choice.Managers, Way: w}
	if from.Name != "" {
		c.From = from.Key()
	}
	if to.Name != "" {
		c.To = to.Key()
	}
	return c
}

// givingUp is the way in which a manager gives the field up; empty if it has no manifest.
func (m Model) givingUp(p party) []card {
	o := m.shown().Fields
	client := p.Operation == ownership.Update && slices.Contains(assist.ClientSideManagers(o), p.Name)
	if !client && !assist.CanGiveUp(p.Manager) {
		return nil
	}
	if p.want != nil {
		o = p.want.Object
	}
	c := card{
		title: p.Name + " gives the field up",
		what:  "Delete the field from the manifest that " + p.Name + " applies.",
		who:   "The people who maintain this manifest delete the lines, for example in Git.",
		of:    []ownership.Manager{p.Manager}, lines: assist.Lines(o, m.Choice.contested()), named: "Lines in the manifest of " + p.Name,
	}
	if client {
		c.untold = "Fieldmark can’t try client-side apply, because kubectl computes it. kubectl apply then removes the field from the object, also if other managers own it. Another manager must write the field again."
		return []card{c}
	}
	c.choice = m.way(WayGiveUp, p.Manager, ownership.Manager{})
	return []card{c}
}

// ruled is the rule of the tool that a manager is; empty if the tool has none.
func (m Model) ruled(p party, parties []party) []card {
	o := m.shown()
	d := ignore.Difference{APIVersion: o.APIVersion(), Kind: o.Kind(), Namespace: o.Meta("namespace"), Name: o.Meta("name"), Path: m.Choice.contested()}
	d = d.Find(ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil))
	var others []string
	for _, other := range parties {
		if other.Name != p.Name && !slices.Contains(others, other.Name) {
			others = append(others, other.Name)
		}
	}
	r, known := ignore.For(p.Name, d, others)
	if !known {
		return nil
	}
	return []card{{
		title: "The rule of " + r.Tool + ": ignore the field",
		what:  r.Effect + " Other managers keep what they own.",
		who:   "The people who maintain the settings of " + r.Tool + " paste the rule " + r.Place + ".",
		of:    []ownership.Manager{p.Manager}, lines: r.YAML, named: "Rule of " + r.Tool,
		untold: "Fieldmark can’t try the rule, because " + r.Tool + " reads it, and not the API server.",
	}}
}

// handing are the hand-overs between the managers.
func (m Model) handing(parties []party) []card {
	var all []card
	for _, from := range parties {
		for _, to := range parties {
			if from.Same(to.Manager) || len(all) == mostPairs {
				continue
			}
			c := card{
				choice: m.way(WayHandOver, from.Manager, to.Manager),
				title:  "Hand over from " + from.Name + " to " + to.Name,
				what:   to.Name + " gets the field with its live value, and " + from.Name + " gives it up.",
				who:    "You send the requests here. The people who maintain the manifest of " + from.Name + " delete the field from it.",
				of:     []ownership.Manager{from.Manager, to.Manager},
			}
			if to.Operation == ownership.Update {
				c.what += " A temporary manager keeps the field until the next write of " + to.Name + "."
			}
			if from.Operation == ownership.Update {
				c.who = "You send the requests here. " + from.Name + " has no manifest, so change its settings, or it writes the field again."
			}
			all = append(all, c)
		}
	}
	return all
}

// limits are the limits of autoscalers that forbid what another manager wants.
func (m Model) limits(parties []party) []card {
	past := m.past()
	if past == nil || m.Choice.contested() != replicas {
		return nil
	}
	var all []card
	for _, s := range past.scalers {
		for _, p := range parties {
			if p.want == nil || p.Subresource == "scale" {
				continue // an autoscaler itself, which wants another number each time
			}
			n, err := strconv.ParseInt(p.want.Value, 10, 64)
			field, limit, forbidden := s.Limit(n)
			if err != nil || !forbidden {
				continue
			}
			c := m.way(WayLimit, ownership.Manager{}, ownership.Manager{})
			c.Name, c.Limit = s.Name, p.want.Value
			all = append(all, card{
				choice: c, title: fmt.Sprintf("Set %s of HorizontalPodAutoscaler %s to %d", field, s.Name, n),
				what: fmt.Sprintf("%s wants %d replicas, but the limit %s is %d. So the autoscaler writes another number.", p.Name, n, field, limit),
				who:  "You send one request here. It writes the autoscaler, and not this object.",
				of:   []ownership.Manager{p.Manager},
			})
		}
	}
	return all[:min(len(all), mostParties)]
}

// rivals are the fields that changed owners since the page was opened, or that have several owners. The reader chooses one of them.
func (m Model) rivals() []string {
	seen := map[string]bool{}
	if past := m.past(); past != nil {
		for _, fields := range past.fields {
			for path, lost := range fields {
				seen[path] = seen[path] || lost
			}
		}
	}
	var all []string
	for path, lost := range seen {
		if lost {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all[:min(len(all), components.MostListed)]
}

// stopping is the address of the assistant for another field.
func (m Model) stopping(field string) string {
	return web.Stop(m.Shell.Cluster.Slug, m.Path.String(), field)
}
