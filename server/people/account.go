package people

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// rereadAfter is how long a token is used before its file is read again. Kubernetes replaces the tokens in files long before they end.
const rereadAfter = 20 * time.Second

// maxToken bounds the file of a token, in bytes.
const maxToken = 64 << 10

// Account is Fieldmark's own account at a cluster. It is used to impersonate people, and for nothing else.
type Account struct {
	file string
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex
	token string
	read  time.Time
}

// NewAccount reads the token of an account from a file, which must exist and not be empty. now and log may be nil.
func NewAccount(file string, now func() time.Time, log *slog.Logger) (*Account, error) {
	if now == nil {
		now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	a := &Account{file: file, now: now, log: log}
	if _, err := a.Token(); err != nil {
		return nil, err
	}
	return a, nil
}

// Token is the account's token. The file is read again every 20 seconds; while that fails, the last token is used.
func (a *Account) Token() (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token != "" && a.now().Sub(a.read) < rereadAfter {
		return a.token, nil
	}
	token, err := tokenOf(a.file)
	switch {
	case err == nil:
		a.token, a.read = token, a.now()
	case a.token == "":
		return "", err
	default:
		a.read = a.now()
		a.log.Warn("the token of Fieldmark's own account can't be read again", "err", err)
	}
	return a.token, nil
}

func tokenOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("the token file of the impersonating account can't be read: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxToken))
	if err != nil {
		return "", fmt.Errorf("the token file of the impersonating account can't be read: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", errors.New("the token file " + file + " of the impersonating account is empty")
	}
	return token, nil
}
