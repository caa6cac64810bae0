package peer

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

var finders = map[string]Finder{"netlink": Netlink, "proc": Proc}

// families are listening addresses, and how a client dials each.
var families = map[string]struct{ listen, dial string }{
	"IPv4":                   {"127.0.0.1:0", ""},
	"IPv6":                   {"[::1]:0", ""},
	"IPv4 to a wildcard":     {"0.0.0.0:0", "127.0.0.1"},
	"IPv6 to a wildcard":     {"[::]:0", "::1"},
	"another loopback":       {"127.0.0.2:0", ""},
	"IPv4 by an IPv6 socket": {"127.0.0.1:0", "::ffff:127.0.0.1"},
}

func listen(t testing.TB, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("SKIPPED, NOT TESTED: this machine can't listen on %s: %v", address, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// target is what to dial to reach a listener.
func target(l net.Listener, host string) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if host == "" {
		return l.Addr().String()
	}
	return net.JoinHostPort(host, port)
}

// dial connects. For an IPv4 address written as an IPv6 one it uses a socket of IPv6, which Go would not.
func dial(t testing.TB, address string) net.Conn {
	t.Helper()
	to := netip.MustParseAddrPort(address)
	if !to.Addr().Is4In6() {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = unix.Connect(fd, &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()})
	}
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "socket")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func accept(t testing.TB, l net.Listener) net.Conn {
	t.Helper()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// other finds the user of the other end, as Listener does.
func other(find Finder, c net.Conn) (uint32, error) {
	return find(addrPort(c.RemoteAddr()), addrPort(c.LocalAddr()))
}

func TestUserOfAConnection(t *testing.T) {
	for name, find := range finders {
		for family, f := range families {
			t.Run(name+", "+family, func(t *testing.T) {
				l := listen(t, f.listen)
				client := dial(t, target(l, f.dial))
				server := accept(t, l)
				if uid, err := other(find, server); err != nil || int(uid) != os.Geteuid() {
					t.Errorf("%d %v", uid, err)
				}
				if half, ok := client.(*net.TCPConn); ok {
					_ = half.CloseWrite()
				}
				if uid, err := other(find, server); err != nil || int(uid) != os.Geteuid() {
					t.Errorf("that has said all it had to say: %d %v", uid, err)
				}
			})
		}
	}
}

// No process holds a socket that was closed. Older kernels say that it is root's, which would be a way in.
func TestConnectionThatWasClosedIsNobodys(t *testing.T) {
	for name, find := range finders {
		for how, leave := range map[string]func(*net.TCPConn){
			"closed": func(*net.TCPConn) {},
			"cut":    func(c *net.TCPConn) { _ = c.SetLinger(0) },
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				l := listen(t, "127.0.0.1:0")
				client := dial(t, l.Addr().String()).(*net.TCPConn)
				server := accept(t, l)
				if _, err := client.Write([]byte("GET / HTTP/1.1\r\n")); err != nil {
					t.Fatal(err)
				}
				leave(client)
				_ = client.Close()
				if uid, err := other(find, server); !errors.Is(err, errNone) {
					t.Errorf("it is the user %d's (%v)", uid, err)
				}
				if how == "closed" {
					return
				}
				// A listener at the client's old address is not the client.
				again := listen(t, client.LocalAddr().String())
				if uid, err := other(find, server); !errors.Is(err, errNone) {
					t.Errorf("it is the user %d's, who listens on %s (%v)", uid, again.Addr(), err)
				}
			})
		}
	}
}

// anotherUser is a uid that nobody has.
const anotherUser = 54321

// Says dial, connect and read to the helper below.
const dialEnv, fromEnv = "FIELDMARK_PEER_DIAL", "FIELDMARK_PEER_FROM"

// TestHelper is what runs as another user: it connects, sends nothing, and tells what it is sent.
func TestHelper(t *testing.T) {
	address := os.Getenv(dialEnv)
	if address == "" {
		t.Skip("this is no test: others start it")
	}
	d := net.Dialer{}
	if from := os.Getenv(fromEnv); from != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	c, err := d.DialContext(context.Background(), "tcp", address)
	if err != nil {
		fmt.Printf("told: no connection: %v\n", err)
		return
	}
	text, err := io.ReadAll(c)
	fmt.Printf("told: %q %v\n", text, err)
}

// asAnotherUser starts the helper, and gives what it told.
func asAnotherUser(t *testing.T, address, from string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, NOT TESTED: only root can start a program as another user")
	}
	helper := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestHelper$", "-test.v")
	helper.Env = []string{dialEnv + "=" + address, fromEnv + "=" + from}
	helper.Dir = "/"
	helper.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: anotherUser, Gid: anotherUser}}
	out, err := helper.CombinedOutput()
	_, told, found := strings.Cut(string(out), "told: ")
	if err != nil || !found {
		t.Fatalf("the helper says %s %v", out, err)
	}
	told, _, _ = strings.Cut(told, "\n")
	return told
}

// greet tells everybody who gets in so.
func greet(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, "hello")
		_ = c.Close()
	}
}

func TestOnlyTheRightUsersGetIn(t *testing.T) {
	for name, find := range finders {
		for family, f := range families {
			if strings.Contains(family, "by an IPv6") {
				continue // Go dials it as IPv4
			}
			t.Run(name+", "+family, func(t *testing.T) {
				l := listen(t, f.listen)
				var log bytes.Buffer
				go greet(Listener(l, Options{UIDs: []uint32{0}, Find: find, Log: slog.New(slog.NewTextHandler(&log, nil))}))
				address := target(l, f.dial)
				for range 2 {
					if told := asAnotherUser(t, address, ""); strings.Contains(told, "hello") || strings.Contains(told, "no connection") {
						t.Errorf("another user is told %s", told)
					}
				}
				if got, err := io.ReadAll(dial(t, address)); err != nil || string(got) != "hello" {
					t.Errorf("root is told %q %v", got, err)
				}
				if lines := strings.Count(log.String(), "uid 54321"); lines != 1 || !strings.Contains(log.String(), "--allow-other-users") {
					t.Errorf("the log has %s", &log)
				}
			})
		}
		t.Run(name+", let in", func(t *testing.T) {
			l := listen(t, "127.0.0.1:0")
			go greet(Listener(l, Options{UIDs: []uint32{anotherUser}, Find: find, Log: slog.New(slog.DiscardHandler)}))
			if told := asAnotherUser(t, l.Addr().String(), ""); !strings.Contains(told, "hello") {
				t.Errorf("a user that may come in is told %s", told)
			}
		})
	}
}

// A user of this machine can dial loopback from an address that is not loopback, and the machine's own address from itself.
func TestOtherUsersAreKnownByAnyAddressOfThisMachine(t *testing.T) {
	own := ownAddress(t)
	for what, c := range map[string]struct{ listen, from string }{
		"from the machine's address to loopback": {"127.0.0.1:0", own},
		"from the machine's address to itself":   {net.JoinHostPort(own, "0"), ""},
		"from loopback to the machine's address": {net.JoinHostPort(own, "0"), "127.0.0.1"},
	} {
		l := listen(t, c.listen)
		go greet(Listener(l, Options{UIDs: []uint32{0}, Find: Netlink, Log: slog.New(slog.DiscardHandler)}))
		if told := asAnotherUser(t, l.Addr().String(), c.from); strings.Contains(told, "hello") {
			t.Errorf("%s: another user is told %s", what, told)
		}
	}
}

// ownAddress is an IPv4 address of this machine that is not loopback.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
			return ip.IP.String()
		}
	}
	t.Skip("SKIPPED, NOT TESTED: this machine has only loopback addresses")
	return ""
}

// far is a connection whose ends are anywhere.
type far struct {
	net.Conn
	local, remote string
}

func (f far) LocalAddr() net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(f.local)) }

func (f far) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(f.remote)) }

func TestOtherMachinesHaveNoUserHere(t *testing.T) {
	for _, c := range []struct {
		local, remote string
		in            bool
	}{
		{"192.0.2.1:8080", "192.0.2.9:40000", true},
		{"[2001:db8::1]:8080", "[2001:db8::9]:40000", true},
		{"[::ffff:192.0.2.1]:8080", "[::ffff:192.0.2.9]:40000", true},
		{"127.0.0.1:1", "127.0.0.1:2", false},
		{"127.0.0.1:1", "192.0.2.9:2", false},
		{"192.0.2.1:1", "127.0.0.1:2", false},
		{"[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:2", false},
		{"[::1]:1", "[::1]:2", false},
	} {
		for name, find := range finders {
			why := Options{UIDs: []uint32{0}, Find: find}.refuses(far{nil, c.local, c.remote})
			if (why == "") != c.in {
				t.Errorf("%s: from %s to %s: %q", name, c.remote, c.local, why)
			}
		}
	}
	broken := func(netip.AddrPort, netip.AddrPort) (uint32, error) { return 0, errors.New("broken") }
	if why := (Options{UIDs: []uint32{0}, Find: broken}).refuses(far{nil, "192.0.2.1:8080", "192.0.2.9:40000"}); why != "broken" {
		t.Errorf("what can't be judged gets in: %q", why)
	}
}

func TestTheFirstWayThatWorksIsChosen(t *testing.T) {
	own := uint32(os.Geteuid())
	broken := func(netip.AddrPort, netip.AddrPort) (uint32, error) { return own, errors.New("not permitted here") }
	lying := func(netip.AddrPort, netip.AddrPort) (uint32, error) { return own + 1, nil }
	find, err := Choose(t.Context(), own, broken, lying, Proc)
	if err != nil || find == nil {
		t.Fatal(err)
	}
	if find, err := Choose(t.Context(), own, broken, lying); err == nil || find != nil || !strings.Contains(err.Error(), "not permitted here") || !strings.Contains(err.Error(), "attributed to") {
		t.Errorf("%v", err)
	}
	if _, err := Choose(t.Context(), own); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if err := Certain(own); err != nil && own != 65534 { // that one stands for many in some user namespaces
		t.Errorf("%v", err)
	}
	if err := Certain(own + 1); err != nil && own+1 != 65534 {
		t.Errorf("%v", err)
	}
}

func TestAnswersOfTheKernel(t *testing.T) {
	const uid = 1234
	local, remote := netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("127.0.0.1:8080")
	good := make([]byte, headerSize+messageSize)
	binary.NativeEndian.PutUint16(good[4:], unix.SOCK_DIAG_BY_FAMILY)
	good[headerSize] = unix.AF_INET
	copy(good[headerSize+identityInMessage:], identity(local, remote))
	binary.NativeEndian.PutUint32(good[headerSize+uidInMessage:], uid)
	binary.NativeEndian.PutUint32(good[headerSize+inodeInMessage:], 99)
	change := func(at int, b byte) []byte {
		c := bytes.Clone(good)
		c[at] = b
		return c
	}
	failed := func(errno unix.Errno) []byte {
		b := make([]byte, headerSize+20)
		binary.NativeEndian.PutUint16(b[4:], unix.NLMSG_ERROR)
		binary.NativeEndian.PutUint32(b[headerSize:], uint32(-int32(errno)))
		return b
	}
	for what, c := range map[string]struct {
		answer []byte
		says   string // empty: uid
	}{
		"a socket":           {good, ""},
		"with attributes":    {append(bytes.Clone(good), 8, 0, 1, 0), ""},
		"another port":       {change(headerSize+identityInMessage, 1), errNone.Error()},
		"held by no process": {change(headerSize+inodeInMessage, 0), errNone.Error()},
		"no such socket":     {failed(unix.ENOENT), errNone.Error()},
		"not permitted":      {failed(unix.EPERM), "not permitted"},
		"of another kind":    {change(4, 99), "type 99"},
		"empty":              {nil, "0 bytes"},
		"cut":                {good[:len(good)-1], "87 bytes"},
	} {
		got, err := parseResponse(c.answer, local, remote)
		if c.says == "" && (err != nil || got != uid) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %d %v", what, got, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	local, remote := netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("127.0.0.1:8080")
	f.Add(make([]byte, headerSize+messageSize), "0: 0100007F:0000 0100007F:0000 01 0:0 0:0 0 7 0 9")
	f.Fuzz(func(_ *testing.T, answer []byte, list string) {
		_, _ = parseResponse(answer, local, remote)
		_, _ = findSocketUser(list, "0100007F:0000 0100007F:0000 ")
	})
}

func BenchmarkFinders(b *testing.B) {
	l := listen(b, "127.0.0.1:0")
	_ = dial(b, l.Addr().String())
	server := accept(b, l)
	for name, find := range finders {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := other(find, server); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkConnection is one connection made, accepted and closed, with and without the question whose it is.
func BenchmarkConnection(b *testing.B) {
	for _, judged := range []bool{false, true} {
		b.Run(fmt.Sprintf("judged=%v", judged), func(b *testing.B) {
			l := listen(b, "127.0.0.1:0")
			in := l
			if judged {
				in = Listener(l, Options{UIDs: []uint32{uint32(os.Geteuid())}, Find: Netlink, Log: slog.New(slog.DiscardHandler)})
			}
			go greet(in)
			for b.Loop() {
				c, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadAll(c); err != nil {
					b.Fatal(err)
				}
				_ = c.Close()
			}
		})
	}
}
