package kubectl

import (
	"bytes"
	"crypto/rand"
	"crypto/x509"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func kept(t *testing.T, file string, now time.Time) (_ *Authority, logged string) {
	t.Helper()
	var log bytes.Buffer
	a, err := Kept(file, rand.Reader, now, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return a, log.String()
}

func TestAnAuthorityOutlivesARestart(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	file := filepath.Join(t.TempDir(), "state", "fieldmark", "authority.pem")
	first, logged := kept(t, file, now)
	if logged != "" {
		t.Errorf("the first start warns: %s", logged)
	}
	for name, mode := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700, filepath.Dir(filepath.Dir(file)): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	later := now.Add(8 * 365 * 24 * time.Hour)
	for _, again := range []time.Time{now, later} {
		a, logged := kept(t, file, again)
		if !bytes.Equal(a.Trusted(), first.Trusted()) || logged != "" {
			t.Errorf("at %v it is another one: %s", again, logged)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("%d files are in the folder", len(left))
	}

	// The certificate is new each time, for the address of that time, and a client with the old kubeconfig trusts it.
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(first.Trusted())
	for address, host := range map[string]string{"127.0.0.1:8080": "127.0.0.1", "localhost:1": "localhost", "fieldmark.lan:8080": "fieldmark.lan", "[::1]:7": "::1"} {
		a, _ := kept(t, file, later)
		pair, err := a.Certificate(rand.Reader, later, address)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(pair.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: host, CurrentTime: later.Add(364 * 24 * time.Hour)}); err != nil || leaf.IsCA {
			t.Errorf("%s: %v, an authority itself: %t", address, err, leaf.IsCA)
		}
	}
}

func TestAnAuthorityThatIsNoGoodIsReplaced(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	other, err := NewAuthority(rand.Reader, now)
	if err != nil {
		t.Fatal(err)
	}
	otherText, err := other.encode()
	if err != nil {
		t.Fatal(err)
	}
	_, otherKey, _ := bytes.Cut(otherText, []byte("-----BEGIN PRIVATE"))
	for name, spoil := range map[string]func(t *testing.T, file string) time.Time{
		"read by others":    func(t *testing.T, file string) time.Time { must(t, os.Chmod(file, 0o640)); return now },
		"written by others": func(t *testing.T, file string) time.Time { must(t, os.Chmod(file, 0o602)); return now },
		"no authority": func(t *testing.T, file string) time.Time {
			must(t, os.WriteFile(file, []byte("secret words"), 0o600))
			return now
		},
		"empty": func(t *testing.T, file string) time.Time { must(t, os.WriteFile(file, nil, 0o600)); return now },
		"another's key": func(t *testing.T, file string) time.Time {
			text, err := os.ReadFile(file)
			must(t, err)
			cert, _, _ := bytes.Cut(text, []byte("-----BEGIN PRIVATE"))
			must(t, os.WriteFile(file, append(append(cert, "-----BEGIN PRIVATE"...), otherKey...), 0o600))
			return now
		},
		"nearly expired": func(*testing.T, string) time.Time { return now.Add(9*365*24*time.Hour + 24*time.Hour) },
		"not valid yet":  func(*testing.T, string) time.Time { return now.Add(-24 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "authority.pem")
			first, _ := kept(t, file, now)
			then := spoil(t, file)
			second, logged := kept(t, file, then)
			if bytes.Equal(first.Trusted(), second.Trusted()) || !strings.Contains(logged, "no longer work") || strings.Contains(logged, "secret") {
				t.Errorf("replaced: %t; it says %q", !bytes.Equal(first.Trusted(), second.Trusted()), logged)
			}
			third, logged := kept(t, file, then)
			if !bytes.Equal(second.Trusted(), third.Trusted()) || logged != "" {
				t.Errorf("the new one is not kept: %s", logged)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v %v", info, err)
			}
		})
	}
}

func TestTwoThatStartAtOnceKeepOneAuthority(t *testing.T) {
	file := filepath.Join(t.TempDir(), "authority.pem")
	all := make([]*Authority, 8)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			var err error
			if all[i], err = Kept(file, rand.Reader, time.Now(), slog.New(slog.DiscardHandler)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, a := range all {
		if a != nil && !bytes.Equal(a.Trusted(), all[0].Trusted()) {
			t.Error("they differ")
		}
	}
}

func TestWhereNothingCanBeKeptIsAnError(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	must(t, os.WriteFile(plain, nil, 0o600))
	if _, err := Kept(filepath.Join(plain, "authority.pem"), rand.Reader, time.Now(), slog.New(slog.DiscardHandler)); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("want one line, got %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
