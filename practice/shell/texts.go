package shell

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// longestText is how long a line of a text can be until it is cut.
const longestText = 1 << 20

// eachLine calls do with each line, its newline included, until do says no.
func eachLine(ctx context.Context, in io.Reader, do func(line string) bool) error {
	lines := bufio.NewReaderSize(in, 4096)
	var line strings.Builder
	for ctx.Err() == nil {
		part, err := lines.ReadSlice('\n')
		line.Write(part)
		if errors.Is(err, bufio.ErrBufferFull) && line.Len() < longestText {
			continue
		}
		if line.Len() > 0 && !do(line.String()) {
			return nil
		}
		line.Reset()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
	return nil
}

// amount reads the options -n N, -nN, -N, -c N and -c+N of head and tail. unit is n or c.
func (p *process) amount() (unit, n string, names []string) {
	unit, n = "n", "10"
	for i := 0; i < len(p.args); i++ {
		arg := p.args[i]
		switch {
		case (arg == "-n" || arg == "-c") && i+1 < len(p.args):
			unit, n = arg[1:], p.args[i+1]
			i++
		case strings.HasPrefix(arg, "-n"), strings.HasPrefix(arg, "-c"):
			unit, n = arg[1:2], arg[2:]
		case len(arg) > 1 && arg[0] == '-' && arg[1] >= '0' && arg[1] <= '9':
			n = arg[1:]
		default:
			names = append(names, arg)
		}
	}
	return unit, n, names
}

func head(ctx context.Context, p *process) int {
	unit, text, names := p.amount()
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return p.fail(1, "invalid number '%s'", text)
	}
	return p.inputs(names, func(_ string, in io.Reader) error {
		if unit == "c" {
			return flow(ctx, p.out, io.LimitReader(in, int64(n)))
		}
		left := n
		if left == 0 {
			return nil
		}
		return eachLine(ctx, in, func(line string) bool {
			left--
			_, err := io.WriteString(p.out, line)
			return err == nil && left > 0
		})
	})
}

func tail(ctx context.Context, p *process) int {
	follow := slices.Contains(p.args, "-f")
	p.args = slices.DeleteFunc(slices.Clone(p.args), func(arg string) bool { return arg == "-f" })
	unit, text, names := p.amount()
	n, err := strconv.Atoi(strings.TrimPrefix(text, "+"))
	if err != nil {
		return p.fail(1, "invalid number '%s'", text)
	}
	from := strings.HasPrefix(text, "+")
	if follow && len(names) == 1 && names[0] != "-" {
		return p.follow(ctx, names[0], func(in io.Reader) error { return p.last(ctx, in, unit, n, from) })
	}
	code := p.inputs(names, func(_ string, in io.Reader) error { return p.last(ctx, in, unit, n, from) })
	if follow {
		<-ctx.Done()
	}
	return code
}

// growth is how often a file that is followed is looked at.
const growth = 200 * time.Millisecond

// follow shows the end of a file, and then what is added to it, until the context ends.
func (p *process) follow(ctx context.Context, name string, begin func(io.Reader) error) int {
	file, seen := absolute(p.dir, name), 0
	for first := true; ; first = false {
		info, err := p.c.Files.Stat(file)
		if err == nil && (first || info.Size() != int64(seen)) {
			var data []byte
			if data, err = p.c.Files.Read(file); err == nil {
				seen, err = p.added(name, data, seen, begin)
				begin = nil
			}
		}
		if err != nil {
			return p.fail(1, "%s: %s", name, reason(err))
		}
		select {
		case <-time.After(growth):
		case <-ctx.Done():
			return killed
		}
	}
}

// added writes what a file has and wasn't seen, or its end the first time, and returns how much is seen now.
func (p *process) added(name string, data []byte, seen int, begin func(io.Reader) error) (int, error) {
	if begin != nil {
		return len(data), begin(bytes.NewReader(data))
	}
	if seen > len(data) {
		_, _ = fmt.Fprintln(p.err, "tail: "+name+": file truncated")
		seen = 0
	}
	_, err := p.out.Write(data[seen:])
	return len(data), err
}

// last writes the last n lines or bytes, or all from the nth on.
func (p *process) last(ctx context.Context, in io.Reader, unit string, n int, from bool) error {
	n = max(n, -n)
	if unit == "c" {
		data, err := io.ReadAll(io.LimitReader(in, longestText*16))
		if err != nil {
			return fmt.Errorf("reading: %w", err)
		}
		start := max(0, len(data)-n)
		if from {
			start = min(len(data), max(0, n-1))
		}
		return flow(ctx, p.out, strings.NewReader(string(data[start:])))
	}
	var kept []string
	number := 0
	err := eachLine(ctx, in, func(line string) bool {
		number++
		if from && number < n {
			return true
		}
		if kept = append(kept, line); !from && len(kept) > n {
			kept = kept[1:]
		}
		return len(kept) < longestText
	})
	_, _ = io.WriteString(p.out, strings.Join(kept, "")) // a reader may have enough
	return err
}

func grep(ctx context.Context, p *process) int {
	letters, rest, ok := p.options("ivncqEFhH")
	if !ok || len(rest) == 0 {
		return p.fail(misuse, "usage: grep [-ivncqEF] PATTERN [FILE]...")
	}
	has := func(letter string) bool { return strings.Contains(letters, letter) }
	pattern := rest[0]
	if has("F") {
		pattern = regexp.QuoteMeta(pattern)
	}
	if has("i") {
		pattern = "(?i)" + pattern
	}
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return p.fail(misuse, "bad regex '%s'", rest[0])
	}
	names, found := rest[1:], 0
	code := p.inputs(names, func(name string, in io.Reader) error {
		n, number := 0, 0
		prefix := ""
		if len(names) > 1 && !has("h") {
			prefix = name + ":"
		}
		err := eachLine(ctx, in, func(line string) bool {
			number++
			line = strings.TrimSuffix(line, "\n")
			if matches.MatchString(line) == has("v") {
				return true
			}
			n++
			switch {
			case has("q"):
				return false
			case has("c"):
				return true
			case has("n"):
				return p.print(fmt.Sprintf("%s%d:%s", prefix, number, line)) == 0
			}
			return p.print(prefix+line) == 0
		})
		if has("c") {
			p.print(prefix + strconv.Itoa(n))
		}
		found += n
		return err
	})
	switch {
	case code != 0:
		return misuse
	case found == 0:
		return 1
	}
	return 0
}

func wc(ctx context.Context, p *process) int {
	letters, names, ok := p.options("lwc")
	if !ok {
		return 1
	}
	return p.inputs(names, func(name string, in io.Reader) error {
		lines, words, bytes := 0, 0, 0
		err := eachLine(ctx, in, func(line string) bool {
			lines += strings.Count(line, "\n")
			words += len(strings.Fields(line))
			bytes += len(line)
			return true
		})
		var shown []string
		for _, c := range []struct {
			letter string
			n      int
		}{{"l", lines}, {"w", words}, {"c", bytes}} {
			if letters == "" || strings.Contains(letters, c.letter) {
				shown = append(shown, strconv.Itoa(c.n))
			}
		}
		if name != "-" {
			shown = append(shown, name)
		}
		p.print(strings.Join(shown, " "))
		return err
	})
}
