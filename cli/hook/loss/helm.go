package loss

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/hook/kubectl"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/migrate"
)

// Stored is what is known of a release of Helm without its chart.
type Stored struct {
	Revision int // whose manifest was looked at
	// Losses are the fields of this manifest that others own with another value now, or the objects that an uninstall deletes.
	Losses []Loss
}

// keepPolicy is the annotation with which Helm leaves an object in the cluster.
const keepPolicy = "helm.sh/resource-policy"

// OfRelease finds what a command of Helm takes from others, as far as the stored manifest tells it. For an upgrade it is the manifest of the last revision,
// and for a rollback that of the revision that comes back. The losses are those of a server-side apply with force, as Helm's own manager.
func OfRelease(ctx context.Context, cluster *ask.Cluster, name, verb string, revision int) (Stored, error) {
	all, err := revisions(ctx, cluster, name)
	if err != nil {
		return Stored{}, err
	}
	wanted := all[len(all)-1]
	if verb == "rollback" {
		if revision == 0 {
			revision = wanted.Version - 1
		}
		wanted = migrate.Release{}
		for _, r := range all {
			if r.Version == revision {
				wanted = r
			}
		}
		if wanted.Name == "" {
			return Stored{}, Unpredicted(fmt.Sprintf("The release has no stored revision %d.", revision))
		}
	}
	w := Write{Command: kubectl.Command{Kind: kubectl.Writes, Verb: "apply", Flags: kubectl.Flags{
		"filename": {"-"}, "server-side": {"true"}, "force-conflicts": {"true"}, "field-manager": {"helm"},
	}}}
	if verb == "uninstall" {
		w.Command = kubectl.Command{Kind: kubectl.Writes, Verb: "delete", Flags: kubectl.Flags{"filename": {"-"}}}
	}
	input, err := manifestOf(wanted, verb == "uninstall")
	if err != nil || input.Len() == 0 {
		return Stored{Revision: wanted.Version}, err
	}
	w.Input = input
	losses, err := Predict(ctx, cluster, w)
	return Stored{wanted.Version, losses}, err
}

// manifestOf is the manifest of a release, without the objects that an uninstall leaves there.
func manifestOf(r migrate.Release, uninstalls bool) (*bytes.Buffer, error) {
	var all bytes.Buffer
	for _, d := range r.Documents() {
		metadata, _ := d.Fields()["metadata"].(map[string]any)
		notes, _ := metadata["annotations"].(map[string]any)
		if uninstalls && notes[keepPolicy] != nil {
			continue
		}
		text, err := d.JSON()
		if err != nil {
			return nil, fmt.Errorf("reading the manifest of the release: %w", err)
		}
		all.WriteString("---\n")
		all.Write(text)
		all.WriteByte('\n')
	}
	return &all, nil
}

// revisions are the stored revisions of a release, the oldest first. Nothing of the Secrets is in an error.
func revisions(ctx context.Context, cluster *ask.Cluster, name string) ([]migrate.Release, error) {
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	namespace, _, err := cluster.Namespace()
	if err != nil {
		return nil, err
	}
	if why := apipath.Unfit(name); why != "" {
		return nil, Unpredicted("This can’t be the name of a release.")
	}
	target := apipath.Collection("", "v1", namespace, "secrets").String() + "?" + url.Values{"labelSelector": {"owner=helm,name=" + name}, "limit": {"20"}}.Encode()
	body, no := requests.Get(ctx, target, "application/json")
	if no != nil {
		return nil, Unpredicted("The API server refuses to list the Secrets in which Helm stores it: " + no.Message)
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("reading the stored releases: %w", err)
	}
	return sorted(list.Items)
}

func sorted(secrets []json.RawMessage) ([]migrate.Release, error) {
	var all []migrate.Release
	for _, secret := range secrets {
		r, err := migrate.ReadRelease(secret)
		if err != nil {
			return nil, Unpredicted("A stored revision can’t be read: " + err.Error())
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b migrate.Release) int { return a.Version - b.Version })
	if len(all) == 0 {
		return nil, Unpredicted("Helm has stored no such release in this namespace.")
	}
	return all, nil
}
