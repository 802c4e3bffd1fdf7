package a

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
)

type row struct {
	name  string
	cents int
	tags  []string
}

type table struct{ rows []row }

// Class A: nobody sees the slice itself.
func joined(rows []row) string {
	var names []string
	for _, r := range rows {
		names = append(names, r.name) // want `append grows names step by step although the loop adds len\(rows\) elements`
	}
	return strings.Join(names, ",")
}

func summed(rows map[string]row) (sum int) {
	all := []int{}
	for _, r := range rows {
		all = append(all, r.cents) // want `len\(rows\)`
	}
	for _, c := range all {
		sum += c
	}
	return sum / len(all) * all[0]
}

// Class B: callers see what is returned.
func returned(ids []int) []int {
	var out []int
	for i := range ids {
		out = append(out, ids[i]*2) // want `append grows out`
	}
	return out
}

func made(t *table) []string {
	out := make([]string, 0)
	for _, r := range t.rows {
		out = append(out, strings.ToUpper(r.name)) // want `len\(t.rows\)`
	}
	return out
}

func failing(rows []row) ([]int, error) {
	var out []int
	for _, r := range rows {
		if r.cents < 0 {
			return nil, errors.New("negative")
		}
		out = append(out, r.cents) // want `append grows out`
	}
	return out, nil
}

func counted(rows []row) []int {
	var out []int
	for i := range len(rows) {
		out = append(out, rows[i].cents) // want `len\(rows\)`
	}
	return out
}

func arguments() string {
	var words []string
	for _, a := range os.Args[1:] {
		words = append(words, a+"!") // want `len\(os.Args\[1:\]\)`
	}
	return strings.Join(words, " ")
}

// The source comes after the slice, which moves to the loop.
func moved(data []byte) ([]string, error) {
	var names []string
	var rows []row
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, err
	}
	for _, r := range rows {
		names = append(names, r.name) // want `append grows names`
	}
	return names, nil
}

// A length that is known where the slice is declared.
func between(rows []row) ([]string, error) {
	var names []string
	if len(rows) == 0 {
		return names, errors.New("empty")
	}
	for _, r := range rows {
		names = append(names, r.name) // want `append grows names`
	}
	return names, nil
}

// Neither: a report only.
func neither(data []byte) ([]string, error) {
	var names []string
	var t table
	if err := json.Unmarshal(data, &t); err != nil {
		return names, err
	}
	for _, r := range t.rows {
		names = append(names, r.name) // want `append grows names`
	}
	return names, nil
}

func with(all []int, r row) []int { return append(all, r.cents) }

func given(rows []row) []int {
	var all []int
	for _, r := range rows {
		all = with(all, r) // want `append grows all step by step`
	}
	return all
}

// A result that has a name is nil at first, and a caller may see that: slices.Grow keeps it.
func labels(rows []row) (out []string) {
	for _, r := range rows {
		out = append(out, r.name) // want `append grows out step by step although the loop adds len\(rows\) elements`
	}
	return out
}

func convert[A, B any](in []A, to func(A) B) (out []B, err error) {
	for _, a := range in {
		out = append(out, to(a)) // want `append grows out step by step although the loop adds len\(in\) elements`
	}
	return
}

func later(names []string, use func(string)) []func() {
	var all []func()
	for _, name := range names {
		all = append(all, func() { use(name) }) // want `append grows all step by step`
	}
	return all
}

func generic[S ~[]E, E any](s S) []E {
	var all []E
	for _, e := range s {
		all = append(all, e) // want `append grows all`
	}
	return all
}

// What follows is left alone.

func front(r row, all []int) []int { return append([]int{r.cents}, all...) }

func before(rows []row) []int {
	var all []int
	for _, r := range rows {
		all = front(r, all)
	}
	return all
}

func conditional(rows []row) (out []int) {
	var some []int
	for _, r := range rows {
		if r.cents > 0 {
			some = append(some, r.cents)
		}
	}
	return some
}

func skips(rows []row) []int {
	var some []int
	for _, r := range rows {
		if r.cents == 0 {
			continue
		}
		some = append(some, r.cents)
	}
	return some
}

func breaks(rows []row) []int {
	var some []int
	for _, r := range rows {
		if r.name == "" {
			break
		}
		some = append(some, r.cents)
	}
	return some
}

func finds(rows []row) []int {
	var some []int
	for _, r := range rows {
		some = append(some, r.cents)
		if r.name == "last" {
			return some
		}
	}
	return nil
}

func labeled(tables []table) []int {
	var some []int
next:
	for _, t := range tables {
		for _, r := range t.rows {
			if r.cents == 0 {
				continue next
			}
		}
		some = append(some, len(t.rows))
	}
	return some
}

func nested(tables []table) []int {
	var all []int
	for _, t := range tables {
		for _, r := range t.rows {
			all = append(all, r.cents)
		}
	}
	return all
}

func spread(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.tags...)
	}
	return all
}

func more(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.name)
	}
	all = append(all, "total")
	return all
}

func few() string {
	var all []string
	for _, s := range [...]string{"a", "b"} {
		all = append(all, s)
	}
	return strings.Join(all, "")
}

func fewLiteral() []string {
	units := []string{"s", "m", "h"}
	var all []string
	for _, u := range units {
		all = append(all, u+"s")
	}
	return all
}

func channel(c chan int) []int {
	var all []int
	for x := range c {
		all = append(all, x)
	}
	return all
}

func iterator(seq func(yield func(int) bool)) []int {
	var all []int
	for x := range seq {
		all = append(all, x)
	}
	return all
}

func called(rows func() []row) []int {
	var all []int
	for _, r := range rows() { // calling it twice is another matter
		all = append(all, r.cents)
	}
	return all
}

func runes(s string) []rune {
	var all []rune
	for _, r := range s { // fewer runes than bytes
		all = append(all, r)
	}
	return all
}

func sized(rows []row) []int {
	all := make([]int, 0, len(rows))
	for _, r := range rows {
		all = append(all, r.cents)
	}
	return all
}

func begun(rows []row, head int) []int {
	all := []int{head}
	for _, r := range rows {
		all = append(all, r.cents)
	}
	return all
}

func shared(rows []row, add func(*[]int)) []int {
	var all []int
	add(&all)
	for _, r := range rows {
		all = append(all, r.cents)
	}
	return all
}

func hidden(rows []row) []int {
	len := func(any) int { return 0 }
	var all []int
	for _, r := range rows {
		all = append(all, r.cents+len(r))
	}
	return all
}

func parameter(all []int, rows []row) []int {
	for _, r := range rows {
		all = append(all, r.cents)
	}
	return all
}

func headed(rows []row) (out []string) {
	out = append(out, "head") // it has elements before the loop
	for _, r := range rows {
		out = append(out, r.name)
	}
	return out
}

func watched(rows []row) (out []string) {
	defer func() { use(cap(out)) }() // it is mentioned before the loop
	for _, r := range rows {
		out = append(out, r.name)
	}
	return out
}

func use(int) {}

// Whether one who appends to it overwrites what another has added depends on the room: class B.
func extended(xs []int, x int) []int { return append(xs, x) }

func paths(xs []int) [][]int {
	var all [][]int
	var path []int
	for _, x := range xs {
		path = append(path, x)               // want `append grows path`
		all = append(all, extended(path, 0)) // want `append grows all`
	}
	return all
}

func both(names []string) (a, b []string) {
	var base []string
	for _, n := range names {
		base = append(base, n) // want `append grows base`
	}
	return append(base, "a"), append(base, "b")
}

func second(names []string) []string {
	var base []string
	for _, n := range names {
		base = append(base, n) // want `append grows base`
	}
	b := base
	return append(b, "b")
}

func handed(names []string, use func([]string)) {
	var base []string
	for _, n := range names {
		base = append(base, n) // want `append grows base`
	}
	for range names {
		use(append(base, "x"))
	}
}

type list struct{ names []string }

func (l list) with(n string) list {
	l.names = append(l.names, n)
	return l
}

func copied(names []string) (a, b list) {
	var base []string
	for _, n := range names {
		base = append(base, n) // want `append grows base`
	}
	l := list{base}
	return l.with("a"), l.with("b")
}

// One who gets it at the end is a caller like others: class A.
func passed(names []string, use func([]string)) {
	var base []string
	for _, n := range names {
		base = append(base, n) // want `append grows base`
	}
	use(base)
}
