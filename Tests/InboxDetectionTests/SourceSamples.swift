/// Short programs and pages in many languages, as people save them without an extension; a paragraph each, begun by
/// `@@` and its MIME type.
enum SourceSamples {
    static let all: [Sample] = (text + pages).split(separator: "@@ ").compactMap { part in
        guard let end = part.firstIndex(of: "\n") else { return nil }
        return Sample(
            name: "source", mime: String(part[..<end]), identifier: nil,
            bytes: Array(part[part.index(after: end)...].utf8))
    }

    private static let text = #"""
        @@ text/x-csrc
        #include <stdio.h>
        #include "queue.h"

        static int count_items(struct queue *queue) {
            int count = 0;
            for (struct item *item = queue->first; item != NULL; item = item->next) count++;
            return count;
        }

        int main(int argc, char **argv) {
            printf("%d\n", count_items(queue_open(argv[1])));
            return 0;
        }
        @@ text/x-c++src
        #include <iostream>
        #include <vector>

        namespace inventory {
        template <typename T>
        class Shelf {
        public:
            explicit Shelf(std::vector<T> items) : items_(std::move(items)) {}
            virtual ~Shelf() = default;
        private:
            std::vector<T> items_;
        };
        }
        @@ text/x-java
        package org.example.weather;

        import java.util.List;

        public class Station {
            private final List<Double> readings;

            public Station(List<Double> readings) {
                this.readings = readings;
            }

            @Override
            public String toString() {
                return "Station with " + readings.size();
            }
        }
        @@ text/x-csharp
        using System;
        using System.Collections.Generic;

        namespace Garden
        {
            public class Plant
            {
                public string Name { get; set; }
                private readonly List<int> heights = new List<int>();

                static void Main(string[] args)
                {
                    foreach (var height in heights) Console.WriteLine(height);
                }
            }
        }
        @@ application/javascript
        const fs = require('fs');

        function readConfig(path, done) {
          fs.readFile(path, (error, data) => {
            if (error) return done(error);
            done(null, JSON.parse(data));
          });
        }

        module.exports = { readConfig };
        @@ text/x-typescript
        import { Observable } from './observable';

        export interface Reading {
          station: string;
          value?: number;
        }

        export class Meter {
          private readings: Reading[] = [];

          add(reading: Reading): void {
            this.readings.push(reading);
          }
        }
        @@ text/x-go
        package main

        import (
        	"fmt"
        	"os"
        )

        func main() {
        	data, err := os.ReadFile(os.Args[1])
        	if err != nil {
        		fmt.Println(err)
        		return
        	}
        	fmt.Println(len(data))
        }
        @@ text/rust
        use std::collections::HashMap;

        #[derive(Debug)]
        pub struct Counter {
            counts: HashMap<String, usize>,
        }

        impl Counter {
            pub fn add(&mut self, word: &str) {
                *self.counts.entry(word.to_string()).or_insert(0) += 1;
            }
        }
        @@ text/x-swift
        import Foundation

        struct Recipe {
            let name: String
            var portions = 2

            func scaled(to count: Int) -> Recipe {
                guard count > 0 else { return self }
                var copy = self
                copy.portions = count
                return copy
            }
        }
        @@ text/x-kotlin
        package org.example

        data class Ticket(val number: Int, val title: String)

        fun main(args: Array<String>) {
            val tickets = listOf(Ticket(1, "paint"), Ticket(2, "sand"))
            for (ticket in tickets) {
                println(ticket.title)
            }
        }
        @@ text/x-python
        import sys
        from pathlib import Path

        class Ledger:
            def __init__(self, path):
                self.path = Path(path)

            def total(self):
                for line in self.path.open():
                    if line.startswith("#"):
                        continue
                    yield float(line)

        if __name__ == "__main__":
            print(sum(Ledger(sys.argv[1]).total()))
        @@ application/x-perl
        use strict;
        use warnings;

        my %seen;
        while (my $line = <STDIN>) {
            chomp $line;
            next unless $line =~ /^\w+/;
            print "$line\n" unless $seen{$line}++;
        }
        @@ application/x-ruby
        require 'json'
        require_relative 'shelf'

        class Library < Shelf
          attr_reader :books

          def lend(title)
            @books = books.reject { |book| book.title == title }
            puts "lent #{title}"
          end
        end
        @@ text/x-lua
        local json = require("json")

        local function area(shape)
          if shape.kind == "circle" then
            return 3.14 * shape.radius ^ 2
          end
          return shape.width * shape.height
        end

        print(area({ kind = "circle", radius = 2 }))
        @@ application/x-shellscript
        set -eu

        for file in "$@"; do
            if [ -f "$file" ]; then
                mkdir -p backup
                cp "$file" "backup/$(basename "$file")"
            fi
        done
        exit 0
        @@ application/x-powershell
        param(
            [Parameter(Mandatory)] [string] $Path
        )

        $files = Get-ChildItem -Path $Path
        foreach ($file in $files) {
            Write-Host $file.Name
        }
        @@ application/x-bat
        @echo off
        setlocal
        if not exist build mkdir build
        for %%f in (*.txt) do (
            copy %%f build
        )
        endlocal
        @@ text/x-haskell
        module Main where

        import qualified Data.Map as Map

        data Shape = Circle Double | Square Double
          deriving (Show, Eq)

        area :: Shape -> Double
        area (Circle r) = pi * r * r
        area (Square a) = a * a

        main :: IO ()
        main = print (area (Circle 2))
        @@ text/x-erlang
        -module(counter).
        -export([start/0, loop/1]).

        start() ->
            spawn(fun() -> loop(0) end).

        loop(N) ->
            receive
                {add, M} -> loop(N + M);
                stop -> ok
            end.
        @@ text/x-elixir
        defmodule Basket do
          @moduledoc "What is to be bought."

          def new, do: %{}

          def add(basket, item) do
            basket
            |> Map.update(item, 1, &(&1 + 1))
          end
        end
        @@ text/x-clojure
        (ns garden.core
          (:require [clojure.string :as str]))

        (defn rows [text]
          (let [lines (str/split-lines text)]
            (map str/trim lines)))
        @@ text/x-common-lisp
        (defpackage :shelf (:use :cl))
        (in-package :shelf)

        (defun total (books)
          (loop for book in books sum (price book)))

        (defmethod print-object ((self book) stream)
          (format t "~a" (title self)))
        @@ text/x-r
        library(ggplot2)

        heights <- read.csv("heights.csv")
        model <- function(data) {
          mean(data$height)
        }
        print(model(heights))
        @@ text/x-fortran
        program balance
          implicit none
          integer :: i
          real :: total
          total = 0.0
          do i = 1, 10
            total = total + i
          end do
          print *, total
        end program balance
        @@ text/x-pascal
        program Greeting;
        uses
          SysUtils;
        var
          Name: string;
        begin
          ReadLn(Name);
          if Name <> '' then
            WriteLn('Hello ', Name);
        end.
        @@ application/sql
        CREATE TABLE visits (
            id INTEGER PRIMARY KEY,
            day DATE NOT NULL
        );
        INSERT INTO visits VALUES (1, '2024-01-01');
        SELECT day, count(*)
        FROM visits
        WHERE id > 0
        GROUP BY day;
        @@ text/x-makefile
        CC = cc
        CFLAGS += -O2

        all: report

        report: report.o lines.o
        	$(CC) -o $@ $^

        clean:
        	rm -f *.o report

        .PHONY: all clean
        @@ text/x-cmake
        cmake_minimum_required(VERSION 3.20)
        project(report C)
        find_package(ZLIB REQUIRED)
        add_executable(report main.c)
        target_link_libraries(report ZLIB::ZLIB)
        @@ text/x-dockerfile
        FROM debian:stable
        RUN apt-get update
        WORKDIR /srv
        COPY . /srv
        EXPOSE 8080
        CMD ["./serve"]
        @@ text/x-zig
        const std = @import("std");

        pub fn main() !void {
            const out = std.io.getStdOut().writer();
            try out.print("{d}\n", .{42});
        }
        @@ text/x-tcl
        package require Tk

        proc greet {name} {
            puts "Hello $name"
            return [string length $name]
        }

        foreach name {Ada Grace} {
            greet $name
        }

        """#
}
