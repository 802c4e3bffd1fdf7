package others

import (
	"runtime/debug"

	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
)

func fields(l *zap.Logger) {
	l.Debug("request", zap.ByteString("stack", debug.Stack()))  // want `debug.Stack captures the stack before the logger knows`
	l.Sugar().Debugw("request", "stack", string(debug.Stack())) // want `debug.Stack captures`
}

func entries() {
	logrus.WithField("stack", string(debug.Stack())).Debug("request") // want `debug.Stack captures`
	logrus.Tracef("at %s", debug.Stack())                             // want `debug.Stack captures`
}

// What follows is left alone.

func failed(l *zap.Logger) {
	l.Error("request", zap.ByteString("stack", debug.Stack()))
}

func asked() {
	if logrus.IsLevelEnabled(logrus.DebugLevel) {
		logrus.Debugf("at %s", debug.Stack())
	}
}
