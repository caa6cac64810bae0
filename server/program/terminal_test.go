//go:build linux

package program

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is a pseudoterminal: what a program prints on it can be read from screen.
func terminal(t *testing.T) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("SKIPPED, NOT TESTED: there are no pseudoterminals here: %v", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED, NOT TESTED: the pseudoterminal can't be opened: %v", err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return screen, program
}

func TestAtATerminalARandomTokenIsPrinted(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	screen, stderr := terminal(t)
	ctx, stop := context.WithCancel(t.Context())
	reader, stdout := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- runProgram(ctx, "v1", []string{"--listen", "127.0.0.1:0", "--practice", "off"}, noEnv, stdout, stderr)
		_ = stdout.Close()
	}()
	line, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil || !readyLine.MatchString(strings.TrimSuffix(line, "\n")) {
		t.Fatalf("%q %v", line, err)
	}
	shown := bufio.NewScanner(screen)
	for shown.Scan() {
		if _, token, ok := strings.Cut(shown.Text(), "Launch token, for programs and other browsers: "); ok {
			f := &fieldmark{t: t, base: readyLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))[1], token: strings.TrimSpace(token)}
			if got := f.bearer("GET", "/"); got.code != 200 {
				t.Errorf("with the printed token: %d", got.code)
			}
			break
		}
	}
	stop()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d", code)
	}
}
