extension SourceMarks {
    /// More languages with braces.
    static let moreBraces: StaticString = #"""
        text/x-zig
        6`const ` = @import(
        5`pub fn `!
        4`pub const `
        4``.{
        4`test "`" {
        3`try `;
        4`defer `;
        3`const ` = 
        3``: usize
        3``[]const u8
        4``@intCast(
        text/x-swift
        5`import Foundation
        6`import SwiftUI
        6`import UIKit
        5`import Glibc
        5`import XCTest
        4`@testable import `
        4`guard `else {
        4`guard let `
        4`if let ``{
        4`func `-> `{
        3`func ``{
        3`extension ``{
        3`protocol ``{
        2`struct ``{
        3`struct `: `{
        3`let `: `
        3`var `: `
        2`let ` = 
        2`var ` = 
        4`init(
        4`@State `
        4`@Test
        3`private let `
        3`private var `
        4`public func `
        3`public let `
        3`private func `
        3`static let `
        4`case .`:
        3`switch ``{
        3`self.`
        3`///
        2`enum `: `{
        2`print(
        3`deinit {
        4`override func `
        2`for ` in `{
        4`@`Observable`
        text/rust
        5`use std::
        4`use crate::
        4`use super::
        3`use `::`;
        3`fn ``{
        4`fn `-> `{
        4`pub fn ``
        4`pub struct `
        4`pub enum `
        4`pub mod `
        4`impl ``{
        4`impl<
        4`let mut `
        4`#[derive(
        4`#![
        3`#[
        5`extern crate `
        2`mod ``;
        2`let ` = `;
        3`match ``{
        2``::new(
        4`println!(
        2``!(
        3`Some(
        3`Ok(
        3`//!
        2`///
        2``.unwrap()
        2`self.
        4`where`Self:
        text/x-kotlin
        4`fun `(
        4`fun main(
        5`val ` = 
        2`var ` = 
        4`val `: `
        4`override fun `
        5`data class `
        4`object ``{
        4`companion object
        3`class `(`
        3`package `
        2`import `
        3`private val `
        3`private fun `
        5`suspend fun `
        3`when (`{
        3`println(
        4`sealed class `
        4`fun `: `{
        3`is `-> `
        2``?.`
        2``?: `
        3`internal `
        3`init {
        text/x-scala
        5`object ``{
        5`object ` extends `
        5`case class `
        4`def ` = 
        4`def `: ` = 
        4`def `: `{
        4`import scala.
        3`import `._
        3`import `{
        3`trait `
        2`val ` = 
        2`package `
        3`class ` extends `
        4`override def `
        3`case `=>
        3`implicit `
        2`println(
        4`sealed trait `
        3`given `
        2`@main
        3``).map(
        text/x-dart
        6`import 'dart:
        6`import 'package:
        4`void main()
        4`@override
        3`Widget build(
        4`class ` extends Stat
        3`final ``;
        2`late `
        3`Future<
        3``async {
        2`print('
        2`return ``;
        3`const `({
        2`required this.
        3``required this.
        3`var ` = `;
        2`class ``{
        3`String ``;
        2`for (var `
        2`factory `
        4`import '
        3`main() {
        4`Future 
        3`print(
        4``@override
        4`extends `Widget
        3`class ` extends 
        3`final ` = `;
        3`List<
        text/x-groovy
        4`apply plugin:
        5`plugins {
        4`dependencies {
        4`repositories {
        4`implementation '
        3`implementation `
        4`testImplementation `
        3`task ``{
        4`pipeline {
        3`stage('
        4`stages {
        3`agent any
        3`steps {
        4`def ` = 
        3`println "
        3`buildscript {
        2`mavenCentral()
        3`import groovy.
        3`compile '
        2`id '
        text/css
        5`@charset `
        4`@media ``{
        4`@import url(
        3`@font-face
        5`@keyframes `
        3`body {
        3`html {
        2`.``{
        2`#``{
        3`font-family:``;
        3`font-size:``;
        3`color:``;
        3`margin:``;
        3`padding:``;
        3`background:``;
        3`background-color:``;
        2`display:``;
        2`width:``;
        2`height:``;
        3`border:``;
        3`text-align:``;
        2`position:``;
        2`:root {
        3`--``;
        2``: `;
        3`margin-`
        2`a:hover
        text/x-scss < text/css
        5`@mixin `
        5`@include `
        4`$`: `;
        4`&:`
        4`&.`
        3`@use "
        4`@extend `
        text/x-dsrc
        6`import std.``;
        4`module ``;
        3`writeln(
        4`void main(
        3`immutable `
        4`unittest
        3`auto ` = `;
        3`foreach (
        3`@safe
        4`string[] `
        text/x-protobuf
        6`syntax = "proto
        4`message ``{
        3`package ``;
        4`repeated ``;
        3`optional ``;
        4`service ``{
        5`rpc ` returns `
        3`string ` = `;
        3`int32 ` = `;
        3`int64 ` = `;
        3`bool ` = `;
        3`option ``;
        2`import "``";
        text/vnd.graphviz
        4`digraph ``{
        4`strict digraph `
        3`graph ``{
        3``-> `;
        3``-> `]
        2``-- `;
        3`node [
        3`edge [
        3`subgraph `
        3`rankdir`=`
        2``[label=
        3``[label="`"]

        """#
}
