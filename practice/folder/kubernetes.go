package folder

import (
	"fmt"

	"github.com/fieldmark/fieldmark/practice/versions"
)

// kubernetesMark has the version of Kubernetes that wrote the folder's data last.
const kubernetesMark = "kubernetes-version"

// firstVersion is what wrote folders without the mark.
const firstVersion = "v1.37.1"

// TakeOver remembers which version of Kubernetes writes the folder's data from now on. It refuses an older one than the last: neither an API server
// nor etcd reads what a newer release has written.
func (f *Folder) TakeOver(version string) error {
	last, err := f.lastVersion()
	if err != nil {
		return err
	}
	if last != "" {
		newer, err := versions.Newer(last, version)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path(kubernetesMark), err)
		}
		if newer {
			return fmt.Errorf("the data in %s was written by Kubernetes %s, and %s can't read it: start %s again, or give another folder", f.path, last, version, last)
		}
	}
	return f.Write(kubernetesMark, []byte(version))
}

// lastVersion is the version that wrote the data last; empty if there is no data yet.
func (f *Folder) lastVersion() (string, error) {
	mark, err := f.Read(kubernetesMark)
	switch {
	case err != nil:
		return "", err
	case mark != nil:
		return string(mark), nil
	case f.ContentApplied():
		return firstVersion, nil
	}
	return "", nil
}
