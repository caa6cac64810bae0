package visit

import (
	"context"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// MaxSchema bounds a schema in a page, in bytes. The schema of a Pod has a sixteenth of that.
const MaxSchema = 4 << 20

// Described is the OpenAPI document of a group version, or why there is none.
type Described struct {
	Document schema.Document
	Err      error
}

// Describe asks for the document of the path's group version. The page doesn't wait for it for long, because it has other things to show.
func (v *Visit) Describe(path apipath.Path, patience time.Duration) Described {
	ctx, cancel := context.WithTimeout(v.Context(), patience)
	defer cancel()
	document, err := v.cluster.Document(ctx, v.client, path.Group, path.Version)
	return Described{document, err}
}

// SchemaPatience is how long a page waits for the document that it is about.
func (v *Visit) SchemaPatience() time.Duration { return v.site.Patience / 3 }

// FieldsPatience is shorter, because ownership can be shown without a schema.
func (v *Visit) FieldsPatience() time.Duration { return v.site.Patience / 12 }
