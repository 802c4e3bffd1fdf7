package c29

// V1 closure
type span struct{ from, to int }

func Longest(n int, at func(int) (int, int)) int {
	collect := func() []*span {
		spans := make([]*span, 0, n)
		for i := range n {
			from, to := at(i)
			spans = append(spans, &span{from: from, to: to})
		}
		return spans
	}
	longest := 0
	for _, s := range collect() {
		longest = max(longest, s.to-s.from)
	}
	return longest
}
