package migrate

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/source"
)

// MostRelease is how long a release may be after it was decompressed, in bytes.
const MostRelease = 10 << 20

// ReleasePrefix begins the names of the Secrets in which Helm stores releases.
const ReleasePrefix = "sh.helm.release.v1."

// Release is what is read of a stored release of Helm. The values and the chart aren't.
type Release struct {
	Name        string `json:"name"`
	Namespace   string `json:"namespace"`
	Version     int    `json:"version"`
	ApplyMethod string `json:"apply_method"` // "ssa"; "csa" or empty: client-side
	Manifest    string `json:"manifest"`
}

// Method is how the release was applied last.
func (r Release) Method() string {
	if r.ApplyMethod == "ssa" {
		return "server-side"
	}
	return "client-side"
}

// errRelease says that a Secret has no release.
var errRelease = errors.New("the Secret has no release that Helm 3 or 4 has written")

// ReadRelease reads a release from the JSON of its Secret. The error has no text of the Secret.
func ReadRelease(secret []byte) (Release, error) {
	var stored struct {
		Data struct {
			Release []byte `json:"release"`
		} `json:"data"`
	}
	if json.Unmarshal(secret, &stored) != nil || len(stored.Data.Release) == 0 {
		return Release{}, errRelease
	}
	packed := make([]byte, base64.StdEncoding.DecodedLen(len(stored.Data.Release)))
	n, err := base64.StdEncoding.Decode(packed, stored.Data.Release)
	if err != nil {
		return Release{}, errRelease
	}
	text := packed[:n]
	if bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return Release{}, errRelease
		}
		if text, err = io.ReadAll(io.LimitReader(unpacked, MostRelease+1)); err != nil {
			return Release{}, errRelease
		}
	}
	if len(text) > MostRelease {
		return Release{}, fmt.Errorf("the release has more than %d MB, and isn't read", MostRelease>>20)
	}
	var r Release
	if json.Unmarshal(text, &r) != nil || r.Name == "" {
		return Release{}, errRelease
	}
	return r, nil
}

// Documents are the manifests of the release, as Helm applies them: with its label and its annotations. Those that can't be read are left out.
func (r Release) Documents() []source.Document {
	var all []source.Document
	for _, text := range strings.Split("\n"+r.Manifest, "\n---") {
		for _, d := range source.Parse(text).Documents {
			if fields := d.Fields(); fields != nil && !d.Broken {
				all = append(all, r.marked(fields)...)
			}
		}
	}
	return all
}

// marked is a manifest with the marks of its release.
func (r Release) marked(fields map[string]any) []source.Document {
	metadata, is := fields["metadata"].(map[string]any)
	if !is {
		return nil
	}
	put := func(in, name, value string) {
		all, is := metadata[in].(map[string]any)
		if !is {
			all = map[string]any{}
			metadata[in] = all
		}
		all[name] = value
	}
	put("labels", "app.kubernetes.io/managed-by", "Helm")
	put("annotations", releaseName, r.Name)
	put("annotations", releaseNamespace, r.Namespace)
	text, err := json.Marshal(object.Object{Fields: fields})
	if err != nil {
		return nil
	}
	return source.Parse(string(text)).Documents
}
