package c01

// V1 method

type user struct {
	id    int64
	email string
}

type roster struct {
	users []user
}

func (r *roster) byID() map[int64]user {
	index := make(map[int64]user)
	for _, u := range r.users {
		index[u.id] = u
	}
	return index
}
