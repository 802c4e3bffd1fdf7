package catalogue

import "github.com/pawl-dev/pawl/rules/rule"

// missingData are entries about encodings, texts, files and start-up.
func missingData() []rule.Rule {
	return append(missingFiles(), []rule.Rule{
		{
			Name: "jsonmap", IDs: []string{"C19"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: notYet,
			Title:     "JSON is decoded into map[string]any where its fields are known",
			Why:       "Each value is boxed and each key a string; a struct takes a half to a fifth of the allocations.",
			WhenNot:   "The fields are not known, or the document is passed on.",
			Gap:       "With encoding/json the CPU time hardly falls: 0.9x to 1.3x measured on Go 1.26.",
			Signature: "encoding/json.(*decodeState).objectInterface in alloc_objects profiles; from Go 1.27 on encoding/json/v2.unmarshalValueAny",
		},
		{
			Name: "jsoncodec", IDs: []string{"C20"}, Seeds: []string{"000"}, Tier: rule.Special,
			Missing:   "not yet; which codec to take is a decision about behaviour, encoding/json/v2 of Go 1.27 included",
			Title:     "encoding/json takes most of the time",
			Why:       "There are faster codecs, of which each differs from encoding/json somewhere.",
			Signature: "encoding/json.Marshal or Unmarshal with a large part of CPU profiles",
		},
		{
			Name: "unsafestring", IDs: []string{"C58"}, Seeds: []string{"000"}, Tier: rule.Special,
			Missing:   "elsewhere: gosec G103 lists each use of unsafe, worth it or not, and go vet's unsafeptr those that are wrong",
			Title:     "a string and a slice of bytes share memory by unsafe",
			Why:       "It saves a copy and breaks the promise that strings do not change. As a map key, or in a comparison, the compiler saves the copy by itself.",
			Signature: "runtime.slicebytetostring in alloc_objects profiles is what it is meant to avoid",
		},
		{
			Name: "textformat", IDs: []string{"C60"}, Seeds: []string{"003"}, Tier: rule.Special, Missing: notYet,
			Title:     "numbers and times are parsed from text that the program wrote itself",
			Why:       "Binary forms are read ten to sixty times as fast.",
			WhenNot:   "The format is a contract, or people read it.",
			Signature: "strconv.ParseInt and time.Parse with a large part of CPU profiles",
		},
		{
			Name: "tokenbuild", IDs: []string{"C62"}, Seeds: []string{"000"}, Tier: rule.Profiled,
			Missing:   "not yet where the string is read and reset in the loop, as a tokenizer does; go fix's stringsbuilder and perfsprint's concat-loop rewrite the plain form; pawl diagnose points here from profiles",
			Title:     "a token is put together character by character with +=",
			Why:       "Each += copies all that is there; a slice of the input needs no copy.",
			Gap:       "Bytes that are not valid UTF-8 become U+FFFD by string(r), and stay what they are in a slice.",
			Signature: "runtime.concatstrings in CPU and alloc_objects profiles",
		},
	}...)
}

// missingFiles are entries about files and processes.
func missingFiles() []rule.Rule {
	return []rule.Rule{
		{
			Name: "fullcompare", IDs: []string{"C67"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: notYet,
			Title:     "files are compared by content, whatever their sizes",
			Why:       "Files of different sizes differ, and Stat tells without reading them.",
			WhenNot:   "They are no regular files. Equal sizes and times are no proof of equal content.",
			Signature: "os.ReadFile and bytes.Equal in CPU and alloc_space profiles",
		},
	}
}
