package a

type record struct{ id int64 }

func records(all []record) (byID map[int64]*record, err error) {
	byID = make(map[int64]*record)
	for i := range all {
		byID[all[i].id] = &all[i] // want `byID is rehashed while it grows, although the loop runs len\(all\) times`
	}
	return byID, nil
}

func again(all []record, times func() []record) int {
	byID := map[int64]*record{}
	for i := range all {
		byID[all[i].id] = &all[i] // want `byID is rehashed`
	}
	n := len(byID)
	byID = map[int64]*record{}
	more := times()
	for i := range more { // whose length is not known where byID is set: no fix
		byID[more[i].id] = &more[i] // want `byID is rehashed`
	}
	return n + len(byID)
}

// What follows is left alone.

func added(all []record, known map[int64]*record) {
	byID := known
	for i := range all {
		byID[all[i].id] = &all[i]
	}
}
