// Package logrus stands for the logger of that name.
package logrus

// Level is a level.
type Level int

// The levels.
const (
	InfoLevel Level = iota
	DebugLevel
)

// Entry is a line with fields.
type Entry struct{}

// WithField returns an Entry.
func WithField(key string, value any) *Entry { return &Entry{} }

// Debug logs.
func (*Entry) Debug(args ...any) {}

// Debugf logs.
func Debugf(format string, args ...any) {}

// Tracef logs.
func Tracef(format string, args ...any) {}

// IsLevelEnabled tells.
func IsLevelEnabled(Level) bool { return false }

// SetLevel sets the level.
func SetLevel(Level) {}
