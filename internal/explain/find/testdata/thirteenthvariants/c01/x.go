package c01

type user struct {
	id    int64
	email string
}

type roster struct {
	users []user
}

// V1 method
func (r *roster) byID() map[int64]user {
	index := make(map[int64]user)
	for _, u := range r.users {
		index[u.id] = u
	}
	return index
}
