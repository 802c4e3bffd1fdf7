package figure

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Alike says how like production a profile is, in words that go on after “are”.
func Alike(l model.Likeness) string {
	return fmt.Sprintf("%s alike [%s, %s], with %s of production's CPU time covered",
		words.Percent(l.Alike), words.Percent(l.Lo), words.Percent(l.Hi), words.Percent(l.Covered))
}
