package assist

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Do is one of the assistants.
type Do string

// The assistants.
const (
	HandOver     Do = "hand-over"
	ToServerSide Do = "to-server-side"
	ToClientSide Do = "to-client-side"
	Release      Do = "release"
	Clear        Do = "clear"
	StopFight    Do = web.StopFight
)

var all = []Do{StopFight, HandOver, ToServerSide, ToClientSide, Release, Clear}

// title is the name of the assistant.
func (d Do) title() string {
	switch d {
	case ToServerSide:
		return "To server-side apply"
	case ToClientSide:
		return "To client-side apply"
	case Release:
		return "Release a manager"
	case Clear:
		return "Clear the managers"
	case StopFight:
		return "Stop a fight"
	default:
		return "Hand over"
	}
}

// topics are the explanations beside the assistants.
var topics = map[Do]why.Topic{
	HandOver:     why.HandingOver,
	ToServerSide: why.ClientSideApply,
	ToClientSide: why.ClientSideApply,
	Release:      why.Ownership,
	Clear:        why.Clearing,
	StopFight:    why.Conflicts,
}

// purposeText says what the assistant is for.
func (d Do) purposeText() string {
	switch d {
	case ToServerSide:
		return "Client-side apply uses updates, with its own manager. Merge this manager into the one that applies from now on. Otherwise both own the same fields. A field that you remove from the manifest then stays in the object."
	case ToClientSide:
		return "Go back to client-side apply. The manager of client-side apply gets the fields of the manager that applies now, and the annotation with the last applied manifest."
	case Release:
		return "Remove the entry of a manager that no longer exists. Then the manager causes no more conflicts."
	case Clear:
		return "Remove the owners of all fields. Do this only if the managed fields can’t be repaired. To remove one manager, release that manager."
	case StopFight:
		return "Managers that want different values of a field overwrite each other. See what each of them wants, choose a way to settle it, and watch until the field is quiet."
	default:
		return "Move fields from one manager to another, for example the number of replicas to an autoscaler. The fields always have an owner, so no value returns to its default in between."
	}
}

// Parts of the page's query.
const (
	QueryPath    = web.AssistPath    // the API path of the object
	QueryDo      = web.AssistDo      // a Do
	QueryFrom    = "from"            // a key of a manager
	QueryField   = web.AssistField   // the path of a field to hand over, any number of times; or of the field of a fight
	QueryTo      = "to"              // a key of a manager
	QueryName    = "name"            // the name of a manager that may not be in managedFields yet; or of an autoscaler
	QueryHow     = "how"             // how this manager writes
	QueryManager = web.AssistManager // a key of a manager that fights; any number of times
	QueryWay     = "way"             // a Way
	QueryLimit   = "limit"           // the number of replicas that an autoscaler is to allow
)

// How a manager writes that is not in managedFields yet. Any other value is the name of a subresource that the manager updates.
const (
	applies = "applies"
	updates = "updates"
)

// usualApplier is the field manager of kubectl apply --server-side.
const usualApplier = "kubectl"

// Choice is what the reader chose.
type Choice struct {
	Do     Do       `json:"do"`
	From   string   `json:"from,omitempty"`
	Fields []string `json:"fields,omitempty"`
	To     string   `json:"to,omitempty"`
	Name   string   `json:"name,omitempty"`
	How    string   `json:"how,omitempty"`

	Managers []string `json:"managers,omitempty"`
	Way      Way      `json:"way,omitempty"`
	Limit    string   `json:"limit,omitempty"`
}

// maxFields is how many fields can be handed over at once, and maxManagers how many managers of a fight an address can name.
const (
	maxFields   = 200
	maxManagers = 8
)

// ParseChoice reads a choice about an object from the page's query. Paths are written as in managedFields, however the reader typed them.
func ParseChoice(query url.Values, o object.Object) Choice {
	c := Choice{
		Do: HandOver, From: query.Get(QueryFrom), To: query.Get(QueryTo), Name: strings.TrimSpace(query.Get(QueryName)), How: query.Get(QueryHow),
		Managers: some(query[QueryManager], maxManagers), Limit: query.Get(QueryLimit),
	}
	if do := Do(query.Get(QueryDo)); slices.Contains(all, do) {
		c.Do = do
	}
	if way := Way(query.Get(QueryWay)); slices.Contains(ways, way) {
		c.Way = way
	}
	if c.Fields = some(query[QueryField], maxFields); len(c.Fields) > 0 {
		blame := ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil)
		for i, path := range c.Fields {
			c.Fields[i] = blame.MeantPath(path)
		}
		c.Fields = some(c.Fields, maxFields)
	}
	if c.Do == StopFight && len(c.Fields) > 1 {
		c.Fields = c.Fields[:1]
	}
	return c
}

// some are the first different texts of a query, without the empty ones.
func some(texts []string, most int) []string {
	var all []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" && len(all) < most && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// query is the choice as the page's query.
func (c Choice) query(path string) url.Values {
	return url.Values{
		QueryPath: {path}, QueryDo: {string(c.Do)}, QueryFrom: {c.From}, QueryField: c.Fields, QueryTo: {c.To}, QueryName: {c.Name}, QueryHow: {c.How},
		QueryManager: c.Managers, QueryWay: {string(c.Way)}, QueryLimit: {c.Limit},
	}
}

// with is the choice with one more field. A field that is already chosen is removed instead.
func (c Choice) with(field string) Choice {
	c.Fields = slices.Clone(c.Fields)
	if i := slices.Index(c.Fields, field); i >= 0 {
		c.Fields = slices.Delete(c.Fields, i, i+1)
	} else {
		c.Fields = append(c.Fields, field)
	}
	return c
}

// same tells whether two are the same choice.
func (c Choice) same(other Choice) bool {
	return c.Do == other.Do && c.From == other.From && c.To == other.To && c.Name == other.Name && c.How == other.How && slices.Equal(c.Fields, other.Fields) &&
		c.Way == other.Way && c.Limit == other.Limit && slices.Equal(c.Managers, other.Managers)
}

// settled is the choice with defaults from managedFields for what the reader didn't choose.
func (c Choice) settled(o object.Object) Choice {
	owners := ownership.Parse(o.Fields).Managers()
	first := func(fits func(ownership.Owner) bool) string {
		if i := slices.IndexFunc(owners, fits); i >= 0 {
			return owners[i].Manager.Key()
		}
		return ""
	}
	appliesItself := func(o ownership.Owner) bool { return o.Operation == ownership.Apply && o.Subresource == "" }
	switch c.Do {
	case HandOver:
		if c.From == "" {
			c.From = first(appliesItself)
		}
		if c.Name == "" && c.To == c.From {
			c.To = ""
		}
	case ToServerSide:
		if c.Name == "" {
			c.Name = usualApplier
		}
	case ToClientSide:
		if c.From == "" {
			c.From = first(func(o ownership.Owner) bool { return appliesItself(o) && o.Name == usualApplier })
		}
		if c.From == "" {
			c.From = first(appliesItself)
		}
		if c.Name == "" {
			c.Name = assist.ClientSide
		}
	}
	return c
}

// holderOf finds a manager of the object by its key.
func holderOf(o object.Object, wanted string) (ownership.Manager, bool) {
	for _, m := range ownership.Parse(o.Fields).Managers() {
		if m.Manager.Key() == wanted {
			return m.Manager, true
		}
	}
	return ownership.Manager{}, false
}

// to is the manager that gets the fields. It may be missing in managedFields, for example because it lost all its fields in a fight.
func (c Choice) to(o object.Object) (ownership.Manager, bool) {
	if c.Name == "" {
		if m, held := holderOf(o, c.To); held {
			return m, true
		}
		return ownership.ParseKey(c.To)
	}
	m := ownership.Manager{Name: c.Name, Operation: ownership.Apply, APIVersion: o.APIVersion()}
	switch c.How {
	case applies, "":
	case updates:
		m.Operation = ownership.Update
	default:
		m.Operation, m.Subresource = ownership.Update, c.How
	}
	return m, true
}

// missing asks the reader for what is not chosen yet.
type missing string

func (m missing) Error() string { return string(m) }

// plan is the plan for an object. The memory knows managers and fields of earlier versions.
func (c Choice) plan(o object.Object, past *memory) (assist.Plan, error) {
	from, held := holderOf(o, c.From)
	if !held && c.Do == HandOver {
		from, held = past.manager(c.From)
	}
	switch c.Do {
	case ToServerSide:
		clients := assist.ClientSideManagers(o.Fields)
		if len(clients) == 0 {
			return assist.Plan{Title: c.Do.title(), Nothing: "Found no client-side apply of this object. No manager with operation Update owns the annotation with the last applied manifest."}, nil
		}
		return assist.ToServerSide(o.Fields, clients, c.Name), nil
	case ToClientSide:
		if !held {
			return assist.Plan{}, missing("No manager applies this object, so no manager can be converted.")
		}
		return assist.ToClientSide(o.Fields, from.Name, c.Name, nil)
	case Release:
		if !held {
			return assist.Plan{}, missing("Choose the manager that no longer exists.")
		}
		return assist.Release(o.Fields, from), nil
	case Clear:
		return assist.Clear(o.Fields), nil
	case StopFight:
		return c.stop(o, past)
	default:
		return c.handOver(o, from, held, past)
	}
}

func (c Choice) handOver(o object.Object, from ownership.Manager, held bool, past *memory) (assist.Plan, error) {
	to, chosen := c.to(o)
	switch {
	case !held:
		return assist.Plan{}, missing("Choose the manager that gives fields away.")
	case len(c.Fields) == 0:
		return assist.Plan{}, missing("Choose the fields that " + from.Words() + " hands over.")
	case !chosen:
		return assist.Plan{}, missing("Choose the manager that gets the fields.")
	}
	return assist.HandOver(assist.Handing{
		Live: o.Fields, Paths: c.Fields, From: from, To: to, Contested: c.Do == StopFight || past.contested(from, c.Fields), Exact: c.Do == StopFight,
	})
}

// foreseen predicts the object after the last step of a plan, from the object before that step.
func (c Choice) foreseen(o object.Object) (object.Object, error) {
	from, held := holderOf(o, c.From)
	if c.Way == WayHandOver && !held {
		return o, nil // the manager has nothing to give up
	}
	if c.Do != HandOver && c.Way != WayHandOver || !held {
		return object.Object{}, errors.New("the result of this step can’t be predicted before the previous step is done")
	}
	return object.Object{Fields: assist.Left(o.Fields, from, c.Fields, nil)}, nil
}

// field is a field that a manager owns.
type field struct {
	path   string
	value  string
	others int  // number of its other owners
	lost   bool // in this version, the manager doesn't own it
}

// fieldsOf are the fields of an object that a manager owns.
func fieldsOf(o object.Object, from string) []field {
	m, held := holderOf(o, from)
	if !held {
		return nil
	}
	return heldBy(ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil), m)
}

// heldBy are the fields that a manager owns, without parent fields.
func heldBy(blame *ownership.Blame, m ownership.Manager) []field {
	var fields []field
	for _, h := range blame.Holdings(m) {
		if h.Lost != "" {
			continue
		}
		for _, n := range blame.Find(h.Path) {
			if whole, ok := blame.Whole(n); len(n.Children) == 0 || ok && whole {
				fields = append(fields, field{path: h.Path, value: brief(n), others: len(blame.Owners(n)) - 1})
			}
		}
	}
	return fields
}

// brief is a value, cut to a few characters.
func brief(n *manifest.Node) string {
	const most = 40
	text := fmt.Sprint(n.Value)
	if len(n.Children) > 0 {
		text = words.Count(int64(len(n.Children)), "value", "values")
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
