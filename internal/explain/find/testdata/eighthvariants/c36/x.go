package c36

// V1 two functions
type grant struct {
	user string
	role string
}

func granted(grants []grant, user string) bool {
	for _, g := range grants {
		if g.user == user {
			return true
		}
	}
	return false
}

func Missing(users []string, grants []grant) []string {
	var missing []string
	for _, u := range users {
		if !granted(grants, u) {
			missing = append(missing, u)
		}
	}
	return missing
}
