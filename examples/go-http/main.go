// SPDX-License-Identifier: Apache-2.0

// A small web shop on net/http, without a line of instrumentation for this exporter. It counts by
// itself too, on /counters, so that the two can be compared.
//
//	go build -o shop main.go && ./shop :8080
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

type order struct {
	ID    int    `json:"id"`
	Item  string `json:"item"`
	Price int    `json:"price"`
}

// store stands for a database: it takes its time.
type store struct {
	lookups int64

	mutex sync.Mutex
	took  []time.Duration
}

var errNoOrder = errors.New("no such order")

func (s *store) find(id int) (order, error) {
	atomic.AddInt64(&s.lookups, 1)
	time.Sleep(time.Duration(10+id%10) * time.Millisecond)
	if id%7 == 0 {
		return order{}, errNoOrder
	}
	return order{id, "book", price(id)}, nil
}

// timed is find with a clock around it, for those who ask for every hundredth order or so.
func (s *store) timed(id int) (order, error) {
	start := time.Now()
	o, err := s.find(id)
	took := time.Since(start)
	s.mutex.Lock()
	s.took = append(s.took, took)
	s.mutex.Unlock()
	return o, err
}

func (s *store) median() time.Duration {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.took) == 0 {
		return 0
	}
	sort.Slice(s.took, func(i, j int) bool { return s.took[i] < s.took[j] })
	return s.took[len(s.took)/2]
}

var prices int64

// Calls itself: a discount on a discount.
//
//go:noinline
func price(id int) int {
	atomic.AddInt64(&prices, 1)
	if id < 10 {
		return 5
	}
	return price(id/10) + id%10
}

type shop struct {
	store  store
	orders int64
	quotes int64
	faults int64
}

func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	atomic.AddInt64(&s.orders, 1)
	id, _ := strconv.Atoi(r.URL.Query().Get("id"))
	o, err := s.store.timed(id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(o)
}

func (s *shop) quote(w http.ResponseWriter, r *http.Request) {
	atomic.AddInt64(&s.quotes, 1)
	id, _ := strconv.Atoi(r.URL.Query().Get("id"))
	fmt.Fprintln(w, price(id))
}

// A handler that panics: net/http recovers, and closes the connection.
func (s *shop) broken(w http.ResponseWriter, r *http.Request) {
	atomic.AddInt64(&s.faults, 1)
	o, err := s.store.find(0)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	json.NewEncoder(w).Encode(o)
}

func (s *shop) counters(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, "order", atomic.LoadInt64(&s.orders))
	fmt.Fprintln(w, "quote", atomic.LoadInt64(&s.quotes))
	fmt.Fprintln(w, "broken", atomic.LoadInt64(&s.faults))
	fmt.Fprintln(w, "find", atomic.LoadInt64(&s.store.lookups))
	fmt.Fprintln(w, "price", atomic.LoadInt64(&prices))
	fmt.Fprintln(w, "median", s.store.median().Nanoseconds())
}

func main() {
	address := ":8080"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	s := &shop{}
	http.HandleFunc("/order", s.order)
	http.HandleFunc("/quote", s.quote)
	http.HandleFunc("/broken", s.broken)
	http.HandleFunc("/counters", s.counters)
	fmt.Fprintln(os.Stderr, http.ListenAndServe(address, nil))
	os.Exit(1)
}
