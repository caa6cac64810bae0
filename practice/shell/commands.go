package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/interp"
)

func (p *process) print(text string) int {
	if _, err := fmt.Fprintln(p.out, text); err != nil {
		return 1
	}
	return 0
}

func env(_ context.Context, p *process) int {
	if p.name == "printenv" && len(p.args) > 0 {
		v := p.env.Get(p.args[0])
		if !v.Exported {
			return 1
		}
		return p.print(v.String())
	}
	if len(p.args) > 0 {
		return p.fail(misuse, "this container's env only lists")
	}
	return p.print(strings.Join(exported(p.env), "\n"))
}

func hostname(_ context.Context, p *process) int { return p.print(p.c.Hostname) }

func id(_ context.Context, p *process) int {
	switch {
	case slices.Contains(p.args, "-u"), slices.Contains(p.args, "-g"):
		return p.print("0")
	case slices.Contains(p.args, "-un"):
		return p.print("root")
	}
	return p.print("uid=0(root) gid=0(root) groups=0(root)")
}

func whoami(_ context.Context, p *process) int { return p.print("root") }

func uname(_ context.Context, p *process) int {
	if slices.Contains(p.args, "-a") {
		return p.print("Linux " + p.c.Hostname + " 6.12.0-simulated #1 SMP x86_64 GNU/Linux")
	}
	return p.print("Linux")
}

func date(_ context.Context, p *process) int {
	now := p.c.Now().UTC()
	formats := map[string]string{"+%s": strconv.FormatInt(now.Unix(), 10), "+%F": now.Format(time.DateOnly), "+%T": now.Format(time.TimeOnly), "-Iseconds": now.Format("2006-01-02T15:04:05+00:00")}
	for _, arg := range p.args {
		switch text, known := formats[arg]; {
		case arg == "-u":
		case known:
			return p.print(text)
		default:
			return p.fail(1, "invalid date '%s'", arg)
		}
	}
	return p.print(now.Format("Mon Jan _2 15:04:05 UTC 2006"))
}

func ps(_ context.Context, p *process) int {
	lines := []string{"PID   USER     TIME  COMMAND"}
	add := func(id int, command []string) {
		if len(command) > 0 {
			lines = append(lines, fmt.Sprintf("%5d root      0:00 %s", id, strings.Join(command, " ")))
		}
	}
	add(1, p.c.Main)
	add(7, []string{"sh"})
	add(12, append([]string{"ps"}, p.args...))
	return p.print(strings.Join(lines, "\n"))
}

func kill(_ context.Context, p *process) int {
	if len(p.args) == 0 {
		return p.fail(1, "you need to specify whom to kill")
	}
	who := p.args[len(p.args)-1]
	if who == "1" { // the kernel keeps process 1 from signals of its own container that it doesn't handle
		return 0
	}
	return p.fail(1, "can't kill pid %s: No such process", who)
}

func sleep(ctx context.Context, p *process) int {
	if len(p.args) != 1 {
		return p.fail(1, "missing operand")
	}
	if p.args[0] == "infinity" {
		<-ctx.Done()
		return killed
	}
	text := p.args[0]
	if strings.Trim(text, "0123456789.") == "" {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return p.fail(1, "invalid number '%s'", p.args[0])
	}
	select {
	case <-time.After(d):
		return 0
	case <-ctx.Done():
		return killed
	}
}

func seq(ctx context.Context, p *process) int {
	bounds := []int{1, 1}
	for i, arg := range p.args {
		n, err := strconv.Atoi(arg)
		if err != nil || i > 1 {
			return p.fail(1, "invalid number '%s'", arg)
		}
		if len(p.args) == 1 {
			i = 1
		}
		bounds[i] = n
	}
	for n := bounds[0]; n <= bounds[1] && ctx.Err() == nil; n++ {
		if p.print(strconv.Itoa(n)) != 0 {
			return 1
		}
	}
	return 0
}

func yes(ctx context.Context, p *process) int {
	text := "y"
	if len(p.args) > 0 {
		text = strings.Join(p.args, " ")
	}
	for ctx.Err() == nil {
		if p.print(text) != 0 {
			return 1
		}
	}
	return killed
}

func stty(_ context.Context, p *process) int {
	if !p.tty {
		return p.fail(1, "standard input: Not a tty")
	}
	size := p.size.Load()
	if slices.Contains(p.args, "size") {
		return p.print(fmt.Sprintf("%d %d", size.Rows, size.Columns))
	}
	return p.print(fmt.Sprintf("speed 38400 baud; rows %d; columns %d;", size.Rows, size.Columns))
}

// which tells where commands are: it is "type", "which" and "command -v".
func which(_ context.Context, p *process) int {
	code := 0
	names, asShell := p.args, p.name == "type"
	if len(names) > 0 && names[0] == "-v" {
		names, asShell = names[1:], true
	}
	for _, name := range names {
		file, err := p.c.lookup(name, p.dir, p.env.Get("PATH").String())
		switch {
		case err == nil && p.name == "type":
			p.print(name + " is " + file)
		case err == nil:
			p.print(file)
		case asShell && interp.IsBuiltin(name) && slices.Contains(builtins, name):
			p.print(name)
		default:
			code = 1
		}
	}
	return code
}

func curl(ctx context.Context, p *process) int {
	address := ""
	include := false
	for _, arg := range p.args {
		include = include || arg == "-i" || arg == "-I"
		if !strings.HasPrefix(arg, "-") {
			address = arg
		}
	}
	return p.fetch(ctx, address, func(code int, body string) string {
		if include {
			return fmt.Sprintf("HTTP/1.1 %d\r\n\r\n%s", code, body)
		}
		return body
	}, func(err error) int { return p.fail(6, "(6) %v", err) })
}

func wget(ctx context.Context, p *process) int {
	address, to := "", ""
	for i := 0; i < len(p.args); i++ {
		arg := p.args[i]
		switch flags, file, output := strings.Cut(arg, "O"); {
		case !strings.HasPrefix(arg, "-"):
			address = arg
		case output && strings.Trim(flags, "-q") == "" && file == "" && i+1 < len(p.args):
			i++
			to = p.args[i]
		case output:
			to = file
		}
	}
	if to != "-" {
		return p.fail(1, "this container's wget only writes to standard output: wget -qO- %s", address)
	}
	return p.fetch(ctx, address, func(_ int, body string) string { return body }, func(err error) int { return p.fail(1, "%v", err) })
}

// fetch writes what an address in the cluster returns.
func (p *process) fetch(ctx context.Context, address string, form func(code int, body string) string, failed func(error) int) int {
	if address == "" || p.c.Fetch == nil {
		return p.fail(misuse, "an address is missing")
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	code, body, err := p.c.Fetch(ctx, address)
	if err != nil {
		return failed(err)
	}
	_, _ = fmt.Fprint(p.out, form(code, body))
	return 0
}
