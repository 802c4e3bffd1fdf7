package x

import (
	"container/heap"
)

// V2 in a method, missed
type prio []int

func (p prio) Len() int           { return len(p) }
func (p prio) Less(i, j int) bool { return p[i] < p[j] }
func (p prio) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *prio) Push(x any)        { *p = append(*p, x.(int)) }
func (p *prio) Pop() any {
	old := *p
	x := old[len(old)-1]
	*p = old[:len(old)-1]
	return x
}

type sched struct{ q prio }

func (s *sched) fill(jobs []int) {
	for _, j := range jobs {
		heap.Push(&s.q, j)
	}
}
