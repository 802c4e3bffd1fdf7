package section

import (
	"embed"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// ProfileWord is what a kind of profile is called at the beginning of a line.
func ProfileWord(kind string) string {
	switch kind {
	case "cpu":
		return "CPU profile"
	case "":
		return "Profile"
	case "goroutineleak":
		return "Goroutine leak profile"
	}
	return strings.ToUpper(kind[:1]) + kind[1:] + " profile"
}

// A Head is what each part of the page begins with.
type Head struct {
	ID    string
	Name  string // what it is, in a word or two
	Title string // the answer; the name where the page begins with that answer
}

// Left says how many more there are than the page shows; nothing for none.
func Left(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more; -json has all", n)
}

// Spot is a line of a file, without its directory.
func Spot(file string, line int) string {
	if file == "" {
		return "?"
	}
	where := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	return where
}

// ruleNames lists the names of rules, in a line.
func ruleNames(rules []model.SignRule) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

//go:embed section.html
var Files embed.FS

// FullPlace is a line with the directory of its file.
func FullPlace(file string, line int) string {
	if line <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}
