package comment

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Site is where a comment is: a pull request of GitHub, or a merge request of GitLab, as the variables of the pipeline name it.
type Site struct {
	api     string // the address of the comments
	one     string // the address before the number of a comment
	who     string // the address of the token's own account
	change  string // the method that changes a comment
	header  http.Header
	token   string
	most    int // how long a comment may be, in bytes; the sites count characters
	run     string
	summary string // the file with the job's summary; empty: there is none
	// Bot says that comments of all bots are the check's own: a job's token of GitHub can't ask who it is.
	bots bool
}

// How long comments may be. GitLab's longest is shortened, because nobody reads it.
const (
	mostGitHub = 65_536
	mostGitLab = 262_144
)

var (
	errNoPull = errors.New("this is no run for a pull request or a merge request, so there is no comment. Only the job's summary is written")
	pullRef   = regexp.MustCompile(`^refs/pull/(\d+)/`)
)

// FromEnvironment reads the variables that GitHub and GitLab set for a job, and the token: GITHUB_TOKEN, or FIELDMARK_GITLAB_TOKEN. An error says why there can
// be no comment. The site can then still write the summary.
func FromEnvironment(getenv func(string) string) (*Site, error) {
	switch {
	case getenv("GITHUB_REPOSITORY") != "":
		return fromGitHub(getenv)
	case getenv("CI_PROJECT_ID") != "":
		return fromGitLab(getenv)
	}
	return &Site{}, errors.New("the variables of GitHub (GITHUB_REPOSITORY) or GitLab (CI_PROJECT_ID) aren't set, so there is no pull request to comment on")
}

func fromGitHub(getenv func(string) string) (*Site, error) {
	s := &Site{
		change: http.MethodPatch, most: mostGitHub, summary: getenv("GITHUB_STEP_SUMMARY"), token: getenv("GITHUB_TOKEN"), bots: true,
		header: http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}},
	}
	repository := getenv("GITHUB_REPOSITORY")
	if run := getenv("GITHUB_RUN_ID"); run != "" {
		s.run = strings.TrimSuffix(getenv("GITHUB_SERVER_URL"), "/") + "/" + repository + "/actions/runs/" + run
	}
	number := pullNumber(getenv("GITHUB_EVENT_PATH"), getenv("GITHUB_REF"))
	switch {
	case number == 0:
		return s, errNoPull
	case s.token == "":
		return s, errors.New("GITHUB_TOKEN isn't set")
	}
	s.header.Set("Authorization", "Bearer "+s.token)
	base := strings.TrimSuffix(getenv("GITHUB_API_URL"), "/")
	owner, name, _ := strings.Cut(repository, "/")
	issues := base + "/repos/" + url.PathEscape(owner) + "/" + url.PathEscape(name) + "/issues"
	s.api, s.one, s.who = issues+"/"+strconv.Itoa(number)+"/comments", issues+"/comments/", base+"/user"
	return s, s.usable(base)
}

func fromGitLab(getenv func(string) string) (*Site, error) {
	s := &Site{change: http.MethodPut, most: mostGitLab, run: getenv("CI_JOB_URL"), token: getenv("FIELDMARK_GITLAB_TOKEN"), header: http.Header{}}
	number, _ := strconv.Atoi(getenv("CI_MERGE_REQUEST_IID"))
	switch {
	case number == 0:
		return s, errNoPull
	case s.token == "":
		return s, errors.New("FIELDMARK_GITLAB_TOKEN isn't set; GitLab's own job token can't write notes")
	}
	s.header.Set("Private-Token", s.token)
	base := strings.TrimSuffix(getenv("CI_API_V4_URL"), "/")
	s.api = base + "/projects/" + url.PathEscape(getenv("CI_PROJECT_ID")) + "/merge_requests/" + strconv.Itoa(number) + "/notes"
	s.one, s.who = s.api+"/", base+"/user"
	return s, s.usable(base)
}

// usable wants HTTPS, because each request has the token. Servers on this machine are for tests.
func (s *Site) usable(base string) error {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Hostname() != "127.0.0.1" {
		return fmt.Errorf("the address of the API, %q, is no https address", base)
	}
	return nil
}

// pullNumber is the number of the pull request that the event is about; 0: none.
func pullNumber(file, ref string) int {
	var event struct {
		PullRequest struct {
			Number int `json:"number"`
		} `json:"pull_request"`
		Issue struct {
			Number      int             `json:"number"`
			PullRequest json.RawMessage `json:"pull_request"`
		} `json:"issue"`
	}
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &event) == nil {
		switch {
		case event.PullRequest.Number > 0:
			return event.PullRequest.Number
		case len(event.Issue.PullRequest) > 0:
			return event.Issue.Number
		}
	}
	if m := pullRef.FindStringSubmatch(ref); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// rest says where all findings are.
func (s *Site) rest() string {
	if s.run == "" {
		return "The log of the job has all of them."
	}
	return "The log of [the job](" + s.run + ") has all of them."
}
