package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Finders are the ways to find a user on this system, the best first.
func Finders() []Finder { return []Finder{Netlink, Proc} }

// Sizes of the kernel's structures: nlmsghdr, inet_diag_req_v2 and inet_diag_msg.
const (
	headerSize  = unix.SizeofNlMsghdr
	requestSize = 56
	messageSize = 72
)

// Where fields are in these structures. Both hold an inet_diag_sockid, which begins with ports and addresses.
const (
	identityInRequest = 8
	identityInMessage = 4
	identitySize      = 2 + 2 + 16 + 16
	uidInMessage      = 64
	inodeInMessage    = 68
)

// Netlink asks the kernel for one socket by its four numbers (sock_diag(7)). That costs the same however many sockets there are.
func Netlink(local, remote netip.AddrPort) (uint32, error) {
	answer, err := askKernel(request(local, remote))
	if err != nil {
		return 0, fmt.Errorf("netlink: %w", err)
	}
	return parseResponse(answer, local, remote)
}

// askKernel sends the kernel a message and returns the response. The kernel has responded by the time that sending returns.
func askKernel(message []byte) ([]byte, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, fmt.Errorf("opening a socket: %w", err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing to be done about it
	if err := unix.Sendto(fd, message, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, fmt.Errorf("asking the kernel: %w", err)
	}
	answer := make([]byte, 1<<10)
	n, from, err := unix.Recvfrom(fd, answer, unix.MSG_DONTWAIT)
	if err != nil {
		return nil, fmt.Errorf("reading the kernel's response: %w", err)
	}
	if kernel, ok := from.(*unix.SockaddrNetlink); !ok || kernel.Pid != 0 {
		return nil, errors.New("the response is not from the kernel")
	}
	return answer[:n], nil
}

// request is a message that asks for the socket at local which is connected to remote, and for no other.
func request(local, remote netip.AddrPort) []byte {
	b := make([]byte, headerSize+requestSize)
	binary.NativeEndian.PutUint32(b[0:], uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST)
	binary.NativeEndian.PutUint32(b[8:], 1)
	asked := b[headerSize:]
	asked[0], asked[1] = unix.AF_INET, unix.IPPROTO_TCP
	if local.Addr().Is6() {
		asked[0] = unix.AF_INET6
	}
	binary.NativeEndian.PutUint32(asked[4:], ^uint32(0)) // in any state
	copy(asked[identityInRequest:], identity(local, remote))
	const noCookie = ^uint32(0)
	binary.NativeEndian.PutUint32(asked[identityInRequest+identitySize+4:], noCookie)
	binary.NativeEndian.PutUint32(asked[identityInRequest+identitySize+8:], noCookie)
	return b
}

// identity is the ports and addresses of a socket as inet_diag_sockid begins.
func identity(local, remote netip.AddrPort) []byte {
	b := make([]byte, identitySize)
	binary.BigEndian.PutUint16(b[0:], local.Port())
	binary.BigEndian.PutUint16(b[2:], remote.Port())
	copy(b[4:20], local.Addr().AsSlice())
	copy(b[20:36], remote.Addr().AsSlice())
	return b
}

// parseResponse reads the user from a response about a socket.
func parseResponse(answer []byte, local, remote netip.AddrPort) (uint32, error) {
	if len(answer) < headerSize+4 {
		return 0, fmt.Errorf("netlink: a response of %d bytes", len(answer))
	}
	switch kind := binary.NativeEndian.Uint16(answer[4:]); kind {
	case unix.NLMSG_ERROR:
		errno := unix.Errno(-int32(binary.NativeEndian.Uint32(answer[headerSize:])))
		if errno == unix.ENOENT {
			return 0, errNone
		}
		return 0, fmt.Errorf("netlink: %w", errno)
	case unix.SOCK_DIAG_BY_FAMILY:
	default:
		return 0, fmt.Errorf("netlink: a response of the type %d", kind)
	}
	about := answer[headerSize:]
	if len(about) < messageSize {
		return 0, fmt.Errorf("netlink: a response of %d bytes", len(answer))
	}
	// If the exact socket doesn't exist, the kernel may return one that listens there.
	if gotLocal, gotRemote := ends(about); gotLocal != local || gotRemote != remote {
		return 0, errNone
	}
	return owned(binary.NativeEndian.Uint32(about[uidInMessage:]), uint64(binary.NativeEndian.Uint32(about[inodeInMessage:])))
}

// ends are the addresses in an answer. A socket of IPv6 may have addresses of IPv4.
func ends(about []byte) (local, remote netip.AddrPort) {
	id := about[identityInMessage:]
	size := 4
	if about[0] == unix.AF_INET6 {
		size = 16
	}
	from, _ := netip.AddrFromSlice(id[4 : 4+size])
	to, _ := netip.AddrFromSlice(id[20 : 20+size])
	return netip.AddrPortFrom(from.Unmap(), binary.BigEndian.Uint16(id[0:])), netip.AddrPortFrom(to.Unmap(), binary.BigEndian.Uint16(id[2:]))
}

// owned gives the user of a socket that a process holds. A socket that was closed lives on until its data has arrived, without an inode, and older
// kernels then say that it is root's.
func owned(uid uint32, inode uint64) (uint32, error) {
	if inode == 0 {
		return 0, errNone
	}
	return uid, nil
}

// Proc reads the list of all sockets, for where netlink is refused (as some sandboxes do). Its cost grows with the number of sockets.
func Proc(local, remote netip.AddrPort) (uint32, error) {
	var trouble error
	for _, file := range []struct {
		name string
		six  bool
	}{{"/proc/self/net/tcp", false}, {"/proc/self/net/tcp6", true}} {
		if local.Addr().Is6() && !file.six {
			continue
		}
		text, err := os.ReadFile(file.name)
		if err != nil {
			trouble = err
			continue
		}
		if uid, err := findSocketUser(string(text), hexAddress(local, file.six)+" "+hexAddress(remote, file.six)+" "); err == nil {
			return uid, nil
		}
	}
	if trouble != nil {
		return 0, fmt.Errorf("reading the list of sockets: %w", trouble)
	}
	return 0, errNone
}

// findSocketUser looks for a socket in the text of /proc/net/tcp or tcp6 (proc_net_tcp(5)).
func findSocketUser(text, between string) (uint32, error) {
	const uid, inode = 7, 9
	for line := range strings.Lines(text) {
		_, rest, _ := strings.Cut(line, ": ")
		if !strings.HasPrefix(rest, between) {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) <= inode {
			continue
		}
		u, err := strconv.ParseUint(fields[uid], 10, 32)
		if err != nil {
			return 0, fmt.Errorf("reading the list of sockets: %w", err)
		}
		i, err := strconv.ParseUint(fields[inode], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("reading the list of sockets: %w", err)
		}
		return owned(uint32(u), i)
	}
	return 0, errNone
}

// hexAddress writes an address as these lists do: words of four bytes as this machine's numbers.
func hexAddress(a netip.AddrPort, six bool) string {
	bytes := a.Addr().AsSlice()
	if six {
		all := a.Addr().As16()
		bytes = all[:]
	}
	var b strings.Builder
	for ; len(bytes) > 0; bytes = bytes[4:] {
		fmt.Fprintf(&b, "%08X", binary.NativeEndian.Uint32(bytes))
	}
	fmt.Fprintf(&b, ":%04X", a.Port())
	return b.String()
}

// Certain tells whether uids tell users apart. In a user namespace all users without a number of their own there have the same one, the
// overflow uid; a process that runs under it can't tell itself from them.
func Certain(uid uint32) error {
	text, err := os.ReadFile("/proc/sys/kernel/overflowuid")
	if err != nil {
		return fmt.Errorf("finding the uid that stands for all unknown users: %w", err)
	}
	overflow, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 32)
	if err != nil {
		return fmt.Errorf("finding the uid that stands for all unknown users: %w", err)
	}
	if overflow != uint64(uid) {
		return nil
	}
	text, err = os.ReadFile("/proc/self/uid_map")
	if all := strings.Fields(string(text)); err == nil && len(all) == 3 && all[0] == "0" && all[1] == "0" && all[2] == "4294967295" {
		return nil
	}
	return fmt.Errorf("the uid %d stands for many users in this user namespace", uid)
}
