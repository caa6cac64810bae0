package scale

// Plus is the sum of two costs.
func (c Cost) Plus(d Cost) Cost {
	return Cost{
		c.ReplicaCPU + d.ReplicaCPU, c.ReplicaMemory + d.ReplicaMemory, c.APICPU + d.APICPU, c.APIMemory + d.APIMemory, c.APIRequests + d.APIRequests,
	}
}

// Minus is the difference of two costs.
func (c Cost) Minus(d Cost) Cost { return c.Plus(d.Times(-1)) }

// Times is the cost of n such things.
func (c Cost) Times(n float64) Cost {
	return Cost{c.ReplicaCPU * n, c.ReplicaMemory * n, c.APICPU * n, c.APIMemory * n, c.APIRequests * n}
}

// positive has 0 in the place of each negative number. Nothing gives something back, so a negative number is noise.
func (c Cost) positive() Cost {
	return Cost{max(c.ReplicaCPU, 0), max(c.ReplicaMemory, 0), max(c.APICPU, 0), max(c.APIMemory, 0), max(c.APIRequests, 0)}
}

// Positive has 0 in the place of each negative number.
func (c Costs) Positive() Costs {
	for _, one := range []*Cost{
		&c.Replica, &c.ReplicaSecond, &c.SignIn, &c.FirstPage, &c.Page, &c.Socket, &c.SocketSecond, &c.Watch, &c.Reopening, &c.Tab, &c.TabSecond,
		&c.Event, &c.Write, &c.Check, &c.Shared, &c.Cluster, &c.ClusterPerson,
	} {
		*one = one.positive()
	}
	return c
}
