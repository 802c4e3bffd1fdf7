package a

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

func literal(in []string) (sum int) {
	add := func(s string) {
		n, _ := strconv.Atoi(s) // want `reads text for each value`
		sum += n
	}
	for _, s := range in {
		add(s)
	}
	return sum
}

func each(in []string, do func(string)) {
	for _, s := range in {
		do(s)
	}
}

func handedOn(in []string) (sum int) {
	each(in, func(s string) {
		n, _ := strconv.Atoi(s) // want `reads text for each value`
		sum += n
	})
	return sum
}

func inOrder(in []string) {
	slices.SortFunc(in, func(a, b string) int {
		x, _ := strconv.Atoi(a) // want `reads text for each value`
		y, _ := strconv.Atoi(b) // want `reads text for each value`
		return x - y
	})
}

// What follows is left alone.

var version = "12"

func major(string) int { n, _ := strconv.Atoi(version); return n }

func majors(of []string) (sum int) {
	for _, s := range of {
		sum += major(s)
	}
	return sum
}

func replaced(in []string, use func(func(string))) (sum int) {
	add := func(s string) {
		n, _ := strconv.Atoi(s)
		sum += n
	}
	add = func(string) {}
	for _, s := range in {
		add(s)
	}
	use(func(s string) { // some caller elsewhere
		n, _ := strconv.Atoi(s)
		sum += n
	})
	return sum
}

func onceEach(text string) (n int) {
	read := func(s string) { n, _ = strconv.Atoi(s) }
	read(text)
	first := func(s string, do func(string)) { do(s) }
	first(text, func(s string) { n, _ = strconv.Atoi(s) })
	return n
}

func polled(read func() string) int {
	ask := func() int {
		n, _ := strconv.Atoi(read())
		return n
	}
	for ask() == 0 {
		time.Sleep(time.Second)
	}
	return ask()
}

// Other functions take texts apart whose author nobody knows.
type point struct{ x, y int }

func pointOf(line string) (p point) {
	x, y, _ := strings.Cut(line, ",")
	p.x, _ = strconv.Atoi(x)
	p.y, _ = strconv.Atoi(y)
	return p
}

func points(lines []string) (all []point) {
	for _, l := range lines {
		all = append(all, pointOf(l))
	}
	return all
}
