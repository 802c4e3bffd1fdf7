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
