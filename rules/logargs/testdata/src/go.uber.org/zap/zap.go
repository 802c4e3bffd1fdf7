// Package zap stands for the logger of that name.
package zap

// Field is a key with a value.
type Field struct{ Key, Text string }

// String returns a Field.
func String(key, text string) Field { return Field{key, text} }

// ByteString returns a Field.
func ByteString(key string, text []byte) Field { return Field{key, string(text)} }

// Stringer returns a Field that is computed when it is written.
func Stringer(key string, v interface{ String() string }) Field { return Field{Key: key} }

// Logger logs fields.
type Logger struct{}

// NewDevelopment returns a Logger that writes debug lines.
func NewDevelopment() (*Logger, error) { return &Logger{}, nil }

// Debug logs.
func (*Logger) Debug(msg string, fields ...Field) {}

// Error logs.
func (*Logger) Error(msg string, fields ...Field) {}

// Sugar returns the other kind.
func (*Logger) Sugar() *SugaredLogger { return nil }

// SugaredLogger logs values.
type SugaredLogger struct{}

// Debugw logs.
func (*SugaredLogger) Debugw(msg string, keysAndValues ...any) {}

// Debugf logs.
func (*SugaredLogger) Debugf(format string, args ...any) {}
