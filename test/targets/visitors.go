// SPDX-License-Identifier: Apache-2.0

// visitors URL CONNECTIONS REQUESTS: load on examples/go-http: so many connections at once, on each
// so many requests, of which some end in a panic of the handler.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
)

func visit(client *http.Client, url string) {
	answer, err := client.Get(url)
	if err != nil {
		return
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

func visitor(url string, number, requests int) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()

	for i := 0; i < requests; i++ {
		id := number*requests + i
		switch {
		case id%100 == 99:
			visit(client, url+"/broken")
		case i%4 == 0:
			visit(client, fmt.Sprint(url, "/order?id=", id))
		default:
			visit(client, fmt.Sprint(url, "/quote?id=", id))
		}
	}
}

func main() {
	var wait sync.WaitGroup
	connections, _ := strconv.Atoi(os.Args[2])
	requests, _ := strconv.Atoi(os.Args[3])

	for i := 0; i < connections; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			visitor(os.Args[1], i, requests)
		}(i)
	}
	wait.Wait()
}
