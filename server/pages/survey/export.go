package survey

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	shown "github.com/fieldmark/fieldmark/web/survey/census"
)

// file is everything that a page of a pass is about, for a file.
type file struct {
	name     string    // what the file's name says besides the page and the cluster
	began    time.Time // when the pass began
	document any       // as JSON
	table    func() string
}

// export sends the file that the address asks for. It sends no request, so a file can be had while the cluster is away. If there is none, because nobody has
// asked or the address isn't valid, it leads to the page, which says so.
func (p Pages) export(w http.ResponseWriter, r *http.Request, tool web.Profile, c *cluster.Cluster, files func(session string, c *cluster.Cluster, query url.Values) (file, bool)) {
	query := r.URL.Query()
	f, ok := files(p.Session(r), c, query)
	as := query.Get(shown.FieldExport)
	if query.Del(shown.FieldExport); !ok || as != shown.JSON && as != shown.CSV {
		http.Redirect(w, r, web.WithQuery(web.Tool(c.Slug(), tool.Tool()), query), http.StatusSeeOther)
		return
	}
	mediaType, write := "application/json", func() error { return json.NewEncoder(w).Encode(f.document) }
	if as == shown.CSV {
		mediaType, write = "text/csv; charset=utf-8", func() error { _, err := io.WriteString(w, f.table()); return err }
	}
	name := "fieldmark-" + tool.Tool() + "-" + c.Slug() + f.name + "-" + f.began.UTC().Format("20060102-150405") + "." + as
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Content-Type", mediaType)
	if err := write(); err != nil && r.Context().Err() == nil {
		p.Log.Error("could not send an export", "err", err)
	}
}
