package visit

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/typed"
	"github.com/fieldmark/fieldmark/web"
)

// StrayTab is a notice if the address names a tab that the page doesn't have; nil: it has the tab. The page shows its first tab then.
func StrayTab[T ~string](v *Visit, tabs ...T) *components.Notice {
	asked := v.request.URL.Query().Get(web.TabField)
	var names []string
	for _, t := range tabs {
		if names = append(names, string(t)); asked == string(t) || asked == "" {
			return nil
		}
	}
	return &components.Notice{
		Tone: components.Warn, Title: fmt.Sprintf("There is no tab “%s” here", asked),
		Words: "The page shows its first tab instead." + typed.DidYouMean(asked, names) + " The tabs are: " + strings.Join(names, ", ") + ".",
	}
}
