package staticerror

import (
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

const (
	whole    = 6 // words of a text that a name has all of
	some     = 4 // words of a longer one that it begins with
	most     = 9 // words that it has in any case
	mostText = 60
)

// variables makes names of the words of a text, the shortest first: "bad
// token" gives errBadToken. A package's name or path in front is left out. A longer
// text is cut where a name does not end in the middle of a phrase; the names
// that follow have more of it, for where the first is taken.
func variables(text, pkg string) []string {
	if prefix, rest, ok := strings.Cut(text, ": "); ok && path.Base(prefix) == pkg {
		text = rest
	}
	text = signs.ReplaceAllStringFunc(strings.ReplaceAll(text, "'", ""), spell)
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return []string{"errStatic"}
	}
	first := len(words)
	if first > whole {
		first = some
	}
	var names []string
	for n := first; n <= min(len(words), most); n++ {
		name := joinWords(words[:n])
		if len(names) > 0 && len(name) > mostText {
			break
		}
		if n == len(words) || !small[strings.ToLower(words[n-1])] {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = append(names, joinWords(words[:first]))
	}
	return names
}

// signs are those that a name must spell, or it would say the contrary: “must
// be > 0”. Others stand for no word.
var signs = regexp.MustCompile(`!=|>=|<=|[<>]\s*\d|\s-\w`)

func spell(sign string) string {
	last := sign[len(sign)-1:]
	switch {
	case sign == "!=":
		return " not "
	case sign == ">=":
		return " at least "
	case sign == "<=":
		return " at most "
	case sign[0] == '>':
		return " above " + last
	case sign[0] == '<':
		return " below " + last
	}
	return " minus " + last
}

func joinWords(words []string) string {
	var name strings.Builder
	name.WriteString("err")
	for _, word := range words {
		if upper := strings.ToUpper(word); initialisms[upper] {
			name.WriteString(upper)
			continue
		}
		runes := []rune(word)
		runes[0] = unicode.ToUpper(runes[0])
		name.WriteString(string(runes))
	}
	return name.String()
}

// small are words after which a phrase goes on.
var small = code.Set("a above an and any are as at be been before below but by can cannot could did do does for from had has have if in into is it its least may minus more most must no non not of on " +
	"only or should some than that the their this to too was were when which while will with without would")

// initialisms are words that Go names write in capitals.
var initialisms = code.Set("ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON RPC SQL SSH TCP TLS TTL UDP UI UID URI URL UTF8 UUID XML")
