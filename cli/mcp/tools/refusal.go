package tools

import (
	"context"
	"strings"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// refused is the arguments of explain_refusal.
type refused struct {
	Cluster   string `json:"cluster"`
	Text      string `json:"text"`
	Manifest  string `json:"manifest"`
	Namespace string `json:"namespace"`
	Manager   string `json:"manager"`
}

// maxRefusal bounds the text of a refusal, in bytes.
const maxRefusal = 256 << 10

func (d *desk) explainRefusal(ctx context.Context, in refused) (Answer, error) {
	switch {
	case strings.TrimSpace(in.Text) == "":
		return Answer{}, sorry("There is no text. Give the error as the tool printed it.")
	case len(in.Text) > maxRefusal || len(in.Manifest) > maxManifest:
		return Answer{}, sorry("The text is too long. Give the lines around the error only.")
	}
	known := inquiry.Options{Manager: in.Manager, Namespace: in.Namespace}
	c, note := d.connect(ctx, in, &known)
	if in.Manifest != "" {
		documents, err := documentsOf(in.Manifest, known.Namespace)
		if err != nil {
			return Answer{}, err
		}
		for _, one := range documents {
			if !one.Source.Broken {
				known.Documents = append(known.Documents, one)
			}
		}
	}
	q := inquiry.New(refusal.Read(ctx, in.Text), known)
	for asks := q.Asks(); len(asks) > 0; asks = q.Asks() {
		heard := make([]inquiry.Heard, len(asks))
		var all rescue.Group
		for i, ask := range asks {
			all.Go(func() { heard[i].Body, heard[i].No = c.Send(ctx, ask) })
		}
		all.Wait()
		q.Take(heard)
	}
	return d.explained(q.Answer(), note), nil
}

// connect is the cluster, and why there is none. Then the text alone is explained.
func (d *desk) connect(ctx context.Context, in refused, known *inquiry.Options) (c Cluster, note string) {
	c, err := d.open(ctx, in.Cluster)
	if err != nil {
		return nil, " No cluster could be asked, so this is by the text alone."
	}
	known.Namespace = first(in.Namespace, c.Namespace())
	catalog, err := c.Catalog(ctx, false)
	if err != nil {
		return nil, " The cluster could not be asked, so this is by the text alone."
	}
	known.Catalog = &catalog
	known.Schema = func(t discovery.Type) *schema.Schema { return c.Schema(ctx, t) }
	return c, ""
}

// explained is an explanation in an answer.
type explained struct {
	Reason  string   `json:"reason"`
	Manager string   `json:"manager,omitempty"`
	What    string   `json:"what"`
	Why     string   `json:"why"`
	Message string   `json:"message,omitempty"`
	Objects []string `json:"objects,omitempty"`
	Sure    bool     `json:"sure_of_object"`
	Fields  []about  `json:"fields,omitempty"`
	Ways    []way    `json:"ways,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// about is a field of a refusal.
type about struct {
	Path   string   `json:"path"`
	Owners []string `json:"owners"`
	Why    string   `json:"why,omitempty"`
}

// mostExplained is how many refusals of a text, and fields of a refusal, an answer has.
const mostExplained = 10

func (d *desk) explained(of explain.Answer, note string) (a Answer) {
	all := []explained{}
	for _, e := range of.Explanations[:min(len(of.Explanations), mostExplained)] {
		one := explained{
			Reason: e.Reason, Manager: cut(e.Manager, 128), What: cut(d.Redact.Text(e.What), 1000), Why: cut(d.Redact.Text(e.Why), 1000), Message: cut(d.Redact.Text(e.Message), 1000),
			Ways: d.ways(e.Ways), Notes: e.Notes, Sure: len(e.Objects) == 1 && e.Objects[0].Sure,
		}
		for _, o := range e.Objects[:min(len(e.Objects), mostExplained)] {
			one.Objects = append(one.Objects, strings.Trim(o.Kind+" "+o.Namespace+"/"+o.Name, "/"))
		}
		for _, f := range e.Fields[:min(len(e.Fields), mostExplained)] {
			one.Fields = append(one.Fields, about{cut(f.Path, 300), ownerWords(f.Owners), cut(d.hider(f.Path, f.Live, f.Stated)(f.Why), 400)})
		}
		all = append(all, one)
	}
	a.Says = count(len(of.Explanations), "refusal was", "refusals were") + " understood." + note
	if len(of.Explanations) == 0 {
		a.Says = "No refusal in the text was understood." + note
	}
	a.More = len(of.Explanations) - len(all)
	a.Data = map[string]any{"explanations": all}
	return a
}

func (d *desk) ways(all []check.Way) []way {
	var out []way
	for _, w := range all {
		out = append(out, way{w.Words(), linesOf(d.Redact.Text(w.Text))})
	}
	return out
}
