package timeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
)

// Format is the name and version of the file format.
const Format = "fieldmark.timeline/v1"

// MaxFile bounds a file that is read, in bytes.
const MaxFile = 32 << 20

// Origin is the origin of a recording.
type Origin struct {
	Cluster string    `json:"cluster"`
	Path    string    `json:"path"` // of the object, in the API
	Written time.Time `json:"written"`
}

// file is a recording as JSON. It has the versions, not the changes: Read compares the versions again.
type file struct {
	Format string `json:"format"`
	Origin
	Dropped  int        `json:"dropped"` // older versions that the recording no longer had
	Versions []recorded `json:"versions"`
}

type recorded struct {
	Seen    time.Time       `json:"seen"`
	Missed  string          `json:"missed,omitempty"`
	Deleted bool            `json:"deleted,omitempty"`
	Object  json.RawMessage `json:"object"`
}

// Write writes the versions of a recording, with secrets masked.
func (r *Recording) Write(from Origin) []byte {
	f := file{Format: Format, Origin: from, Dropped: r.dropped, Versions: []recorded{}}
	for _, v := range r.versions {
		f.Versions = append(f.Versions, recorded{v.Step.Seen, v.Missed, v.Deleted, v.text})
	}
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil // all parts were read from JSON, so they encode
	}
	return text
}

// The longest texts that a file may hold besides the objects.
const (
	maxMissed = 200
	maxOrigin = 2000
)

// Read reads a recording from a file. The file may be from anywhere: secrets are masked, and content that can't be read is refused with
// the reason.
func Read(data []byte, l Limits) (*Recording, Origin, error) {
	if len(data) > MaxFile {
		return nil, Origin{}, fmt.Errorf("it is larger than %d MB", MaxFile>>20)
	}
	var f file
	switch err := json.Unmarshal(data, &f); {
	case err != nil:
		return nil, Origin{}, fmt.Errorf("it isn't the JSON of a timeline (%w)", err)
	case f.Format != Format:
		return nil, Origin{}, fmt.Errorf("it isn't a timeline, because its format is %q, not %q", cutText(f.Format), Format)
	case len(f.Cluster) > maxOrigin || len(f.Path) > maxOrigin || f.Dropped < 0 || f.Dropped > 1<<40:
		return nil, Origin{}, errors.New("it isn't a timeline, because its origin isn't valid")
	case len(f.Versions) == 0:
		return nil, Origin{}, errors.New("it has no versions")
	case len(f.Versions) > l.Versions:
		return nil, Origin{}, fmt.Errorf("it has %d versions, but at most %d can be read", len(f.Versions), l.Versions)
	}
	r := NewRecording(l)
	r.dropped = f.Dropped
	for i, v := range f.Versions {
		if err := r.replay(v); err != nil {
			return nil, Origin{}, fmt.Errorf("version %d of %d: %w", i+1, len(f.Versions), err)
		}
	}
	return r, f.Origin, nil
}

func (r *Recording) replay(v recorded) error {
	o, err := object.Parse(v.Object)
	switch {
	case err != nil:
		return err
	case v.Seen.IsZero():
		return errors.New("it has no time")
	case len(v.Missed) > maxMissed:
		return errors.New("its reason for missing versions is too long")
	}
	o = o.Masked()
	if v.Missed != "" {
		r.Break(v.Missed)
	}
	if v.Deleted {
		r.Delete(o, v.Seen)
		return nil
	}
	if !r.Add(o, v.Seen) {
		return errors.New("it is equal to the version before")
	}
	return nil
}

func cutText(text string) string {
	const most = 40
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
