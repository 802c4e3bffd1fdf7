package c03

import (
	"os"
	"sort"
)

// V1 renamed
func digestAll(r *os.File, rounds int) (sum int, err error) {
	for i := 0; i < rounds; i++ {
		chunk := make([]byte, 4096)
		n, err := r.Read(chunk)
		if err != nil {
			return sum, err
		}
		for _, b := range chunk[:n] {
			sum += int(b)
		}
	}
	return sum, nil
}

// V2 method
type grid struct{ rows [][]int }

func (g *grid) distinct() (total int) {
	for _, row := range g.rows {
		seen := make(map[int]bool)
		for _, v := range row {
			seen[v] = true
		}
		total += len(seen)
	}
	return total
}

// V3 closure
func summer() func(groups [][]float64) float64 {
	return func(groups [][]float64) float64 {
		best := 0.0
		for _, g := range groups {
			tmp := make([]float64, len(g))
			copy(tmp, g)
			sort.Float64s(tmp)
			best += tmp[len(tmp)/2]
		}
		return best
	}
}

// V4 generic
func CountDistinct[K comparable](groups [][]K) (n int) {
	for _, g := range groups {
		set := map[K]struct{}{}
		for _, k := range g {
			set[k] = struct{}{}
		}
		n += len(set)
	}
	return n
}

// V5 two functions
func checksum(data []byte, n int) (sum byte) {
	buf := make([]byte, n)
	copy(buf, data)
	for i := range buf {
		buf[i] ^= 0x5a
		sum += buf[i]
	}
	return sum
}
func checksumAll(blocks [][]byte) (sum byte) {
	for _, b := range blocks {
		sum += checksum(b, len(b))
	}
	return sum
}
