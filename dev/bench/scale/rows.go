package scale

import "fmt"

// Rows are the costs as rows of a table: replica's processor and memory, API server's processor and memory, requests.
func Rows(c Costs) []string {
	var rows []string
	for _, one := range []struct {
		name string
		cost Cost
	}{
		{"a replica and an API server that nobody uses", c.Replica},
		{"the same, each second", c.ReplicaSecond},
		{"to sign in", c.SignIn},
		{"a person's first page at a replica", c.FirstPage},
		{"a later page", c.Page},
		{"a socket", c.Socket},
		{"a socket, each second", c.SocketSecond},
		{"a subscription with a watch of its own", c.Watch},
		{"to open that watch again, every 23 s", c.Reopening},
		{"the same subscription in another tab", c.Tab},
		{"the same subscription of another person, shared", c.Shared},
		{"a check of a shared subscription", c.Check},
		{"an event that arrives at a page", c.Event},
		{"a cluster that nobody uses", c.Cluster},
		{"a cluster, for each person", c.ClusterPerson},
	} {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s | %.2f |", one.name, micros(one.cost.ReplicaCPU), Bytes(one.cost.ReplicaMemory),
			micros(one.cost.APICPU), Bytes(one.cost.APIMemory), one.cost.APIRequests))
	}
	return rows
}

// micros writes seconds.
func micros(seconds float64) string {
	switch {
	case seconds >= 0.1:
		return fmt.Sprintf("%.2f s", seconds)
	case seconds >= 1e-3:
		return fmt.Sprintf("%.1f ms", seconds*1e3)
	default:
		return fmt.Sprintf("%.0f µs", seconds*1e6)
	}
}

// Bytes writes a number of bytes.
func Bytes(n float64) string {
	switch {
	case n >= 999.5e9:
		return fmt.Sprintf("%.1f TB", n/1e12)
	case n >= 999.5e6:
		return fmt.Sprintf("%.1f GB", n/1e9)
	case n >= 999.5e3:
		return fmt.Sprintf("%.0f MB", n/1e6)
	default:
		return fmt.Sprintf("%.1f kB", n/1e3)
	}
}
