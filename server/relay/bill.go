package relay

import "slices"

// bill charges the size of a feed's state to the accounts of all who follow it: to each as if the state were kept for them alone. So
// sharing a feed lets nobody hold more than before, and nobody's bound depends on who else follows (threat: exhaustion).
type bill struct {
	payers []payer
	bytes  int
}

type payer struct {
	account *account
	subs    int // that the account has at the feed
}

// addPayer adds a subscription's account. over: the state is too much for it.
func (b *bill) addPayer(a *account) (over bool) {
	if i := b.payerIndex(a); i >= 0 {
		b.payers[i].subs++
		return false
	}
	b.payers = append(b.payers, payer{a, 1})
	return a.chargeState(b.bytes)
}

// removePayer removes a subscription's account.
func (b *bill) removePayer(a *account) {
	i := b.payerIndex(a)
	if i < 0 {
		return
	}
	if b.payers[i].subs--; b.payers[i].subs == 0 {
		a.chargeState(-b.bytes)
		b.payers = slices.Delete(b.payers, i, i+1)
	}
}

// charge sets the size of the state, in bytes. It returns the accounts for which that is too much.
func (b *bill) charge(bytes int) (poor []*account) {
	more := bytes - b.bytes
	b.bytes = bytes
	for _, p := range b.payers {
		if p.account.chargeState(more) {
			poor = append(poor, p.account)
		}
	}
	return poor
}

func (b *bill) payerIndex(a *account) int {
	return slices.IndexFunc(b.payers, func(p payer) bool { return p.account == a })
}
