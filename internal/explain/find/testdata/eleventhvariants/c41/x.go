package c41

import (
	"encoding/csv"
	"log"
	"os"
)

// V5 two functions

var currencies map[string]string

func init() {
	var err error
	if currencies, err = loadCurrencies("/usr/share/billing/currencies.csv"); err != nil {
		log.Fatal(err)
	}
}

func loadCurrencies(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(rows))
	for _, row := range rows {
		names[row[0]] = row[1]
	}
	return names, nil
}

func currencyName(code string) string { return currencies[code] }
