package a

type index[K comparable] struct{ at map[K][]int }

func (x *index[K]) first(k K) int {
	if _, there := x.at[k]; !there {
		return -1
	}
	return x.at[k][0] // want `the map is searched again for the key of x.at\[k\]; keep the value that the first search finds`
}

func longer(sizes map[string]int, names []string) (n int) {
	for i := range names {
		if sizes[names[i]] == 0 {
			continue
		}
		if sizes["all"] < 10 {
			continue
		}
		limit := 5
		if sizes["all"] > limit { // want `the map is searched again for the key of sizes\["all"\]`
			n++
		}
	}
	return n
}

// What follows is left alone.

func (x *index[K]) added(k K) int {
	if _, there := x.at[k]; !there {
		return -1
	}
	x.add(k)
	return x.at[k][0]
}

func (x *index[K]) add(k K) { x.at[k] = append(x.at[k], 1) }

func once(sizes map[string]int, k string) int {
	if _, there := sizes[k]; there {
		sizes[k] = 1
	}
	return sizes[k]
}

func next(sizes map[string]int, k string) int {
	if sizes[k] == 0 {
		return 0
	}
	k += "s"
	return sizes[k]
}
