package c60

import (
	"strconv"
	"time"
)

// V1 renamed

type reading struct {
	at    time.Time
	level int32
}

func loadReadings(rows [][2]string) ([]reading, error) {
	readings := make([]reading, 0, len(rows))
	for _, row := range rows {
		at, err := time.Parse(time.RFC3339Nano, row[0])
		if err != nil {
			return nil, err
		}
		level, err := strconv.ParseInt(row[1], 10, 32)
		if err != nil {
			return nil, err
		}
		readings = append(readings, reading{at: at, level: int32(level)})
	}
	return readings, nil
}
