extension SourceMarks {
    /// Languages of functions, of logic, and of parentheses.
    static let functional: StaticString = #"""
        text/x-haskell
        5`module ` where
        5`import qualified `
        5`{-# LANGUAGE
        4`import Data.
        4`import Control.
        3`import System.
        4``:: `-> 
        4`data ` = 
        4`newtype ` = 
        4`instance ` where
        4`class ` where
        3=where
        3`deriving `
        3``<- 
        3``| otherwise
        3`main = do
        4`main :: IO ()
        3`-- |
        3`| ` = 
        2`let ` = 
        2`case ` of
        2``$ `
        2`type ` = 
        text/x-ocaml
        4`let rec `
        3`let `= 
        4`let () =
        4`open `
        4`module ` = struct
        5`module ` = 
        4`match ` with
        3`| `-> 
        3``;;
        3`type ` = 
        4`| `of `
        3`(* 
        4`(** 
        2=end
        4`val `: `
        3=in
        3`let ` in
        4``Printf.
        4`Printf.printf
        4`let open `
        3`exception `
        2`external `
        3`and `
        3`begin match`
        4`try ` with
        4``fun `-> 
        text/x-fsharp < text/x-ocaml
        5`open System
        4`module `
        2`[<
        4`let `|> `
        3`|> 
        4`printfn "
        3`member `
        4`type `() =
        3`namespace `
        text/x-nix
        5`{`}:
        5`inherit `;
        3=let
        3=in
        2`with ``;
        5``mkDerivation
        4`buildInputs = 
        4`meta = `
        4`src = fetch
        3`imports = [
        4``lib.
        2=};
        3`enable = 
        3`config.
        4`services.
        4`environment.
        text/x-erlang
        6`-module(
        5`-export([
        5`-export(
        4`-include(
        4`-define(
        4`-record(
        4`-spec `
        4`-behaviour(
        3`` ->
        3``io:format(
        3`{ok, `
        3`end.
        1``).
        3`case ` of
        3`receive
        2`ok.
        text/x-elixir
        6`defmodule ` do
        5`defp `
        5`def ` do
        4`def `, do:
        4`use `
        4`alias `
        4`@moduledoc `
        4`@doc `
        4`@spec `
        4`|> 
        3``|> 
        2=end
        4`IO.puts
        3`import `
        3`{:ok, `
        3`case ` do
        3`with `<-
        3`require `
        3`test "`" do
        3`fn `-> 
        3`config :
        text/x-clojure
        6`(ns `
        5`(defn `
        5`(defn- `
        4`(def `
        4`(:require [
        4`(:import
        4`(let [
        4`(defmacro `
        3`(println `
        3`(if `
        3``[`])
        4`(deftest `
        3`(->
        3`(fn [
        3``#(
        3`(defmulti `
        3`(require '
        4`(defproject `
        3`[org.
        3`(when `
        text/x-scheme
        4`(define (`
        4`(define `
        4`(lambda (`
        4``(lambda (
        4`(define-syntax
        4`(define-record-type
        4`(let loop `
        3`(let ((
        3`(let* ((
        3`(cond
        2`(if (
        3`(else `
        3``(car `
        3``(cdr `
        4`(display `
        4`(newline)
        3`(set! `
        4`#lang `
        4`(require `
        4`(use-modules `
        2`(begin
        3``#t
        3`(import (`
        text/x-common-lisp
        5`(defun `
        6`(defpackage `
        6`(in-package `
        5`(defmacro `
        5`(defvar `
        5`(defparameter `
        5`(defclass `
        5`(defmethod `
        4`(defgeneric `
        4`(setf `
        4`(format t `
        4`(let ((
        4`(loop `
        3`(cond
        3`(when (
        4`(asdf:
        4`(setq 
        3`(declare `
        3``#'
        3`:documentation
        3`(if (
        text/x-emacs-lisp < text/x-common-lisp
        6`(require '``)
        5`(provide '``)
        6`(defcustom `
        6`(defgroup `
        5`(interactive
        5`(add-hook '
        4`;;;###autoload
        6`;;; Commentary:
        6`;;; Code:
        4`(defface `
        4`(define-key `
        3`(save-excursion
        4`:type '
        4`:group '
        4`(use-package `
        4`(eval-when-compile
        4`(defconst `
        1`;;; 
        4`(defsubst 
        4``(interactive
        3`(declare 
        5``-*- lexical-binding
        4``-mode
        4`(put '
        text/x-prolog
        5`:- module(
        5`:- use_module(
        5`:- dynamic
        4`:- `
        4`` :-
        4``) :-
        3``!,
        3`format(
        3`write(
        3`nl.
        text/x-r
        4`library(``)
        4`require(``)
        5`` <- function(
        3`` <- 
        4`source("
        3`data.frame(
        4``data.frame(
        4``<- c(
        4`ggplot(
        4`print(
        3`plot(
        3`#' 
        4`#' @param
        4``%>%
        4`` <- read.
        3`return(
        2`if (``{
        3`for (` in `{
        3``$`<- 
        text/x-julia
        3`using `
        4`function `)
        2=end
        1`module `
        4`struct `
        4`mutable struct `
        2`const ` = 
        5`println("
        4``::Int
        4``::Float64
        4``::String
        4``::`)
        1`export `
        4`import Base
        4`@testset `
        4`@test `
        3`for ` in `
        3`elseif `
        2`return `
        3`"""
        4`abstract type `
        4`include("
        3``where T

        text/x-coq
        6`Require Import 
        5`From `Require Import
        5`Require Export 
        4`Module `.
        5`Lemma ` : 
        5`Theorem ` : 
        3`Proof.
        2``Qed.
        4`Definition `:=
        3`intros 
        2`destruct 
        2`rewrite 
        2`apply 
        4`Fixpoint `:=
        4`Inductive `:=
        4`Section ``.
        text/x-agda
        5`open import 
        5`{-# OPTIONS --
        4``` : Set
        4``` : Set where
        4``: ∀ 
        3`module ` where
        3`hiding (
        4`record ` where
        text/x-nim
        5`proc `(` =
        5`proc `*(
        5`func `(` =
        5`template `(` =
        4`iterator `(` =
        4``{.`.}
        4`` = object
        4`` = ref object
        3``seq[
        3`result = 
        4`when defined(
        2`discard
        4`import std/
        3`runnableExamples
        2`elif ``:
        3``: NimNode
        3`import std/[
        """#
}
