package proofs

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// Of several rules, it is the evidence that is not equal that is named, as it would be by itself.
func TestEqual(t *testing.T) {
	evidence := func(after string) fs.FS {
		files := fstest.MapFS{}
		for name, text := range map[string]string{
			"before.go":     "package evidence\n\nfunc One() int { return 1 }\n",
			"after.go":      "package evidence\n\nfunc One() int { return " + after + " }\n",
			"bench_test.go": "package evidence\n",
			"equal_test.go": `package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestOne(t *testing.T) {
	if after.One() != before.One() {
		t.Error("another one")
	}
}

func FuzzTwice(f *testing.F) {
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		if n*after.One() != n*before.One() {
			t.Error("another product")
		}
	})
}
`,
		} {
			files["testdata/evidence/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		return files
	}
	err := Of(t, map[string]fs.FS{"same-one": evidence("2 - 1"), "other-one": evidence("2")}).Equal(t.Context())
	if err == nil {
		t.Fatal("nothing failed")
	}
	for _, want := range []string{"FAIL: Test_other_one_TestOne", "another one", "FAIL: Fuzz_other_one_FuzzTwice", "another product"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "same_one") {
		t.Errorf("what is equal is named in\n%v", err)
	}
}
