package testbed

import "time"

// What a run needs to end in order: a share of its budget between two times, on a machine at
// rest.
const (
	endShare  = 0.03
	leastEnd  = time.Second
	mostEnd   = 5 * time.Second
	endCrowd  = 8 // load average per CPU from which on that takes longer
	mostShare = 4 // and no more than one part in so many of the budget
)

// AtEnd is the time between the last thing that a run does and the end of its budget, where
// crowd is the load average per CPU.
func AtEnd(budget time.Duration, crowd float64) time.Duration {
	end := min(max(time.Duration(endShare*float64(budget)), leastEnd), mostEnd)
	return min(time.Duration(max(1, crowd/endCrowd)*float64(end)), max(budget/mostShare, leastEnd))
}
