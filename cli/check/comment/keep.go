package comment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// comment is what the sites say of one.
type comment struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	User   author `json:"user"`   // GitHub
	Author author `json:"author"` // GitLab
}

type author struct {
	Login    string `json:"login"`
	Type     string `json:"type"`
	Username string `json:"username"`
}

func (c comment) by() string { return c.User.Login + c.Author.Username }

// Bounds of what is read from a site.
const (
	patience  = 30 * time.Second
	mostPages = 50 // of 100 comments
	mostBody  = 32 << 20
)

// refused is the answer of a site that doesn't allow a request.
type refused struct {
	status int
	why    string
}

func (r refused) Error() string { return r.why }

// Keep makes the comment of the pull request say the text. Without the right to comment, as in a pull request of a fork, the job's summary says it, and that is
// no error. Other errors are for a warning: the summary says the text then, too.
func (s *Site) Keep(ctx context.Context, t Text) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.keep(ctx, t)
	if err == nil {
		return nil
	}
	var no refused
	if errors.As(err, &no) && (no.status == http.StatusUnauthorized || no.status == http.StatusForbidden || no.status == http.StatusNotFound) && s.summary != "" {
		return s.Summarize(t)
	}
	return errors.Join(err, s.Summarize(t))
}

// Summarize adds the text to the summary of the job. Without a summary, nothing happens.
func (s *Site) Summarize(t Text) error {
	if s.summary == "" {
		return nil
	}
	f, err := os.OpenFile(s.summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("writing the summary of the job: %w", err)
	}
	_, err = f.WriteString(t.Markdown(mostSummary, s.rest()) + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing the summary of the job: %w", err)
	}
	return nil
}

// mostSummary is how long the summary of a step may be, in bytes: GitHub takes 1 MiB.
const mostSummary = 1 << 20

func (s *Site) keep(ctx context.Context, t Text) error {
	own, err := s.own(ctx, t.mark())
	if err != nil {
		return err
	}
	body := t.Markdown(s.most, s.rest())
	switch {
	case len(own) == 0 && t.Empty:
		return nil
	case len(own) == 0:
		return s.write(ctx, http.MethodPost, s.api, body)
	}
	first := own[0]
	if same(first.Body, body) {
		err = nil
	} else {
		err = s.write(ctx, s.change, s.one+strconv.FormatInt(first.ID, 10), body)
	}
	for _, more := range own[1:] { // two runs at the same time made one each
		err = errors.Join(err, s.ask(ctx, http.MethodDelete, s.one+strconv.FormatInt(more.ID, 10), nil, nil))
	}
	return err
}

// same compares texts as sites keep them: some change the ends of lines, and cut the end.
func same(a, b string) bool {
	clean := func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }
	return clean(a) == clean(b)
}

// own are the check's own comments, the oldest first. Anybody can write a comment with the mark, so the author counts, too.
func (s *Site) own(ctx context.Context, mark string) ([]comment, error) {
	var marked []comment
	next := s.api + "?per_page=100"
	for range mostPages {
		var some []comment
		link, err := s.page(ctx, next, &some)
		if err != nil {
			return nil, err
		}
		for _, c := range some {
			if strings.HasPrefix(c.Body, mark) {
				marked = append(marked, c)
			}
		}
		if link == "" {
			break
		}
		next = link
	}
	me := ""
	var err error
	marked = slices.DeleteFunc(marked, func(c comment) bool {
		if s.bots && c.User.Type == "Bot" || err != nil {
			return false
		}
		if me == "" {
			me, err = s.me(ctx)
		}
		return c.by() != me
	})
	slices.SortFunc(marked, func(a, b comment) int { return int(a.ID - b.ID) })
	return marked, err
}

// me is the token's own account. The token of a job of GitHub has none that it could ask for: then no comment of a person is the check's own.
func (s *Site) me(ctx context.Context) (string, error) {
	var of author
	err := s.ask(ctx, http.MethodGet, s.who, nil, &of)
	if no := (refused{}); errors.As(err, &no) && no.status != http.StatusTooManyRequests {
		return "-", nil
	}
	return of.Login + of.Username, err
}

func (s *Site) write(ctx context.Context, method, address, body string) error {
	text, err := json.Marshal(map[string]string{"body": body})
	if err != nil {
		return fmt.Errorf("writing the comment: %w", err)
	}
	return s.ask(ctx, method, address, text, nil)
}

func (s *Site) ask(ctx context.Context, method, address string, body []byte, into any) error {
	_, err := s.request(ctx, method, address, body, into)
	return err
}

// page reads a page of a list, and returns the address of the next one; empty: this is the last.
func (s *Site) page(ctx context.Context, address string, into any) (next string, err error) {
	header, err := s.request(ctx, http.MethodGet, address, nil, into)
	if err != nil {
		return "", err
	}
	for _, link := range strings.Split(header.Get("Link"), ",") {
		target, rel, _ := strings.Cut(strings.TrimSpace(link), ";")
		if strings.Contains(rel, `rel="next"`) {
			return s.within(strings.Trim(target, "<>"))
		}
	}
	return "", nil
}

// within refuses an address of another host, which would get the token.
func (s *Site) within(address string) (string, error) {
	own, err1 := url.Parse(s.api)
	other, err2 := url.Parse(address)
	if err := errors.Join(err1, err2); err != nil {
		return "", fmt.Errorf("reading the address of the next page: %w", err)
	}
	if own.Scheme != other.Scheme || own.Host != other.Host {
		return "", fmt.Errorf("the next page is on another host, %s", other.Host)
	}
	return address, nil
}

func (s *Site) request(ctx context.Context, method, address string, body []byte, into any) (http.Header, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("asking for the comments: %w", err)
	}
	r.Header = s.header.Clone()
	r.Header.Set("User-Agent", "fieldmark")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	client := &http.Client{CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		_, err := s.within(to.URL.String())
		return err
	}}
	response, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("asking for the comments: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return nil, refusal(method, response)
	}
	if into != nil {
		if err := json.NewDecoder(io.LimitReader(response.Body, mostBody)).Decode(into); err != nil {
			return nil, fmt.Errorf("reading the comments: %w", err)
		}
	}
	return response.Header, nil
}

// refusal is why a site didn't do what was asked. A limit of requests is told apart from a missing right, which has the same status.
func refusal(method string, response *http.Response) error {
	status := response.StatusCode
	if limited := response.Header.Get("Retry-After") != "" || response.Header.Get("X-Ratelimit-Remaining") == "0"; limited && status == http.StatusForbidden {
		status = http.StatusTooManyRequests
	}
	if status == http.StatusTooManyRequests {
		return refused{status, "the site's limit of requests is reached"}
	}
	return refused{status, fmt.Sprintf("the site's response to %s was %d %s", method, status, http.StatusText(status))}
}
