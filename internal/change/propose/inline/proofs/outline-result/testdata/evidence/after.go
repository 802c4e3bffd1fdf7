// Package evidence counts the entries of a log that are of one day.
package evidence

// A Date is a day, and where it stands in the text.
type Date struct {
	Year, Month, Day int
	End              int
}

// Sum counts the lines that begin with a date of a month.
func Sum(lines []string, month int) int {
	n := 0
	for _, line := range lines {
		if d := Parse(line); d.End > 0 && d.Month == month {
			n++
		}
	}
	return n
}

// Parse reads the date at the beginning of a line, such as 2026-11-28. Its End is 0 where there is none.
func Parse(line string) *Date {
	return parseInto(new(Date), line)
}

// parseInto does what Parse has to do with d. It is apart so that
// Parse can be inlined, and a caller can have the result on its stack.
func parseInto(d *Date, line string) *Date {
	// target
	var at int
	if d.Year, at = number(line, 0); d.Year == 0 || !dash(line, at) {
		return d
	}
	if d.Month, at = number(line, at+1); d.Month == 0 || !dash(line, at) {
		return d
	}
	if d.Day, at = number(line, at+1); d.Day > 0 {
		d.End = at
	}
	return d
}

func dash(line string, at int) bool { return at < len(line) && line[at] == '-' }

// number reads the digits from a place on, and returns where they end.
func number(line string, at int) (n, end int) {
	for at < len(line) && line[at] >= '0' && line[at] <= '9' {
		n = n*10 + int(line[at]-'0')
		at++
	}
	return n, at
}
