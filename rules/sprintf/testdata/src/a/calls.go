package a

import "fmt"

func as(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func keyOf(user string, n int) string {
	return as("u/%s/%d", user, n) // want `as is fmt.Sprintf`
}

func keysOf(users []string) (all []string) {
	row := func(f, user string, n int) string { return fmt.Sprintf(f, user, n) }
	for i, u := range users {
		all = append(all, row("%s;%d", u, i)) // want `row is fmt.Sprintf`
	}
	return all
}

func itself(args []string) {
	args[0] = fmt.Sprintf("%s", args[0]) // want `fmt.Sprintf interprets its format`
}

// What follows is left alone.

func asked(format string, n int) string { return as(format, n) }

func plain() string { return as("none") }

func counted(format string, args ...any) (string, int) {
	return fmt.Sprintf(format, args...), len(args)
}

func both(n int) (string, int) { return counted("%d", n) }
