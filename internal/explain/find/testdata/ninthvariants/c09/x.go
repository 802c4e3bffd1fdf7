package c09

// V1 generic
type history[T comparable] struct {
	last [64]any
	n    int
}

func (h *history[T]) record(v any) {
	h.last[h.n%len(h.last)] = v
	h.n++
}

func (h *history[T]) seen(x T) bool {
	for _, v := range h.last {
		if w, ok := v.(T); ok && w == x {
			return true
		}
	}
	return false
}

func Repeats(ids []int64) (n int) {
	var h history[int64]
	for _, id := range ids {
		if h.seen(id) {
			n++
		}
		h.record(id)
	}
	return n
}

// V2 two functions
type stack struct{ items []any }

func push(s *stack, v any) { s.items = append(s.items, v) }

func pop(s *stack) any {
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v
}

func Eval(tokens []string, number func(string) float64) float64 {
	s := new(stack)
	for _, t := range tokens {
		switch t {
		case "+":
			a, b := pop(s).(float64), pop(s).(float64)
			push(s, a+b)
		default:
			push(s, number(t))
		}
	}
	return pop(s).(float64)
}
