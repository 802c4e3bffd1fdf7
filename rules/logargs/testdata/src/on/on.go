package on

import (
	"fmt"
	"log/slog"
)

func start() { slog.SetLogLoggerLevel(slog.LevelDebug) }

// always logs, since the level is what it is.
func always(v []int) { slog.Debug("here", "values", fmt.Sprintf("%x", v)) }
