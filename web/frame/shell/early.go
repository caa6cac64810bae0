package shell

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web"
)

// early is the script of a document. Its text is the one that the Content-Security-Policy names by its hash, so nothing of a cluster can be in it. What
// differs between documents is in attributes.
func early(m Model, keys []string) templ.Component {
	return templ.Raw(`<script data-program="` + templ.EscapeString(m.program()) + `" data-pages="` + templ.EscapeString(web.PageAddresses) +
		`" data-keys="` + templ.EscapeString(strings.Join(keys, " ")) + `">` + m.Assets.Early + `</script>`)
}
