package a

import (
	"slices"
	"strings"
)

// The seed's own shape: a few keys, looked up for each row.
func filter(rows [][]string, key map[string]string) (out [][]string) {
	index := make(map[string]int)
	for i, h := range rows[0] { // want `index is built to be asked for the same few keys in a loop; finding them in rows\[0\] once`
		index[h] = i
	}
	for _, row := range rows[1:] {
		match := true
		for k, want := range key {
			i, ok := index[k]
			if !ok || i >= len(row) || row[i] != want {
				match = false
				break
			}
		}
		if match {
			out = append(out, row)
		}
	}
	return out
}

func columns(header []string, name string) (int, int, bool) {
	index := make(map[string]int, len(header))
	for i, h := range header { // want `index is built for 2 lookups; scanning header needs no map`
		index[h] = i
	}
	id, ok := index["id"]
	if !ok {
		return 0, 0, false
	}
	other, ok := index[name]
	return id, other, ok
}

type table struct{ header []string }

func (t *table) cell(row []string, name string) string {
	index := map[string]int{}
	for i, h := range t.header { // want `index is built for a lookup; scanning t.header`
		index[h] = i
	}
	return row[index[name]]
}

func same(rows [][]string, name string) (out []string) {
	index := make(map[string]int)
	for i, h := range rows[0] { // want `the same few keys in a loop`
		index[h] = i
	}
	for _, row := range rows {
		out = append(out, row[index[name]])
	}
	return out
}

// One lookup wants two values and one only one: no fix.
func mixed(header []string) int {
	index := make(map[string]int)
	for i, h := range header { // want `2 lookups`
		index[h] = i
	}
	if i, ok := index["a"]; ok {
		return i
	}
	return index["b"]
}

func many(header, names []string) (out []int) {
	index := make(map[string]int)
	for i, h := range header { // want `index finds the positions in header anew on each call`
		index[h] = i
	}
	for _, n := range names { // as many as there are names
		out = append(out, index[n])
	}
	return out
}

func byPosition[K comparable](keys []K, key K) (int, bool) {
	at := make(map[K]int)
	for i := range keys { // want `at is built for a lookup; scanning keys needs no map`
		at[keys[i]] = i
	}
	i, ok := at[key]
	return i, ok
}

// What follows is left alone.

func firstWins(header []string) int {
	index := make(map[string]int)
	for i, h := range header {
		if _, ok := index[h]; !ok {
			index[h] = i
		}
	}
	return index["id"]
}

func five(header []string) [5]int {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	return [5]int{index["a"], index["b"], index["c"], index["d"], index["e"]}
}

func kept(header []string) (map[string]int, int) {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	return index, index["id"]
}

func counted(header []string) (int, int) {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	return len(index), index["id"]
}

func sorted(header []string) int {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	slices.Sort(header) // in another order now
	return index["id"]
}

func overwritten(header []string) int {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	header[0] = "id"
	return index["id"]
}

func folded(header []string) int {
	index := make(map[string]int)
	for i, h := range header {
		index[strings.ToLower(h)] = i
	}
	return index["id"]
}

func later(header []string) func(string) int {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	return func(name string) int { return index[name] } // who knows how often
}

func removed(header []string) (int, bool) {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	delete(index, "")
	i, ok := index["id"]
	return i, ok
}

func floats(list []float64, x float64) int {
	index := make(map[float64]int)
	for i, f := range list { // NaN is no key
		index[f] = i
	}
	return index[x]
}

func more(a, b []string) int {
	index := make(map[string]int)
	for i, h := range a {
		index[h] = i
	}
	for i, h := range b {
		index[h] = i
	}
	return index["id"]
}

func joined(text string, names []string) (out []int) {
	index := make(map[string]int)
	for i, h := range strings.Fields(text) {
		index[h] = i
	}
	for _, n := range names { // as many as there are names
		out = append(out, index[n])
	}
	return out
}
