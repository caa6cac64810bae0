package comment

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// site is a server with the comments of one pull request, as the documentation of GitHub's and GitLab's APIs has them: pages with links, accounts, rights.
type site struct {
	*httptest.Server
	t        *testing.T
	gitLab   bool
	comments []comment
	last     int64
	writes   []string
	refuse   func(http.ResponseWriter, *http.Request) bool
}

const (
	token = "token-that-nobody-may-see"
	page  = 2
)

func serve(t *testing.T, gitLab bool) *site {
	t.Helper()
	s := &site{t: t, gitLab: gitLab}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

// me is the account of the token. GitHub doesn't tell a job's token.
func (s *site) me() author {
	if s.gitLab {
		return author{Username: "checker"}
	}
	return author{Login: "github-actions[bot]", Type: "Bot"}
}

func (s *site) add(by author, body string) {
	s.last++
	c := comment{ID: s.last, Body: body}
	if s.gitLab {
		c.Author = by
	} else {
		c.User = by
	}
	s.comments = append(s.comments, c)
}

func (s *site) handle(w http.ResponseWriter, r *http.Request) {
	if s.refuse != nil && s.refuse(w, r) {
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+token && r.Header.Get("Private-Token") != token {
		http.Error(w, "{}", http.StatusUnauthorized)
		return
	}
	if r.URL.Path == "/api/user" {
		if !s.gitLab {
			http.Error(w, "Resource not accessible by integration", http.StatusForbidden)
			return
		}
		_ = json.NewEncoder(w).Encode(s.me())
		return
	}
	list, one := "/api/repos/shop/web/issues/7/comments", "/api/repos/shop/web/issues/comments/"
	if s.gitLab {
		list, one = "/api/projects/42/merge_requests/7/notes", "/api/projects/42/merge_requests/7/notes/"
	}
	switch {
	case r.URL.Path == list && r.Method == http.MethodGet:
		s.list(w, r)
	case r.URL.Path == list && r.Method == http.MethodPost:
		s.writes = append(s.writes, "made")
		s.add(s.me(), s.body(r))
		w.WriteHeader(http.StatusCreated)
	case strings.HasPrefix(r.URL.Path, one):
		s.change(w, r, strings.TrimPrefix(r.URL.Path, one))
	default:
		http.NotFound(w, r)
	}
}

func (s *site) body(r *http.Request) string {
	var of struct {
		Body string `json:"body"`
	}
	if err := json.NewDecoder(r.Body).Decode(&of); err != nil {
		s.t.Error(err)
	}
	return of.Body
}

func (s *site) list(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	from := max(n-1, 0) * page
	to := min(from+page, len(s.comments))
	if to < len(s.comments) {
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?page=1>; rel="first", <%s%s?page=%d>; rel="next"`, s.URL, r.URL.Path, s.URL, r.URL.Path, max(n, 1)+1))
	}
	_ = json.NewEncoder(w).Encode(s.comments[from:to])
}

func (s *site) change(w http.ResponseWriter, r *http.Request, number string) {
	id, _ := strconv.ParseInt(number, 10, 64)
	at := slices.IndexFunc(s.comments, func(c comment) bool { return c.ID == id })
	want := http.MethodPatch
	if s.gitLab {
		want = http.MethodPut
	}
	switch {
	case at < 0:
		http.NotFound(w, r)
	case r.Method == http.MethodDelete:
		s.writes = append(s.writes, "deleted "+number)
		s.comments = slices.Delete(s.comments, at, at+1)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == want:
		s.writes = append(s.writes, "changed "+number)
		s.comments[at].Body = strings.ReplaceAll(s.body(r), "\n", "\r\n") + "\r\n" // as sites do
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// of is the site as a job sees it, and the file with the summary of the job.
func (s *site) of(t *testing.T, more map[string]string) (job *Site, summary string, err error) {
	t.Helper()
	folder := t.TempDir()
	summary = filepath.Join(folder, "summary.md")
	event := filepath.Join(folder, "event.json")
	if err := os.WriteFile(event, []byte(`{"action":"synchronize","pull_request":{"number":7}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"GITHUB_API_URL": s.URL + "/api", "GITHUB_REPOSITORY": "shop/web", "GITHUB_TOKEN": token, "GITHUB_EVENT_PATH": event, "GITHUB_STEP_SUMMARY": summary,
		"GITHUB_RUN_ID": "99", "GITHUB_SERVER_URL": "https://github.example.com",
	}
	if s.gitLab {
		env = map[string]string{"CI_API_V4_URL": s.URL + "/api", "CI_PROJECT_ID": "42", "CI_MERGE_REQUEST_IID": "7", "FIELDMARK_GITLAB_TOKEN": token}
	}
	for key, value := range more {
		env[key] = value
	}
	job, err = FromEnvironment(func(name string) string { return env[name] })
	return job, summary, err
}

func text(words string) Text {
	return Text{Name: "shop", Head: "### shop: " + words + "\n", Parts: []Part{{Short: "\na conflict\n", Long: "\na conflict\nand a way out\n"}}}
}

func TestTenPushesLeaveOneComment(t *testing.T) {
	for _, gitLab := range []bool{false, true} {
		s := serve(t, gitLab)
		for n := range 5 {
			s.add(author{Login: "dana", Username: "dana", Type: "User"}, fmt.Sprintf("I like it %d", n))
		}
		s.add(author{Login: "eve", Username: "eve", Type: "User"}, text("").mark()+"\nall is well")
		job, _, err := s.of(t, nil)
		if err != nil {
			t.Fatal(err)
		}
		other := text("0")
		other.Name = "payments"
		for n := range 10 {
			for _, one := range []Text{text(strconv.Itoa(n / 2)), other} {
				if err := job.Keep(t.Context(), one); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want := []string{"made", "made", "changed 7", "changed 7", "changed 7", "changed 7"}; !slices.Equal(s.writes, want) {
			t.Errorf("GitLab %v: it wrote %q, want %q", gitLab, s.writes, want)
		}
		if len(s.comments) != 8 || !strings.Contains(s.comments[6].Body, "shop: 4") || !strings.Contains(s.comments[5].Body, "all is well") {
			t.Errorf("GitLab %v: %+v", gitLab, s.comments)
		}
	}
}

func TestWhatIsGoneIsToldInTheSameComment(t *testing.T) {
	s := serve(t, false)
	job, _, _ := s.of(t, nil)
	none := Text{Name: "shop", Head: "### shop: nothing to report\n", Empty: true}
	for _, one := range []Text{none, text("1"), none, none} {
		if err := job.Keep(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"made", "changed 1"}; !slices.Equal(s.writes, want) {
		t.Errorf("it wrote %q, want %q", s.writes, want)
	}
	s.add(s.me(), text("").mark()+"\nof a run at the same time")
	if err := job.Keep(t.Context(), none); err != nil || len(s.comments) != 1 {
		t.Errorf("%v, %+v", err, s.comments)
	}
}

// refusal is what a site answers to each request, and what the warning says; empty: there is none.
type refusalCase struct {
	env    map[string]string
	refuse func(http.ResponseWriter, *http.Request) bool
	want   string
}

// refusals are the ways in which a comment isn't kept. Some lead to another host.
func refusals(elsewhere string) map[string]refusalCase {
	answer := func(status int, header ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			return true
		}
	}
	return map[string]refusalCase{
		"a fork":         {nil, answer(403), ""},
		"a fork, hidden": {nil, answer(404), ""},
		"only reads": {nil, func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet {
				return false
			}
			return answer(403)(w, r)
		}, ""},
		"an old token":    {nil, answer(401), ""},
		"no token":        {map[string]string{"GITHUB_TOKEN": ""}, nil, "GITHUB_TOKEN isn't set"},
		"a push":          {map[string]string{"GITHUB_EVENT_PATH": "/nosuch", "GITHUB_REF": "refs/heads/main"}, nil, "no run for a pull request"},
		"http":            {map[string]string{"GITHUB_API_URL": "http://example.com"}, nil, "no https address"},
		"limited":         {nil, answer(403, "X-Ratelimit-Remaining", "0"), "limit of requests"},
		"limited, again":  {nil, answer(403, "Retry-After", "60"), "limit of requests"},
		"limited, as 429": {nil, answer(429), "limit of requests"},
		"broken":          {nil, answer(502), "502 Bad Gateway"},
		"too long for it": {nil, answer(422), "422"},
		"no JSON":         {nil, func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte("<html>")); return true }, "reading the comments"},
		"led elsewhere":   {nil, answer(307, "Location", elsewhere+"/api/repos/shop/web/issues/7/comments"), "another host"},
		"paged elsewhere": {nil, func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Link", "<"+elsewhere+`/more>; rel="next"`)
			_, _ = w.Write([]byte("[]"))
			return true
		}, "another host"},
	}
}

func TestWhereNobodyMayCommentTheSummarySaysIt(t *testing.T) {
	elsewhere := serve(t, false)
	asked := 0
	elsewhere.refuse = func(http.ResponseWriter, *http.Request) bool { asked++; return false }
	for name, c := range refusals(elsewhere.URL) {
		t.Run(name, func(t *testing.T) {
			s := serve(t, false)
			s.refuse = c.refuse
			job, summary, err := s.of(t, c.env)
			if err == nil {
				err = job.Keep(t.Context(), text("1"))
			} else if more := job.Summarize(text("1")); more != nil {
				t.Error(more)
			}
			switch {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("the warning is %v, want %q", err, c.want)
			case err != nil && strings.Contains(err.Error(), token):
				t.Errorf("the token is in %v", err)
			}
			said, err := os.ReadFile(summary)
			if err != nil || !strings.Contains(string(said), "shop: 1") {
				t.Errorf("the summary: %q, %v", said, err)
			}
		})
	}
	if asked > 0 {
		t.Errorf("%d requests went to another host", asked)
	}
}

func TestOutsideOfPipelines(t *testing.T) {
	if _, err := FromEnvironment(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "aren't set") {
		t.Error(err)
	}
}
