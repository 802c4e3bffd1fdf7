package others

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
)

type order struct{ ID int }

func fields(l *zap.Logger, o order, u *url.URL) {
	l.Debug("order", zap.String("order", fmt.Sprintf("%+v", o))) // want `fmt.Sprintf is computed before the logger knows that debug lines are off`
	l.Sugar().Debugw("order", "url", u.String())                 // want `u.String is computed`
}

func entries(o order) {
	b, _ := json.Marshal(o) // want `json.Marshal is computed`
	logrus.WithField("order", o.ID).Debug(string(b))
}

// What follows is left alone.

func lazy(l *zap.Logger, o order, u *url.URL) {
	l.Debug("order", zap.Stringer("url", u))
	l.Sugar().Debugf("order %d", o.ID)
	logrus.Debugf("order %v", o)
}

func failed(l *zap.Logger, o order) {
	l.Error("order", zap.String("order", fmt.Sprintf("%+v", o)))
}

func asked(o order) {
	if logrus.IsLevelEnabled(logrus.DebugLevel) {
		logrus.Debugf("order %s", fmt.Sprintf("%+v", o))
	}
}
