package equal

import (
	"fmt"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	long := strings.Repeat("long", 40)
	for _, s := range []string{"", "a", "=", ";", "a=b;", "a=b;c=d", "é=ü;", long + "=" + long + ";", strings.Repeat("name=value;", 200), strings.Repeat(long[:63]+"=x;", 20)} {
		data := []byte(s)
		x, y := fmt.Sprint(before.Parse([]byte(s))), after.Parse(data)
		for i := range data {
			data[i] = '!' // the texts are no part of it
		}
		if x != fmt.Sprint(y) {
			t.Errorf("%q: %s, then %s", s, x, y)
		}
	}
}
