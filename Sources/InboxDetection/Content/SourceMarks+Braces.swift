extension SourceMarks {
    /// Languages with braces.
    static let braces: StaticString = #"""
        text/x-csrc
        4`#include <``.h>
        4`#include "``.h"
        2`#include <
        2`#define `
        2`#ifdef `
        2`#ifndef `
        2`#endif
        1`#if `
        3`typedef struct
        2`typedef `
        2`static int `
        2`static void `
        2`static const char
        2`struct ``{
        2`struct ``;
        2`extern ``;
        4`int main(
        2`printf(
        3``printf(`);
        2``malloc(
        2``->`;
        1`unsigned `
        1`char *
        1`const char *
        1`return ``;
        1`break;
        2`}`` while (
        2`int ``);
        2`void ``);
        text/x-c++src < text/x-csrc
        6`#include <iostream>
        4`#include <string>
        4`#include <vector>
        5`#include <memory>
        4`#include <map>
        4`#include <algorithm>
        5`using namespace ``;
        4`namespace ``{
        4`template <
        4`template<
        4``std::
        3`public:
        3`private:
        3`protected:
        2`class ``{
        2`class `: public `
        3``::`) {
        3`virtual `
        3`explicit `
        3``static_cast<
        3``nullptr
        2`const auto
        2`auto ` = 
        2`constexpr `
        2``cout <<
        text/x-objcsrc < text/x-csrc
        5`#import <
        5`#import "
        5`@interface `
        5`@implementation `
        4`@property `
        4`@protocol `
        4`@synthesize `
        3`@end
        3`- (`)
        3`+ (`)
        4`NSString *
        3`[self `
        3``[[`alloc]
        3``@"
        2`@class `
        text/x-java
        5`import java.``;
        5`import javax.``;
        4`import org.``;
        4`import com.``;
        4`import android``;
        2`package ``;
        4`public class ``{
        4`public final class ``{
        4`public abstract class ``
        4`public interface ``{
        4`public enum ``{
        5`public static void main(
        5`@Override
        3`private final ``;
        3`private static final `
        3`public static final `
        2`private ``;
        2`public ``) {
        2`protected ``) {
        3``System.out.
        3``throws `{
        2``new `();
        1`return ``;
        1`/**
        2`final ``;
        2`* @param
        2`* @return
        2`try {
        2`} catch (
        5`import static ``;
        5`requires ``;
        5`exports ``;
        5`@Test
        4`class ` extends `{
        text/x-csharp
        6`using System`;
        5`using Microsoft.``;
        3`using ``;
        4`namespace `
        3`namespace ``;
        4`public class `
        3`internal `
        3`public override `
        3`public partial class `
        4`public async Task
        3`private readonly `
        4``{ get; 
        5``{ get; set; }
        5``{ get; }
        4`[assembly:
        3`/// <summary>
        3`Console.Write
        2`foreach (var `
        2`var ``;
        3`#region
        2`public ``)
        3`static void Main(
        3`public static ``(string[] args)
        3`public record `
        application/javascript
        3`const ` = `;
        2`const ` = 
        3`const ` = require(
        3`var ` = require(
        3`let ` = `;
        2`let ` = 
        2`var ` = `;
        2`var ` = 
        3`function `(`{
        3`function(
        3`async function `
        3`export default `
        3`export const `
        3`export function `
        3`export {
        4`import ` from '
        4`import ` from "
        5`module.exports
        5`'use strict'
        5`"use strict"
        4`exports.` = 
        4`console.log(
        3`console.
        4`document.
        4`window.
        3`$(
        3`return function
        3``=> {
        3``=> `;
        2``=== 
        3``!== 
        3`});
        2`})
        2`this.` = 
        3`(function
        2`if (``) {
        1`return ``;
        2`await `
        2`} else {
        2`class ` extends `{
        text/x-typescript < application/javascript
        5`export interface ``{
        5`export type ` = 
        4`interface ``{
        5`import type `
        5`export enum `
        4`type ` = `
        4`: string
        4``: string
        4``: number
        4``: boolean
        3``: void
        4`private `: `
        4`public `: `
        4`readonly `: `
        4`private readonly `
        3``<string
        4`declare `
        3`export abstract class
        3`export class
        4``: Promise<
        3`enum ``{
        3``?: `
        4`} as const
        3``: any
        3`@Component(
        3`@Injectable(
        text/x-go
        4`package main
        3`package `
        4`import (
        3`import "``"
        4`func `(`{
        5`func (`) `
        4``:= 
        3`if err != nil {
        4`return nil, 
        4`defer `
        3`go func
        3`type ` struct `{
        3`type ` interface `{
        3`type ` struct {
        2`fmt.
        3``fmt.
        2`var ` = 
        3`case <-
        1`return `
        2`for _, `

        """#
}
