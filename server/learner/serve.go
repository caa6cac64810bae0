package learner

import (
	"encoding/json"
	"net/http"

	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// maxChange bounds the body of a request, in bytes.
const maxChange = 2 << 20

// whole is the response to changes.
type whole struct {
	Revision string                     `json:"revision"`
	Refused  []string                   `json:"refused,omitempty"`
	Learn    learn                      `json:"learn"`
	Tasks    map[string]json.RawMessage `json:"tasks"`
}

// Serve responds to the requests of pages: PATCH with a list of changes, and GET for the responses of a lesson. session is that of the browser.
func (s *Store) Serve(w http.ResponseWriter, r *http.Request, session string) {
	if s == nil {
		http.Error(w, "This Fieldmark doesn't keep the progress in the field guide.", http.StatusNotFound)
		return
	}
	if r.Method != http.MethodPatch {
		s.send(w, s.Responses(r.URL.Query().Get(progress.LessonField)))
		return
	}
	var changes []Change
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxChange)).Decode(&changes); err != nil {
		http.Error(w, "This is no list of changes.", http.StatusBadRequest)
		return
	}
	refused, err := s.Apply(session, changes)
	if err != nil {
		s.log.Warn("the progress in the field guide can't be kept", "file", s.path, "err", err)
		http.Error(w, "The progress can't be kept. The log of Fieldmark says why.", http.StatusInsufficientStorage)
		return
	}
	s.mu.Lock()
	now := whole{Revision: s.revision, Refused: refused, Learn: s.kept.Learn, Tasks: s.kept.Tasks}
	s.mu.Unlock()
	s.send(w, now)
}

func (s *Store) send(w http.ResponseWriter, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		http.Error(w, "The progress can't be sent.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text)
}
