package c02

// V1 closure
type invoice struct {
	lines []line
}

type line struct {
	qty   int
	price int64
}

func Prices(in []invoice) [][]int64 {
	amounts := func(inv invoice) []int64 {
		var out []int64
		for _, l := range inv.lines {
			out = append(out, int64(l.qty)*l.price)
		}
		return out
	}
	all := make([][]int64, len(in))
	for i, inv := range in {
		all[i] = amounts(inv)
	}
	return all
}

// V2 generic
func Map[S ~[]E, E, R any](s S, f func(E) R) []R {
	var out []R
	for i := range s {
		out = append(out, f(s[i]))
	}
	return out
}

// V3 two functions
type report struct {
	rows []string
}

func addRow(rows []string, name string) []string {
	return append(rows, "row "+name)
}

func Rows(names []string) report {
	var rows []string
	for _, n := range names {
		rows = addRow(rows, n)
	}
	return report{rows: rows}
}
