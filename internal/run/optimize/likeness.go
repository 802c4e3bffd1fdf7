package optimize

import "github.com/pawl-dev/pawl/internal/model"

// Alike says how like production each benchmark is: the CPU profile of the base
// beside those that were given. Without any, it says nothing.
func (s *finishing) Alike() {
	for _, p := range s.Run.Plans {
		if l := s.opt.Production.Like(s.stack.orig.Taken(p.Benchmark).CPU); l != nil {
			s.Run.Likenesses = append(s.Run.Likenesses, model.BenchLike{Benchmark: p.Benchmark, Likeness: *l})
		}
	}
}
