/// Program source by the words that its lines begin with. Only a guess: for files whose name says nothing.
enum SourceText {
    private struct Language {
        let mime: String
        /// What lines begin with, and how much each speaks for the language.
        let marks: [(StaticString, Int)]
    }

    /// The language whose marks are found most, if they are enough.
    static func guess(_ text: Bytes) -> String? {
        var scores = [Int](repeating: 0, count: languages.count)
        var place = 0
        var lines = 0
        while place < min(text.count, 3072), lines < 120 {
            let end = text.index(of: 0x0A, from: place) ?? text.count
            var start = place
            while start < end, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
            if start < end {
                var last = -1
                for mark in byFirst[Int(text[start])] where mark.language != last && text.has(mark.text, at: start) {
                    // One mark a language counts in a line.
                    scores[mark.language] += mark.weight
                    last = mark.language
                }
                lines += 1
            }
            place = end + 1
        }
        guard let best = scores.max(), best >= 5, let index = scores.firstIndex(of: best),
            scores.count(where: { $0 == best }) == 1
        else { return nil }
        return languages[index].mime
    }

    private struct Mark {
        let text: StaticString
        let language: Int
        let weight: Int
    }

    /// The marks by their first byte, those of a language together.
    private static let byFirst: [[Mark]] = {
        var table = [[Mark]](repeating: [], count: 256)
        for (index, language) in languages.enumerated() {
            for (text, weight) in language.marks where text.utf8CodeUnitCount > 0 {
                table[Int(text.utf8Start[0])].append(Mark(text: text, language: index, weight: weight))
            }
        }
        return table
    }()

    private static let languages: [Language] = [
        Language(
            mime: "text/x-csrc",
            marks: [
                ("#include <", 3), ("#include \"", 3), ("#define ", 2), ("#ifdef ", 2), ("#ifndef ", 2),
                ("typedef struct", 2),
                ("static int ", 2), ("int main(", 3), ("printf(", 1),
            ]),
        Language(
            mime: "text/x-c++src",
            marks: [
                ("#include <iostream>", 7), ("using namespace ", 4), ("namespace ", 3), ("template <", 4),
                ("template<", 4),
                ("std::", 2), ("public:", 3), ("private:", 3), ("#include <", 3), ("#include \"", 3),
                ("#define ", 1),
            ]),
        Language(
            mime: "text/x-objcsrc",
            marks: [
                ("#import <", 5), ("#import \"", 5), ("@interface ", 4), ("@implementation ", 4), ("@property ", 3),
                ("@end", 2), ("- (", 2), ("+ (", 2),
            ]),
        Language(
            mime: "text/x-java",
            marks: [
                ("import java.", 5), ("import javax.", 5), ("import org.", 3), ("package ", 2), ("public class ", 4),
                ("public static void main(", 5), ("public interface ", 4), ("@Override", 3),
                ("public ", 1),
            ]),
        Language(
            mime: "text/x-csharp",
            marks: [("using System", 6), ("namespace ", 2), ("public class ", 2), ("[assembly:", 3)]),
        Language(
            mime: "text/x-python",
            marks: [
                ("import ", 2), ("from __future__", 5), ("def ", 3), ("if __name__ ==", 5), ("elif ", 3),
                ("except ", 2), ("self.", 2), ("\"\"\"", 2),
            ]),
        Language(
            mime: "application/x-perl",
            marks: [
                ("use strict", 5), ("use warnings", 5), ("my $", 3), ("my @", 3), ("sub ", 2),
                ("=head1", 4),
            ]),
        Language(
            mime: "application/x-ruby",
            marks: [("require '", 3), ("require_relative", 5), ("attr_", 4)]),
        Language(
            mime: "application/javascript",
            marks: [
                ("function ", 2), ("var ", 2), ("const ", 2), ("'use strict'", 5), ("\"use strict\"", 5),
                ("module.exports", 5), ("export ", 2), ("document.", 3), ("window.", 3), ("$(", 3),
                ("console.", 3),
            ]),
        Language(
            mime: "text/x-go",
            marks: [("package main", 4), ("package ", 2), ("func ", 3), ("import (", 4), ("defer ", 3)]),
        Language(
            mime: "text/rust",
            marks: [
                ("use std::", 5), ("fn ", 3), ("pub fn ", 4), ("impl ", 3), ("let mut ", 3), ("#[", 3),
                ("extern crate ", 5),
            ]),
        Language(
            mime: "text/x-swift",
            marks: [
                ("import Foundation", 5), ("import SwiftUI", 6), ("import UIKit", 6), ("guard ", 3),
                ("extension ", 2),
            ]),
        Language(
            mime: "text/css",
            marks: [
                ("@charset ", 5), ("@media ", 4), ("@import ", 2), ("body {", 4), ("font-family:", 3), ("color:", 3),
                ("margin:", 3), ("padding:", 3), ("background:", 3), ("background-color:", 3), ("display:", 2),
                ("width:", 2),
            ]),
        Language(
            mime: "text/x-makefile",
            marks: [
                (".PHONY", 5), ("all:", 4), ("clean:", 3), ("install:", 3), ("$(CC)", 3), ("CFLAGS", 3),
                ("include $(", 3), ("ifeq (", 3),
            ]),
        Language(
            mime: "text/x-lua",
            marks: [("local function ", 5), ("local ", 1), ("--[[", 3)]),
        Language(
            mime: "text/x-scheme", marks: [("(define ", 4), ("(lambda ", 3)]),
        Language(
            mime: "text/x-common-lisp",
            marks: [
                ("(defun ", 4), ("(defpackage ", 6), ("(in-package ", 6), ("(defmacro ", 4), ("(defvar ", 3),
            ]),
        Language(
            mime: "text/x-haskell",
            marks: [("import qualified ", 6), ("{-# LANGUAGE", 6), ("import Data.", 5)]),
        Language(
            mime: "text/x-fortran",
            marks: [
                ("      program ", 4), ("PROGRAM ", 3), ("SUBROUTINE ", 4), ("subroutine ", 4), ("implicit none", 5),
                ("IMPLICIT NONE", 5),
            ]),
        Language(
            mime: "text/markdown",
            marks: [("## ", 2), ("### ", 2), ("```", 3), ("![", 2)]),
        Language(
            mime: "text/x-tex",
            marks: [("\\usepackage", 5), ("\\begin{", 4), ("\\section", 4), ("\\documentclass", 6)]),
    ]
}
