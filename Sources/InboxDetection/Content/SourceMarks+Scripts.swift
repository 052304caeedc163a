extension SourceMarks {
    /// Languages of scripts.
    static let scripts: StaticString = #"""
        text/x-python
        4`def `(`:
        4`def `(`: ...
        4`async def `
        3`class ``:
        4`from ` import `
        2`import `
        5`if __name__ ==
        5`from __future__
        3`elif ``:
        3`except ``:
        3`except:
        3`try:
        3`else:
        3`finally:
        2`if ``:
        2`for ` in `:
        3`with ` as `:
        2`while ``:
        2`self.` = 
        2`"""
        2`raise `
        2`print(``)
        2`return `
        2`assert `
        2`yield `
        2`@
        3`@property
        3`@staticmethod
        2`lambda `
        2`np.
        3`import numpy
        3`def `self
        application/x-perl
        5`use strict;
        5`use warnings;
        5`use Test::``;
        3`my $` = `;
        3`local $
        2``);
        4`use ``;
        3`my $
        3`my @
        3`my %
        3`my ($
        3`sub ``{
        4`=head1
        3`=cut
        3`our $
        3`our @
        3`package ``;
        3`foreach my `
        3`print "`\n";
        3`push @
        2`if ($``{
        3`unless (
        3``=~ `
        2`$` = `;
        3`return $``;
        3`return <<'
        4`require ``;
        3`die "
        3`__END__
        2`} elsif (
        3``->{
        3`shift;
        4``= shift;
        4``= @_;
        2`1;
        application/x-ruby
        4`require '``'
        4`require "``"
        5`require_relative `
        4`attr_accessor `
        4`attr_reader `
        4`module `
        2`def `
        2`class `
        4`class ` < `
        2=end
        3`puts `
        3`elsif `
        2`unless `
        4`` do |`|
        3``` do
        3`@` = 
        3``.each 
        3=begin
        3`rescue`
        2`include `
        3=private
        3`describe `do
        3`it `do
        4`# frozen_string_literal:
        4`gem '
        2`return `
        application/x-php
        5`<?php
        4`namespace ``;
        3`use `\`;
        4`$this->
        4`public function `
        3`private function `
        2`$` = `;
        3`echo `
        2`function `$`{
        text/x-lua
        5`local function `
        4`local ` = require
        3`local ` = `
        3`function `)
        2=end
        2=end)
        3`elseif `` then
        3`if `` then
        3`for `` do
        3`--[[
        2`return `
        3`print(
        4``:new(
        2`while `` do
        3``~= 
        2``.. 
        3=end,
        2=then
        application/x-shellscript
        3`if [ ``; then
        3`if [[ ``; then
        3`if ``; then
        2=then
        3=fi
        3=done
        3`for ` in `; do
        2=do
        3`while ``; do
        3=esac
        3`case ` in
        2`echo "
        2`echo `
        3`export `=
        3`set -e
        4`set -eu
        2`exit `
        4`function `() {
        3``() {
        3`source `
        2`. /
        2`local `=
        3``="$
        3``=$(
        2``$(
        2``"$
        2`cd "
        2`rm -
        2`mkdir -p
        2`sudo `
        2`apt-get `
        3`elif [
        2=shift
        3``"$@"
        2``| grep `
        1`if `
        application/x-powershell
        5`param(
        5`Param(
        4`function `-`
        5`Write-Host `
        5`Write-Output `
        5`Get-`
        4``Get-`
        4`$` = Get-
        4`[CmdletBinding()]
        4`[Parameter(
        3`$` = `
        4`Import-Module `
        3`New-`
        3`Set-`
        3`} catch {
        3`foreach ($`
        4`if ($``{
        4`.SYNOPSIS
        3`<#
        3`#Requires
        3``-eq `
        3``$_.
        2`try {
        2`Install-
        2`Remove-
        application/x-bat
        6`@echo off
        6`@ECHO OFF
        6`@Echo Off
        3`rem `
        3`REM `
        3`set `=`
        3`SET `=`
        3`if exist `
        4`if not exist `
        4`IF NOT EXIST `
        4`goto `
        4`GOTO `
        3`call `
        3`echo `
        3`::
        4`setlocal
        4`for %%
        4`FOR %%
        3`exit /b
        3`pause
        3``%~
        3``%ERRORLEVEL%
        3`cd /d
        3``.exe
        6`@SETLOCAL
        4`@IF 
        6`@ECHO 
        4`@SET 
        4`IF EXIST 
        3`) ELSE (
        4``%~dp0
        4`@rem 
        4`@REM 
        3`EXIT /B
        4`@"%
        3`IF 
        4`ENDLOCAL
        text/x-tcl
        5`proc `{`{
        4`package require `
        4`package provide `
        4`namespace eval ``{
        3`set `[
        3`set `
        3`foreach `{
        3`puts "
        3`puts $
        3`if {`{
        2`return [
        3`} else {
        3`} elseif {
        3`variable `
        4`lappend `
        4`upvar `
        3`puts `
        4`[expr `
        4``[expr {
        2`pack .
        6`package ifneeded 
        4`proc ::
        4`bind 
        3`global 
        3`upvar 
        3`uplevel 
        4`ttk::
        4`if {$
        3``[list 
        4`proc `{
        4``$w
        3`tk `
        3`} else {
        application/x-awk
        5`BEGIN {
        5`END {
        4`BEGIN {`FS
        3`print $
        3``$1`
        3`/`/ {
        4`{ print `
        3`printf "
        3`function `{
        2`for (i `
        3`split($
        3``NF
        3=next
        3`NR`==
        text/x-vim
        5`set nocompatible
        4`let g:
        4`nnoremap `
        4`autocmd `
        4`augroup `
        4=endif
        4`function! `
        4=endfunction
        3`call `
        3`let s:
        3`let b:
        3`" 
        3`syntax `
        4`syn match
        4`syn keyword
        3`hi def link
        4`if exists("
        2=finish
        3`setlocal `
        2`set `
        2`let `
        application/vnd.coffeescript
        4`` = (`->
        3`` ->
        4`class ` extends `
        2`module.exports`=`
        4`` = require '
        2`if ` then `
        3`unless `
        2`return `
        4`console.log "
        4`constructor: `->
        4``: ->
        3``: (`) ->
        4``: (`) =>
        4`` isnt 
        2``?.
        3`super
        4`for own 
        3`@`: 

        text/x-crystal < application/x-ruby
        5`require "./
        4`def `(` : 
        4`def ` : 
        4`property ` : 
        4`getter ` : 
        4`private getter 
        4`abstract def 
        4`@[
        4`fun `) : 
        4`record ` : 
        4`lib Lib
        3``) : 
        3`` : String
        3`` : Int
        2`macro 
        1`struct 
        """#
}
