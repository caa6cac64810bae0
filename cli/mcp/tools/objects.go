package tools

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
)

// tools are all tools, in the order in which assistants see them.
func (d *desk) tools() []tool {
	return []tool{
		define("preview_apply", "What an apply or patch would do: conflicts, ways out, and what a force would take from whom. A dry run.",
			inputs("cluster manifest namespace patch patch_type resource name manager! details cursor"),
			outputs(`"accepted":{"type":"boolean"},"safe_to_force":{"type":"boolean"}`,
				`"tell_user":{"type":"string"},"would_take":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"from":{"type":"string"},"last_write":{"type":"string"}}}},`+lists("would_remove", "findings")),
			d.previewApply),
		define("owners_of", "Who owns the fields of an object, when they last wrote, and with whom a change would conflict.",
			inputs("cluster resource! namespace name! field_list manager cursor"), outputs("", lists("managers", "shared", "fields")), d.ownersOf),
		define("get", "An object or a field of it as YAML, optionally with the owners of each line. Secrets are masked.",
			inputs("cluster resource! namespace name! field owners limit cursor"), outputs("", lists("lines", "parts", "owners")), d.get),
		define("list", "Objects of a type as the server's table.",
			inputs("cluster resource! namespace all labels fields limit cursor"), outputs("", lists("columns", "rows")), d.list),
		define("explain_refusal", "What an error of kubectl, Helm, Flux, Argo CD … means, whose fields it is about, and ways out.",
			inputs("cluster text! manifest namespace manager"), outputs("", lists("explanations")), d.explainRefusal),
		define("who_fights", "Watches objects for some seconds, and tells which managers overwrite each other.",
			inputs("cluster resources namespace seconds"), outputs("", lists("fights", "rewrites", "takings")), d.whoFights),
		define("history", "The changes of an object, with their writers: as recorded, or watched for some seconds.",
			inputs("cluster resource! namespace name! seconds cursor"), outputs("", lists("changes")), d.history),
		define("who_can", "Who may do a verb on a type, an object or a field of it, by roles and bindings.",
			inputs("cluster verb! resource! namespace name field cursor"), outputs("", lists("subjects", "owners", "unseen")), d.whoCan),
		define("explain_field", "The schema of a field: type, default, list type and keys, and its fields.",
			inputs("cluster resource! field cursor"), outputs("", `"field":{"type":"object"},`+lists("fields")), d.explainField),
		define("events", "Events of an object or a namespace, the newest first.",
			inputs("cluster resource namespace name limit cursor"), outputs("", lists("events")), d.events),
		define("logs", "The last lines of a container's log.",
			inputs("cluster namespace name! container previous limit"), outputs("", lists("lines")), d.logs),
		define("clusters", "The clusters that can be asked.", inputs("cursor"), outputs("", lists("clusters")), d.clusters),
		define("lesson_about", "What Fieldmark's guide says about a topic, with links.", inputs("topic!"), outputs(lists("guide"), ""), d.lessonAbout),
	}
}

const mostClusters = 100

// naming is the arguments of clusters.
type naming struct {
	Cursor string `json:"cursor"`
}

func (d *desk) clusters(ctx context.Context, in naming) (a Answer, err error) {
	all, err := d.Clusters.List(ctx)
	if err != nil {
		return a, failure{"The clusters can't be listed.", err.Error()}
	}
	some, err := page(all, in.Cursor, mostClusters, &a)
	a.Says = count(len(all), "cluster", "clusters") + "."
	a.Data = map[string]any{"clusters": some}
	return a, err
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// listing is the arguments of list.
type listing struct {
	target
	All    bool   `json:"all"`
	Labels string `json:"labels"`
	Fields string `json:"fields"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

func (d *desk) list(ctx context.Context, in listing) (a Answer, err error) {
	c, of, err := d.openType(ctx, in.Cluster, in.Resource)
	if err != nil {
		return a, err
	}
	if !of.Listable() {
		return a, sorry("Objects of this type can't be listed.")
	}
	token, err := readCursor(in.Cursor, byToken)
	if err != nil {
		return a, err
	}
	namespace := in.Namespace
	if namespace == "" && !in.All && of.Namespaced {
		namespace = c.Namespace()
	}
	query := url.Values{"limit": {strconv.Itoa(bounded(in.Limit, 50, 200))}}
	for name, value := range map[string]string{"labelSelector": in.Labels, "fieldSelector": in.Fields, "continue": token} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if !of.Namespaced {
		namespace = ""
	}
	body, err := get(ctx, c, apipath.Collection(of.Group, of.Version, namespace, of.Resource).String()+"?"+query.Encode(), accept.Table+accept.OrJSON)
	if err != nil {
		return a, err
	}
	t, err := table.Parse(body, d.Now())
	if err != nil {
		return a, failure{"The response of the API server can't be read.", err.Error()}
	}
	return d.tabled(t, of.Namespaced && namespace == ""), nil
}

// tabled is a table as an answer.
func (d *desk) tabled(t table.Table, everywhere bool) (a Answer) {
	shown := t.Visible(false)
	columns, rows := []string{}, [][]string{}
	if everywhere {
		columns = append(columns, table.NamespaceColumn)
	}
	for _, i := range shown {
		columns = append(columns, cut(t.Columns[i].Name, 100))
	}
	for _, r := range t.Rows {
		row := make([]string, 0, len(columns))
		if everywhere {
			row = append(row, r.Namespace)
		}
		for _, i := range shown {
			row = append(row, cut(d.Redact.Text(r.Cell(i)), 200))
		}
		rows = append(rows, row)
	}
	a.Says = count(len(rows), "object", "objects") + "."
	if t.Continue != "" {
		a.More, a.NextCursor = -1, cursorOf(byToken, t.Continue)
		if t.Remaining != nil {
			a.More = int(*t.Remaining)
		}
	}
	a.Data = map[string]any{"columns": columns, "rows": rows}
	return a
}

// getting is the arguments of get.
type getting struct {
	target
	Field  string `json:"field"`
	Owners bool   `json:"owners"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

// owned is an owner in an answer.
type owned struct {
	Manager     string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource,omitempty"`
	LastWrite   string `json:"last_write,omitempty"`
}

func ownedBy(o ownership.Owner) owned {
	return owned{cut(o.Name, 128), o.Operation, o.Subresource, o.Time}
}

func (d *desk) get(ctx context.Context, in getting) (a Answer, err error) {
	p, err := d.read(ctx, in.target)
	if err != nil {
		return a, err
	}
	o, err := d.shown(p.object)
	if err != nil {
		return a, err
	}
	w, err := blame.Write(o, p.schema)
	if err != nil {
		return a, failure{"The object can't be written as YAML.", err.Error()}
	}
	lines := w.Lines
	if in.Field != "" {
		if lines, err = w.At(in.Field); err != nil {
			return a, failure{"The object has no such field.", err.Error()}
		}
	}
	all := len(lines)
	if lines, err = page(lines, in.Cursor, bounded(in.Limit, 200, 500), &a); err != nil {
		return a, err
	}
	a.Says = count(all, "line", "lines") + " of YAML, without managedFields."
	data := map[string]any{"object": p.reference()}
	if in.Owners {
		data["owners"], data["parts"] = parts(lines)
		a.Says += " Each part has the numbers of its owners in the list of owners; a part without any is owned by nobody."
	} else {
		texts := make([]string, 0, len(lines))
		for _, l := range lines {
			texts = append(texts, cut(l.Text, maxLine))
		}
		data["lines"] = texts
	}
	a.Data = data
	return a, nil
}

// maxLine bounds a line of YAML or of a log, in bytes.
const maxLine = 500

// part is lines with the same owners.
type part struct {
	Owners []int    `json:"owners"`
	Lines  []string `json:"lines"`
}

// parts are lines by their owners, who are listed once.
func parts(lines []blame.Line) ([]owned, []part) {
	owners, all := []owned{}, []part{}
	known := map[ownership.Owner]int{}
	for _, l := range lines {
		numbers := []int{}
		for _, o := range l.Owners {
			at, is := known[o]
			if !is {
				at = len(owners)
				known[o], owners = at, append(owners, ownedBy(o))
			}
			numbers = append(numbers, at)
		}
		if n := len(all); n > 0 && (slices.Equal(all[n-1].Owners, numbers) || l.Path == "") {
			all[n-1].Lines = append(all[n-1].Lines, cut(l.Text, maxLine))
			continue
		}
		all = append(all, part{numbers, []string{cut(l.Text, maxLine)}})
	}
	return owners, all
}
