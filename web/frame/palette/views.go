package palette

import (
	"github.com/fieldmark/fieldmark/web/frame/saved"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Views are entries for the saved views whose types the cluster has.
func Views(frame shell.Model, book saved.Book) []Entry {
	if !frame.In() {
		return nil
	}
	var all []Entry
	for _, v := range book {
		t, ok := frame.Catalog.Type(v.Group, "", v.Resource)
		if !ok || !t.Listable() || !v.Of(frame.Cluster.Slug, t) {
			continue
		}
		all = append(all, Entry{
			Kind: View, Text: v.Name, Beside: shell.Plural(t), Detail: "saved view", Href: v.Address(frame.Cluster.Slug, t), also: []string{"view"},
		})
	}
	return all
}
