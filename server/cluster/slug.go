package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxSlug bounds the readable part of a slug.
const maxSlug = 60

// Slug is the name a context has in URLs. A name of letters, digits, '.', '_' and '-' that begins with a letter or digit is its own
// slug. In any other, each run of other characters becomes one '-', and a '-' with eight hexadecimal digits of the name's SHA-256
// follows: arn:aws:eks:eu-west-1:42:cluster/shop is arn-aws-eks-eu-west-1-42-cluster-shop-…. So a slug depends only on its name, and
// permalinks stay valid if other contexts are added or removed. (A name that already looks like another's slug keeps it; the other gets
// more digits, see unique.)
func Slug(name string) string {
	if fits(name) {
		return name
	}
	return digested(name, 8)
}

// fits says whether a name can stand in a URL as it is.
func fits(name string) bool {
	if name == "" || len(name) > maxSlug || !alphanumeric(name[0]) {
		return false
	}
	for i := range len(name) {
		if !slugByte(name[i]) {
			return false
		}
	}
	return true
}

func digested(name string, digits int) string {
	sum := sha256.Sum256([]byte(name))
	digest := hex.EncodeToString(sum[:])[:digits]
	if readable := readable(name); readable != "" {
		return readable + "-" + digest
	}
	return "context-" + digest
}

func readable(name string) string {
	var b strings.Builder
	for i := 0; i < len(name) && b.Len() < maxSlug; i++ {
		switch c := name[i]; {
		case slugByte(c) && c != '-':
			b.WriteByte(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(strings.TrimLeft(b.String(), "._-"), "._-")
}

// unique is the name's slug. If that is taken, it is the shortest slug with a digest that is free.
func unique(name string, taken func(string) bool) string {
	if slug := Slug(name); !taken(slug) {
		return slug
	}
	for digits := 8; digits < 2*sha256.Size; digits += 4 {
		if slug := digested(name, digits); !taken(slug) {
			return slug
		}
	}
	return digested(name, 2*sha256.Size)
}

func slugByte(c byte) bool { return alphanumeric(c) || c == '.' || c == '_' || c == '-' }

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
