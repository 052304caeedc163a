extension SourceMarks {
    /// Older languages, those of machines, and texts with a form of their own.
    static let others: StaticString = #"""
        text/x-fortran
        4`program `
        4`PROGRAM `
        4`SUBROUTINE `
        4`subroutine `
        5=implicit none
        5=IMPLICIT NONE
        4`integer `:: `
        4`real`:: `
        4=end do
        4=end if
        4=ENDIF
        4`end program
        4`end subroutine
        4=END
        3`CALL `
        3`call `
        3`use `
        3`do `=
        3`DO `
        4`write(*,
        4`WRITE(
        4`print *,
        4`INTEGER `
        4`REAL `
        4`CHARACTER*
        4`DIMENSION `
        3`IF (` THEN
        3`if (` then
        3=RETURN
        4=contains
        4`intent(
        4``intent(
        text/x-pascal
        4`program ``;
        5`unit ``;
        4=interface
        4=implementation
        4=uses
        4`uses ``;
        4`procedure ``;
        4`function `: `;
        4`procedure `
        3=begin
        3=end;
        3=end.
        4=var
        3=type
        4`` := `;
        4`writeln(
        4`WriteLn(
        3``: integer;
        3``: string;
        4`` = class
        3`for `:=` do
        3`if `` then
        3=const
        3`{$
        text/x-adasrc
        5`with Ada.
        2`with ``;
        1`use ``;
        5`package ` is
        5`package body `
        5`procedure ` is
        4`function ` return `
        4=begin
        3`end ``;
        3`` : `;
        3`` := `;
        4`end if;
        4`end loop;
        4`Put_Line
        4`for ` in ` loop
        3=is
        3`type ` is `
        4`elsif ` then
        3=private
        text/x-vhdl
        6`library ieee;
        6`library IEEE;
        6`use ieee.
        6`use IEEE.
        5`entity ` is
        5`architecture ` of
        4`port (
        4`port(
        4`end ``;
        4`signal `: `;
        4`process(
        4`process (
        4``: in std_logic
        4``std_logic
        4`` <= `;
        4=begin
        3`end process;
        3`end if;
        text/x-verilog
        5`module `(
        5`module ``;
        4`input `
        4`output `
        5=endmodule
        5`always @
        4`assign `=`;
        4`reg `
        4`wire `
        4``<= `;
        4``timescale `
        3=begin
        2=end
        4`initial begin
        4`parameter `
        4`posedge `
        4``posedge `
        text/x-asm
        4`.globl `
        4`.global `
        4`.text
        4`.data
        4`.section `
        4`section .
        4`global `
        4`mov `,`
        4`movq `
        4`movl `
        4`push `
        4`pushq `
        4`pop `
        3=ret
        3`call `
        3`jmp `
        3`int 0x
        3`add `,`
        3`xor `,`
        3=syscall
        3`cmp `,`
        3`lea `,`
        3`.align `
        3`.type `
        3`.long `
        3`.byte `
        3`db `
        4`bits `
        3`org `
        3`_start:
        3`ldr `
        3`bl `
        3`.size `
        text/x-vb
        5`Option Explicit
        5`Attribute VB_
        5`Imports System
        5`Public Sub `
        5`Private Sub `
        5`Sub `()
        5=End Sub
        5=End Function
        4=End If
        4`Dim ` As `
        3`Dim `
        4`Function `
        4`Public Class `
        4=End Class
        4`Public Function `
        4`Private Function `
        4`Set ` = 
        3`If `` Then
        3`For Each `
        3=Next
        3`ElseIf `
        3`MsgBox `
        4`Const `
        4`Module `
        4=End Module
        3`Console.WriteLine
        4`WScript.
        text/x-matlab
        5`function ` = `)
        4=clear all
        4=clc
        4=close all
        2=end
        4=figure;
        4=figure
        4`plot(``;
        3`for `:
        4`fprintf('
        4`disp('
        4`zeros(
        4`` = zeros(`;
        4`` = [`];
        4`xlabel('
        4=hold on
        3``(:,
        3``.*
        3`if ``~=
        application/sql
        5`CREATE TABLE `
        5`create table `(
        5`create table `
        5`INSERT INTO `
        5`insert into ``;
        5`insert into `
        4`SELECT `
        4`select `
        4`FROM `
        4`from `
        4`WHERE `
        4`where `
        4`DROP TABLE `
        4`drop table `
        4`ALTER TABLE `
        4`UPDATE ` SET `
        4`PRIMARY KEY
        4``PRIMARY KEY
        4`CREATE INDEX `
        4`CREATE VIEW `
        4`ORDER BY `
        4`GROUP BY `
        4`BEGIN;
        4`COMMIT;
        3``VARCHAR(
        3``NOT NULL
        3``INTEGER
        4`LEFT JOIN `
        4`JOIN `
        4`VALUES
        4`DELETE FROM `
        3`END;
        4`USE ``;
        4`DECLARE `
        4`\echo Use 
        5`CREATE FUNCTION 
        5`CREATE OR REPLACE 
        4`RETURNS 
        4`LANGUAGE 
        5`ALTER EXTENSION 
        4`CREATE TYPE 
        4`COMMENT ON 
        3`GRANT 
        4`CREATE OPERATOR 
        3`SET `;
        4`select ` from 
        5`CREATE PROCEDURE 
        4`ALTER FUNCTION 
        4`ALTER 
        3`DROP 
        3`CREATE 
        4`AS 'MODULE_PATHNAME'
        3`LANGUAGE
        4`INSERT 
        3`select 
        text/x-tex
        5`\usepackage
        4`\begin{
        4`\end{
        4`\section
        6`\documentclass
        4`\subsection
        4`\chapter
        4`\newcommand
        4`\title{
        4`\author{
        3`\item
        4`\def\
        4`\maketitle
        4`\input
        1`\
        2`% 
        3``\cite{
        3``\ref{
        text/x-bibtex
        5`@article{
        5`@book{
        5`@inproceedings{
        5`@misc{
        5`@techreport{
        5`@phdthesis{
        4`author`=`,
        4`title`=`,
        4`year`=`
        4`journal`=`,
        3`publisher`=`,
        3`pages`=`,
        text/troff
        6`.TH `
        6`.SH `
        4`.PP
        4`.TP
        4`.B `
        4`.I `
        4`.BR `
        4`.IP
        4`.\"
        4`.Dd `
        4`.Dt `
        4`.Sh `
        4`.Nm`
        4`.Nd `
        4`.de `
        4`.ds `

        """#
}
