package a

import "regexp"

type wording struct{ anchored bool }

func (m wording) compile(p string) *regexp.Regexp { return regexp.MustCompile(p) }

func (m wording) Words(text string) []string {
	re := m.compile(`\b\w+\b`) // want `m.compile of a constant pattern`
	return re.FindAllString(text, -1)
}

func Dates(lines []string) (all []string) {
	date := func(line string) string {
		return regexp.MustCompile(`\d{4}-\d\d-\d\d`).FindString(line) // want `in a loop compiles it in every iteration`
	}
	for _, l := range lines {
		all = append(all, date(l))
	}
	return all
}

// Those that only match with the same expression share it; who keeps it does not.

func FirstDay(line string) string {
	return regexp.MustCompile(`\d+-\d+`).FindString(line) // want `on every call of FirstDay`
}

func AllDays(line string) []string {
	days := regexp.MustCompile(`\d+-\d+`) // want `on every call of AllDays`
	return days.FindAllString(line, -1)
}

func HasDay(line string) (bool, error) {
	return regexp.MatchString(`\d+-\d+`, line) // want `regexp.MatchString of a constant pattern`
}

func Leftmost(line string) string {
	days := regexp.MustCompile(`\d+-\d+`)
	days.Longest()
	return days.FindString(line)
}
