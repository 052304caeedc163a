extension SourceMarks {
    /// Languages of programs that build others.
    static let builds: StaticString = #"""
        text/x-makefile
        5`.PHONY:
        4`.PHONY `
        4`all:
        3`clean:
        3`install:
        3`$(CC)
        3`CFLAGS
        4`CC = 
        3`LDFLAGS
        4`include $(
        4`ifeq (
        4`ifneq (
        4`ifdef `
        3`endif
        3``:= 
        3``?= 
        3``$(
        3`@echo `
        3`%.o:
        3``: `.o
        3`rm -f `$(
        2`$(`
        2``+= 
        3`export `:=
        3`.SUFFIXES:
        3`test:
        3`include 
        4`-include 
        3`ifeq 
        3`ifneq 
        4``: $(
        4``$(srcdir)
        3`$(MAKE)
        4`` = $(
        3`@if 
        4`endef
        4`define 
        3`-rm 
        text/x-cmake
        6`cmake_minimum_required(
        5`project(
        5`add_executable(
        5`add_library(
        5`target_link_libraries(
        5`find_package(
        4`set(``)
        4`if(``)
        4`endif(
        4`include(``)
        4`message(STATUS
        3`message(
        4`install(
        4`add_subdirectory(
        4`option(
        4`target_
        4`function(
        4`endfunction(
        4`macro(
        4`list(APPEND
        4`foreach(
        4`string(
        3=else()
        4`set_target_properties(
        4`set_property(
        5`cmake_policy(
        3`set(
        3`if(
        4`SET(
        4`IF(
        4`ENDIF(
        4`configure_file(
        4`add_custom_
        text/x-dockerfile
        4`FROM `
        4`RUN `
        3`COPY `
        3`ADD `
        4`WORKDIR `
        4`ENTRYPOINT `
        3`CMD `
        3`CMD [
        4`EXPOSE `
        3`ENV `
        3`ARG `
        3`LABEL `
        3`USER `
        3`VOLUME `
        3`RUN apt-get `
        application/x-m4
        9`AC_DEFUN(
        9`AU_DEFUN(
        9`AC_DEFUN_ONCE(
        4`m4_
        4`dnl `
        2=dnl
        3`AC_`(
        3`AM_`(
        4``AC_REQUIRE(
        2`AS_`(
        3`define(`
        2`])
        application/x-csh
        4`setenv `
        4`if (``) then
        3`foreach `(
        2=endif
        2`set path
        3`alias ` '
        2=else
        3`unset `
        3`unalias `

        """#
}
