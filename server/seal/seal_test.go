package seal

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// key is a key of 32 bytes, the same for the same seed.
func key(seed byte) []byte {
	k := make([]byte, 32)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(k)
	return k
}

func sealer(t *testing.T, o Options, keys ...[]byte) *Sealer {
	t.Helper()
	s, err := New(o, keys...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestForgedCookie_OnlyTheSameKeyAndPurposeOpen(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	at := func(late time.Duration) Options { return Options{Now: func() time.Time { return now.Add(late) }} }
	sealed, err := sealer(t, at(0), key(1)).Seal("session", []byte("ada"))
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(sealed)
	flipped := bytes.Clone(raw)
	flipped[len(flipped)/2] ^= 1
	for name, c := range map[string]struct {
		opens   *Sealer
		purpose Purpose
		sealed  string
		want    error
	}{
		"the same":                 {sealer(t, at(0), key(1)), "session", sealed, nil},
		"on a replica":             {sealer(t, at(-30*time.Second), key(1)), "session", sealed, nil},
		"after a rotation":         {sealer(t, at(0), key(2), key(1)), "session", sealed, nil},
		"with the old key gone":    {sealer(t, at(0), key(2)), "session", sealed, ErrRefused},
		"a login's as a session's": {sealer(t, at(0), key(1)), "login", sealed, ErrRefused},
		"one bit changed":          {sealer(t, at(0), key(1)), "session", base64.RawURLEncoding.EncodeToString(flipped), ErrRefused},
		"truncated":                {sealer(t, at(0), key(1)), "session", sealed[:len(sealed)-4], ErrRefused},
		"of another format":        {sealer(t, at(0), key(1)), "session", "Ag" + sealed[2:], ErrRefused},
		"no base64":                {sealer(t, at(0), key(1)), "session", sealed + "=", ErrRefused},
		"nothing":                  {sealer(t, at(0), key(1)), "session", "", ErrRefused},
		"at the last moment":       {sealer(t, at(time.Hour), key(1)), "session", sealed, nil},
		"too old":                  {sealer(t, at(time.Hour+time.Millisecond), key(1)), "session", sealed, ErrOld},
		"from the future":          {sealer(t, at(-2*time.Minute), key(1)), "session", sealed, ErrOld},
	} {
		content, when, err := c.opens.Open(c.purpose, c.sealed, time.Hour)
		if !errors.Is(err, c.want) || err == nil && (string(content) != "ada" || !when.Equal(now)) || err != nil && content != nil {
			t.Errorf("%s: %q sealed at %v, %v", name, content, when, err)
		}
	}
}

func TestTwoSealedValuesOfOneContentDiffer(t *testing.T) {
	s := sealer(t, Options{}, key(1))
	one, _ := s.Seal("session", []byte("ada"))
	two, _ := s.Seal("session", []byte("ada"))
	if one == two {
		t.Error("equal: the nonce isn't random")
	}
	if _, err := sealer(t, Options{Random: iotest.ErrReader(errors.New("dry"))}, key(1)).Seal("session", nil); err == nil {
		t.Error("sealed without randomness")
	}
}

func TestForgedCookie_KeyFiles(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString(key(1))
	for name, c := range map[string]struct {
		content string
		mode    fs.FileMode
		want    string // of the error; empty: it is accepted
	}{
		"base64":                 {encoded + "\n", 0o600, ""},
		"base64 without padding": {strings.TrimRight(encoded, "="), 0o400, ""},
		"raw":                    {"\x01\x02\x03\x04\x05\x06\x07\x08" + strings.Repeat("~", 24), 0o440, ""},
		"too short":              {base64.StdEncoding.EncodeToString(key(1)[:31]), 0o600, "has 31 bytes, and needs at least 32"},
		"a short raw one":        {"correct horse battery staple", 0o600, "has 28 bytes"},
		"not random":             {base64.StdEncoding.EncodeToString(make([]byte, 32)), 0o600, "isn't random"},
		"readable by all":        {encoded, 0o644, "mode 0644"},
		"empty":                  {"", 0o600, "is empty"},
	} {
		path := filepath.Join(t.TempDir(), "key")
		if err := errors.Join(os.WriteFile(path, []byte(c.content), 0o600), os.Chmod(path, c.mode)); err != nil {
			t.Fatal(err)
		}
		_, err := Load(Options{}, "--session-keys", path)
		checkLine(t, name, err, c.want)
		if err != nil && c.content != "" && strings.Contains(err.Error(), strings.TrimSpace(c.content)) {
			t.Errorf("%s: the error shows the key", name)
		}
	}
	_, err := Load(Options{}, "--session-keys")
	checkLine(t, "no file", err, "is missing")
	_, err = Load(Options{}, "--session-keys", filepath.Join(t.TempDir(), "none"))
	checkLine(t, "a file that isn't there", err, "no such file")
}

func checkLine(t *testing.T, name string, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "--session-keys") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: error %v, want one line with %q", name, err, want)
	}
}
