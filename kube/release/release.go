// Package release has the versions of Kubernetes, and ranges of them. What an API server does depends on its minor version, so a version
// here is the minor version of Kubernetes 1.
//
//	/version ──▶ Info ──▶ Version: 1.34
//	"since=1.34 until=1.36 text" ──▶ Cut ──▶ Range, "text"          Range.Holds(Version)
package release

import (
	"fmt"
	"regexp"
	"strconv"
)

// Version is a minor version of Kubernetes 1: 34 is Kubernetes 1.34. The zero value is an unknown version.
type Version int

var (
	written = regexp.MustCompile(`^1\.(0|[1-9][0-9]{0,2})$`)
	served  = regexp.MustCompile(`^v?1\.(0|[1-9][0-9]{0,2})(?:[.+-].*)?$`)
)

// Parse reads a version as people write it: 1.34.
func Parse(text string) (Version, error) {
	v := matched(written, text)
	if !v.Known() {
		return 0, fmt.Errorf("%q is no version: it is written with major and minor version, such as 1.34", text)
	}
	return v, nil
}

// Of is the version in the text that a server has for it, such as v1.34.1, v1.33.4-eks-595af52 or 1.33+. It is unknown if the text has none.
func Of(text string) Version { return matched(served, text) }

func matched(re *regexp.Regexp, text string) Version {
	found := re.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return Version(n)
}

// Known tells whether the version is known.
func (v Version) Known() bool { return v > 0 }

// String is the version as people write it, or “unknown”.
func (v Version) String() string {
	if !v.Known() {
		return "unknown"
	}
	return "1." + strconv.Itoa(int(v))
}

// Info is the part of a response to GET /version that names the version.
type Info struct {
	GitVersion string `json:"gitVersion"`
	Major      string `json:"major"`
	Minor      string `json:"minor"` // with a plus sign on servers of some providers: 33+
}

// Version is the version of the server. Builds without a tag have no gitVersion that says it, but perhaps a minor version.
func (i Info) Version() Version {
	if v := Of(i.GitVersion); v.Known() {
		return v
	}
	return Of(i.Major + "." + i.Minor)
}
