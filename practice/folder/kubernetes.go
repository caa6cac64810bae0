package folder

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/practice/releases"
)

// kubernetesMark has two versions of Kubernetes: the one that made the folder's data, and the one that wrote it last.
const kubernetesMark = "kubernetes-version"

// firstVersion is what wrote folders without the mark.
const firstVersion = "v1.37.1"

// steps is how many minor versions newer than the data's first one an etcd may be. etcd reads its own log, and that of the minor release of etcd before
// it: Kubernetes 1.31 and 1.33 have etcd 3.5, 1.35 has 3.6, and 1.37 has 3.7.
const steps = 2

// TakeOver remembers which version of Kubernetes writes the folder's data from now on. It refuses versions that can't read the data.
func (f *Folder) TakeOver(version string) error {
	first, last, err := f.writers()
	if err != nil {
		return err
	}
	if first == "" {
		return f.Write(kubernetesMark, []byte(version+" "+version))
	}
	since, err := releases.Distance(first, version)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path(kubernetesMark), err)
	}
	back, err := releases.Distance(version, last)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path(kubernetesMark), err)
	}
	switch {
	case back > 0:
		return fmt.Errorf("the data in %s was written by Kubernetes %s, and %s can't read it: start %s again, or give another folder", f.path, last, version, last)
	case since > steps:
		return fmt.Errorf("the data in %s was made by Kubernetes %s, which is too old for the etcd of %s: start %s again, or give another folder", f.path, first, version, last)
	}
	return f.Write(kubernetesMark, []byte(first+" "+version))
}

// writers are the versions that wrote the data first and last; empty if there is no data yet.
func (f *Folder) writers() (first, last string, err error) {
	mark, err := f.Read(kubernetesMark)
	switch {
	case err != nil:
		return "", "", err
	case mark != nil:
		first, last, _ = strings.Cut(strings.TrimSpace(string(mark)), " ")
		return first, last, nil
	case f.ContentApplied():
		return firstVersion, firstVersion, nil
	}
	return "", "", nil
}
