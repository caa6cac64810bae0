package shell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/practice/filesystem"
)

// limit is generous: what a test waits for takes milliseconds.
const limit = 30 * time.Second

func container() *Container {
	now := func() time.Time { return time.Date(2026, 5, 4, 10, 20, 30, 0, time.UTC) }
	files := filesystem.New(now)
	files.Add(filesystem.Image{
		Files:    map[string]string{"/etc/hostname": "web-0\n", "/etc/os-release": "NAME=Practice\n", "/tmp/": "", "/root/": "", "/lines": "one\ntwo\nthree\n"},
		Programs: Programs(),
		Mounts:   map[string]map[string][]byte{"/config": {"key": []byte("value")}},
	})
	return &Container{
		Files: files, Hostname: "web-0", Dir: "/", Env: []string{"COLOR=blue"}, Main: []string{"nginx"}, Now: now,
		Fetch: func(_ context.Context, address string) (int, string, error) {
			if address == "http://catalog/healthz" {
				return 200, "ok\n", nil
			}
			return 0, "", errors.New("bad address")
		},
	}
}

// output is what a command writes. It can be read while it runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// try runs a command and returns everything that it wrote, and its exit code.
func try(t *testing.T, c *Container, in string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var out output
	code, err := NewHost().Run(ctx, c, args, Streams{In: strings.NewReader(in), Out: &out, Err: &out})
	if err != nil {
		t.Errorf("%q: %v", args, err)
	}
	return out.String(), code
}

func TestCommands(t *testing.T) {
	for script, want := range map[string]string{
		"echo $HOSTNAME$COLOR; hostname":       "blue\nweb-0\n",
		"env":                                  "COLOR=blue\nHOME=/root\nPATH=" + usualPath + "\n",
		"A=1 env | grep A=":                    "A=1\n",
		"export A=1; sh -c 'echo $A $B' ; B=2": "1\n",
		"id; whoami":                           "uid=0(root) gid=0(root) groups=0(root)\nroot\n",
		"cat /etc/hostname < /lines":           "web-0\n",
		"cd /etc && pwd && cat hostname":       "/etc\nweb-0\n",
		"ls /config /etc":                      "/config:\nkey\n/etc:\nhostname\nos-release\n",
		"cd config; ls -l":                     "-rw-r--r--    1 root     root             5 May  4 10:20 key\n",
		"head -n 1 /lines; tail -1 /lines; tail -n +2 lines":     "one\nthree\ntwo\nthree\n",
		"head -c 2 lines; tail -c3 lines; tail -c+13 lines":      "onee\ne\n",
		"grep -n t lines; grep -c o < lines; grep -vi ONE lines": "2:two\n3:three\n2\ntwo\nthree\n",
		"wc lines; wc -l < lines":                                "3 3 14 lines\n3\n",
		"date; date +%s":                                         "Mon May  4 10:20:30 UTC 2026\n1777890030\n",
		"ps":                                                     "PID   USER     TIME  COMMAND\n    1 root      0:00 nginx\n    7 root      0:00 sh\n   12 root      0:00 ps\n",
		"mkdir -p /a/b; touch /a/b/c; echo x > /a/b/d; ls /a/b; rm -r /a; ls /a":       "c\nd\nls: /a: No such file or directory\n",
		"echo 1 > f; echo 2 >> f; cp f g; mv g tmp; cat /tmp/g; rm f g":                "1\n2\nrm: g: No such file or directory\n",
		"ln -s /etc/hostname l; cat l; ls -l / | grep -c 'l -> /etc/hostname'":         "web-0\n1\n",
		"echo a > /config/key; rm /config/key; touch /config/new":                      "open /config/key: read-only file system\nrm: /config/key: Read-only file system\ntouch: /config/new: Read-only file system\n",
		"for i in $(seq 3); do echo -n $i; done; echo; [ -f /lines ] && echo yes":      "123\nyes\n",
		"f() { echo \"f $1\"; return 3; }; f x; echo $?":                               "f x\n3\n",
		"wget -qO- catalog/healthz; curl -s http://catalog/healthz; curl -i catalog/x": "ok\nok\ncurl: (6) bad address\n",
		"type ls; command -v cat cd nothing; which sh":                                 "ls is /bin/ls\n/bin/cat\ncd\n/bin/sh\n",
		"nothing; echo $?": "sh: nothing: not found\n127\n",
		"eval 'echo {1..3}' $((2+3)); echo {a,b}; x={1,2}; echo $x":                                       "{1..3} 5\n{a,b}\n{1,2}\n",
		"echo 'echo sourced $0' > /s; . /s; echo 'echo script $1' > /t; chmod +x /t; /t 1; exec echo all": "sourced sh\nscript 1\nall\n",
		"trap 'echo bye' EXIT; echo hi":                                                                   "hi\nbye\n",
		"cat <<E\n{a,b} $(echo {c,d})\nE":                                                                 "{a,b} {c,d}\n",
		"echo $$ $PPID; echo ~root ~daemon $UID":                                                          "7 0\n/root ~daemon 0\n",
		"yes | head -2; seq 1 1000000 | head -1; cat /dev/zero | head -c 3 | wc -c":                       "y\ny\n1\n3\n",
		"tar cf - config | tar tf -; tar cf - nothing":                                                    "config/\nconfig/key\ntar: nothing: No such file or directory\n" + strings.Repeat("\x00", 1024),
		"mkdir d; tar cf - config | tar xf - -C d; cat d/config/key":                                      "value",
		"stty size; uname -a":                                                                             "stty: standard input: Not a tty\nLinux web-0 6.12.0-simulated #1 SMP x86_64 GNU/Linux\n",
		"builtin echo; shopt -s extglob; pushd /":                                                         "sh: builtin: not found\nsh: shopt: not found\nsh: pushd: not found\n",
		"ls --color; kill 99; sleep x; sleep ''":                                                          "ls: unrecognized option: -\nkill: can't kill pid 99: No such process\nsleep: invalid number 'x'\nsleep: invalid number ''\n",
	} {
		if got, _ := try(t, container(), "", "sh", "-c", script); got != want {
			t.Errorf("%s:\n got %q\nwant %q", script, got, want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for script, want := range map[string]int{
		"true": 0, "false": 1, "exit 42": 42, "nothing": 127, "cat /none": 1, "if": misuse, "grep x /lines": 1, "sh -c 'exit 7'": 7, "exec false": 1,
		"set -e; false; true": 1, "/lines": 127, "(exit 3)": 3, "false | true": 0,
	} {
		if _, code := try(t, container(), "", "sh", "-c", script); code != want {
			t.Errorf("%s: %d, want %d", script, code, want)
		}
	}
	if out, code := try(t, container(), "", "echo", "a  $b", "{1,2}"); out != "a  $b {1,2}\n" || code != 0 {
		t.Errorf("arguments are changed: %q, %d", out, code)
	}
}

func TestInput(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		args           []string
	}{
		{"a program reads it", "some\ntext", "some\ntext", []string{"cat"}},
		{"a shell reads statements", "echo one\necho two; false\n", "one\ntwo\n", []string{"sh"}},
		{"without a last newline", "echo one", "one\n", []string{"sh"}},
		{"a statement reads what follows it", "read x; echo got $x\nfor me\necho next\n", "got for me\nnext\n", []string{"sh"}},
		{"a program in a shell reads the rest", "cat\nall of\nthis\n", "all of\nthis\n", []string{"sh"}},
		{"a statement has several lines", "if true\nthen echo yes\nfi\n", "yes\n", []string{"sh"}},
		{"variables stay", "x=1\ncd /etc\necho $x $PWD\n", "1 /etc\n", []string{"sh"}},
		{"exit ends it", "exit 0\necho never\n", "", []string{"sh"}},
		{"a script in an argument reads it", "word\n", "word\n", []string{"sh", "-c", "read x; echo $x"}},
	} {
		if got, _ := try(t, container(), c.in, c.args...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	long := strings.Repeat("0123456789abcdef\n", 100_000)
	if got, _ := try(t, container(), long, "cat"); got != long {
		t.Errorf("of %d bytes, %d came back", len(long), len(got))
	}
}

func TestCommandsThatAreNotThere(t *testing.T) {
	for command, want := range map[string]string{
		"bash":      `exec: "bash": executable file not found in $PATH`,
		"/bin/bash": `exec: "/bin/bash": stat /bin/bash: no such file or directory`,
		"cd":        `exec: "cd": executable file not found in $PATH`,
		"../lines":  `exec: "../lines": stat ../lines: no such file or directory`,
	} {
		_, err := NewHost().Run(t.Context(), container(), []string{command}, Streams{})
		var none *NotFoundError
		if !errors.As(err, &none) || err.Error() != want {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// talk is a session in a terminal.
type talk struct {
	keys *io.PipeWriter
	out  *output
	end  chan int
	size chan Size
}

func begin(t *testing.T, args ...string) *talk { return beginIn(t, container(), args...) }

func beginIn(t *testing.T, c *Container, args ...string) *talk {
	t.Helper()
	keys, typed := io.Pipe()
	s := &talk{keys: typed, out: &output{}, end: make(chan int, 1), size: make(chan Size)}
	go func() {
		code, err := NewHost().Run(t.Context(), c, args, Streams{In: keys, Out: s.out, TTY: true, Resize: s.size})
		if err != nil {
			code = -1
		}
		s.end <- code
	}()
	t.Cleanup(func() { _ = typed.Close() })
	return s
}

// says waits until the output ends with a text.
func (s *talk) says(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(limit); !strings.HasSuffix(s.out.String(), want); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it says %q, not %q", s.out.String(), want)
		}
	}
}

// contains waits until the output has a text.
func (s *talk) contains(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(limit); !strings.Contains(s.out.String(), want); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it says %q, without %q", s.out.String(), want)
		}
	}
}

func (s *talk) types(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(s.keys, keys); err != nil {
		t.Fatal(err)
	}
}

func TestATerminal(t *testing.T) {
	s := begin(t, "sh")
	for _, step := range []struct{ keys, says string }{
		{"", "/ # "},
		{"echo hi\r", "/ # echo hi\r\nhi\r\n/ # "},
		{"ecjo\x7f\x7fho \x08 ä\x7fok\r", "\r\nok\r\n/ # "},
		{"some words\x17\x17\x15echo x\r", "x\r\n/ # "},
		{"\x03", "/ # ^C\r\n/ # "},
		{"half\x03", "half^C\r\n/ # "},
		{"if true\r", "\r\n> "},
		{"\x03", "^C\r\n/ # "},
		{"cat\r", "cat\r\n"},
		{"line\r", "line\r\nline\r\n"},
		{"\x04", "line\r\n/ # "},
		{"sleep 1000\r", "sleep 1000\r\n"},
		{"\x03", "^C\r\n/ # "},
		{"echo $?\r", "130\r\n/ # "},
		{"while true; do :; done\r", "done\r\n"},
		{"\x03", "^C\r\n/ # "},
		{"read x\r", "read x\r\n"},
		{"\x03", "^C\r\n/ # "},
		{"fi\r", "\r\n/ # "},
		{"\x1b[A\r", "[A: not found\r\n/ # "},
		{"cd /etc\r", "/etc # "},
		{"exit 4\r", "exit 4\r\n"},
	} {
		s.types(t, step.keys)
		s.says(t, step.says)
	}
	if code := <-s.end; code != 4 {
		t.Errorf("exit code %d", code)
	}
}

// TestAProgramThatRunsForLongIsSeenAndEnds follows a file that two terminals share, and ends a loop that writes.
func TestAProgramThatRunsForLongIsSeenAndEnds(t *testing.T) {
	c := container()
	reads, writes := beginIn(t, c, "sh"), beginIn(t, c, "sh")
	writes.says(t, "/ # ")
	writes.types(t, "echo one > /tmp/log\r")
	writes.says(t, "log\r\n/ # ")
	reads.types(t, "tail -f /tmp/log\r")
	reads.says(t, "\r\none\r\n")
	writes.types(t, "echo two >> /tmp/log; echo three >> /tmp/log\r")
	reads.says(t, "\r\none\r\ntwo\r\nthree\r\n")
	writes.types(t, "echo new > /tmp/log\r")
	reads.says(t, "file truncated\r\nnew\r\n")
	reads.types(t, "\x03")
	reads.says(t, "^C\r\n/ # ")
	reads.types(t, "echo $?\r")
	reads.says(t, "130\r\n/ # ")
	writes.types(t, "i=0; while true; do i=$((i+1)); echo line $i; sleep 0.01; done\r")
	writes.contains(t, "line 20\r\n")
	writes.types(t, "\x03")
	writes.says(t, "^C\r\n/ # ")
	writes.types(t, "exit\r")
	if code := <-writes.end; code != 130 {
		t.Errorf("exit code %d", code)
	}
}

func TestTheEndOfInputEndsAShell(t *testing.T) {
	s := begin(t, "sh")
	s.says(t, "/ # ")
	s.types(t, "false\r")
	s.says(t, "false\r\n/ # ")
	s.types(t, "\x04")
	if code := <-s.end; code != 1 {
		t.Errorf("exit code %d", code)
	}
}

func TestATerminalChangesItsSize(t *testing.T) {
	s := begin(t, "sh")
	s.says(t, "/ # ")
	s.size <- Size{Columns: 132, Rows: 50}
	s.size <- Size{Columns: 133, Rows: 51}
	s.types(t, "stty size\r")
	s.says(t, "51 133\r\n/ # ")
}

// TestEscape_NothingOfTheMachineCanBeReached tries each way to files and programs of this machine.
func TestEscape_NothingOfTheMachineCanBeReached(t *testing.T) {
	dir, err := os.MkdirTemp("", "neutral-") //nolint:usetesting // the name of the test has words that the scripts must not write
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	secret := dir + "/secret"
	if err := os.WriteFile(secret, []byte("machine's own"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret+".sh", []byte("#!/bin/sh\necho machine's own"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CANARY", "machine's own")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{
		"cat SECRET", "cat < SECRET", "x=$(cat SECRET); echo $x", "x=$(< SECRET); echo $x", ". SECRET", ". SECRET.sh", "source SECRET", "sh SECRET.sh",
		"SECRET.sh", "exec SECRET.sh", "SELF -test.list=.", "exec SELF", "/bin/ls /; /usr/bin/env", "cat /proc/1/environ /proc/self/environ", "cat /etc/shadow",
		"cat ../../../../../../SECRET", "ln -s SECRET /l; cat /l", "ln -s / /r; cat /rSECRET", "ls @", "cd @ && ls", "echo @/*", "echo /home/*",
		"test -e SECRET && echo machine", "[ -r SECRET ] && echo machine", "type -p SECRET.sh", "command -v SECRET.sh", "which SECRET.sh", "PATH=@; secret.sh",
		"PATH=@ type secret.sh", "hash SECRET.sh", "env", "echo $CANARY", "set", "cat < @/sh-interp-1", "TMPDIR=@; cat < @/sh-interp-1",
		"cat <(echo x); cat <(cat SECRET)", "eval 'cat <(cat SECRET)'", "trap 'cat <(cat SECRET)' EXIT", "echo x > SECRET", "echo x >> SECRET", "rm -rf @",
		"tar cf - SECRET", "tar cf - /root", "mapfile x < SECRET; echo $x", "pushd @", "dirs", "builtin source SECRET", "command . SECRET", "command source SECRET",
		"command eval 'cat SECRET'", "tail -n 5 SECRET", "grep -v x SECRET", "cp SECRET /x; cat /x", "echo ~/.bashrc; cat ~/.bashrc", "wget -qO- file://SECRET",
		"curl file://SECRET", "[ SECRET -ef SECRET ] && echo machine", "[ SECRET -nt /lines ] && echo machine", "alias x=SECRET.sh; x",
	} {
		script = strings.NewReplacer("SECRET", secret, "SELF", self, "@", dir).Replace(script)
		out, _ := try(t, container(), "", "sh", "-c", script)
		// The name of the file has no such word in it, so that error messages may have the name.
		if strings.Contains(out, "machine") || strings.Contains(out, "TestE") || strings.Contains(out, "root:") {
			t.Errorf("%s: %q", script, out)
		}
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != "machine's own" {
		t.Errorf("the file was changed: %q, %v", data, err)
	}
}

// endless is scripts that never end by themselves, or would take all memory.
var endless = map[string]string{
	"loop":          "while :; do :; done",
	"arithmetic":    "i=0; while [ 1 ]; do i=$((i+1)); done",
	"output":        "yes > /dev/null",
	"pipes":         "yes | cat | cat > /dev/null",
	"sleep":         "sleep infinity",
	"input":         "cat",
	"line":          "cat /dev/zero | read x",
	"zeroes":        "cat /dev/zero > /dev/null",
	"background":    "while :; do :; done & wait",
	"catches":       "trap : INT; while :; do sleep 1000; done",
	"nested shells": "sh -c 'sh -c \"while :; do :; done\"'",
}

// TestEscape_WhatNeverEndsEndsWithItsClient cancels the context, as the end of a connection does.
func TestEscape_WhatNeverEndsEndsWithItsClient(t *testing.T) {
	for name, script := range endless {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, leave := context.WithCancel(t.Context())
			in, _ := io.Pipe()
			ended := make(chan struct{})
			c := container()
			go func() {
				defer close(ended)
				_, _ = NewHost().Run(ctx, c, []string{"sh", "-c", "echo on > /began; " + script}, Streams{In: in, Out: io.Discard, Err: io.Discard})
			}()
			for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(time.Millisecond) {
				if _, err := c.Files.Stat("/began"); err == nil {
					break
				}
			}
			leave()
			select {
			case <-ended:
			case <-time.After(limit):
				t.Error("it still runs")
			}
		})
	}
}

// TestEscape_ResourcesAreBounded runs what would take all memory, all stack or all disk. Each ends by itself, with an error.
func TestEscape_ResourcesAreBounded(t *testing.T) {
	for name, c := range map[string]struct{ script, says string }{
		"text":        {"x=0123456789; while :; do x=$x$x; done", "Killed"},
		"collected":   {"x=$(cat /dev/zero)", "Killed"},
		"recursion":   {"f() { f; }; f", "nested too deep"},
		"subshells":   {"f() { (f); }; f", "nested too deep"},
		"braces":      {"echo {1..1000000000}", "{1..1000000000}"},
		"evaluated":   {"eval 'echo {1..1000000000}'", "{1..1000000000}"},
		"disk":        {"yes > /tmp/big", "yes: "},
		"long script": {"echo " + strings.Repeat("x", longestScript), "too long"},
		"deep script": {strings.Repeat("(", longestScript-10) + strings.Repeat(")", 5), "sh: "},
	} {
		t.Run(name, func(t *testing.T) {
			if out, code := try(t, container(), "", "sh", "-c", c.script); !strings.Contains(out, c.says) && code == 0 {
				t.Errorf("exit code %d: %.200q", code, out)
			}
		})
	}
}
