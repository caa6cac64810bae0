package folder

import (
	"strings"
	"testing"
)

func TestNoOlderKubernetesGetsTheData(t *testing.T) {
	for _, test := range []struct {
		name    string
		mark    string // the versions that wrote the data; empty if there is no mark
		content bool   // starter content was applied
		version string
		refused string // what the error says
	}{
		{"new folder", "", false, "v1.31.13", ""},
		{"the same", "v1.33.13 v1.33.13", true, "v1.33.13", ""},
		{"a newer patch", "v1.33.6 v1.33.6", true, "v1.33.13", ""},
		{"an older patch", "v1.33.13 v1.33.13", true, "v1.33.6", ""},
		{"two minor versions more", "v1.35.8 v1.35.8", true, "v1.37.1", ""},
		{"three minor versions more", "v1.33.13 v1.33.13", true, "v1.36.1", "was made by Kubernetes v1.33.13, which is too old for the etcd of v1.36.1"},
		{"the same, step by step", "v1.33.13 v1.35.8", true, "v1.37.1", "start v1.35.8 again"},
		{"an older minor version", "v1.37.1 v1.37.1", true, "v1.33.13", "was written by Kubernetes v1.37.1, and v1.33.13 can't read it"},
		{"back to the first", "v1.35.8 v1.37.1", true, "v1.35.8", "was written by Kubernetes v1.37.1"},
		{"a folder from before there was a mark", "", true, "v1.37.1", ""},
		{"the same, and an older version", "", true, "v1.35.8", "was written by Kubernetes v1.37.1"},
		{"a mark that is no version", "yesterday", true, "v1.37.1", kubernetesMark},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := open(t, t.TempDir(), false)
			defer func() { _ = f.Close() }()
			if test.mark != "" {
				if err := f.Write(kubernetesMark, []byte(test.mark)); err != nil {
					t.Fatal(err)
				}
			}
			if test.content {
				if err := f.MarkContentApplied(); err != nil {
					t.Fatal(err)
				}
			}
			err := f.TakeOver(test.version)
			if test.refused == "" && err != nil {
				t.Fatal(err)
			}
			if test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused)) {
				t.Fatalf("got %v, want an error that says %q", err, test.refused)
			}
			mark, err := f.Read(kubernetesMark)
			if err != nil || test.refused == "" && !strings.HasSuffix(string(mark), " "+test.version) || test.refused != "" && string(mark) != test.mark {
				t.Errorf("the mark is %q, %v", mark, err)
			}
		})
	}
}
