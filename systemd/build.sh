#!/bin/sh
# Builds the programs as they are delivered: static but for the C and C++ libraries, and with nothing in them of the
# folder that they were built in. install.sh and .ci/run both build by this file, so that what is tested is what is
# installed.
#
#     build.sh build SCRATCH [OPTION…]   builds below SCRATCH; the options go to "swift build"
#     build.sh strip PROGRAM COPY        makes the copy that is installed
set -eu

checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

# -gnone: the program keeps its symbols until it is stripped, and has no debug information that names source files.
# The prefix maps replace the checkout's path, which #file and the compiler's own messages would carry.
#
# What follows keeps the programs small; each saving was measured on inboxd, stripped, with the others in force.
# --no-export-dynamic (-0.5 MB): the toolchain exports every symbol of a static program, as plug-ins would need them, and
# the linker can then drop nothing. -function-sections (-0.7 MB): it drops single functions, not whole files.
# -internalize-at-link (-0.17 MB of inboxd, -0.7 MB of inboxctl): nobody but the program itself calls its public functions,
# so that they need not be kept where they are unused.
# pack-relative-relocs (-1.0 MB): relocations as a bit map, which needs glibc 2.36 (Debian 12) and the toolchain's lld.
# --icf=all (-0.4 MB): functions with the same instructions become one. Swift has no way to tell functions apart by their
# address, and nothing in the C and C++ code that is linked in compares them.
# .eh_frame is left out (-1.6 MB): tables for unwinding the stack, which C++ exceptions and pthread_cancel(3) need. The
# programs have neither, and debuggers follow the frame pointers, which Swift keeps.
# -enforce-exclusivity=unchecked: the tests, which are debug builds, look for overlapping accesses. Here each access to a
# property of a class would ask for them, which took 9,400 of 142,000 instructions a document.
# _swift_stdlib_getScalarName (-0.55 MB): the names of all Unicode scalars, which the standard library keeps for what no program
# here asks for; a function that knows none takes its place.
# swift5_backtrace takes no room in the file (-0.06 MB): it is zeros, which the runtime fills where backtraces are asked for.
#
# What follows makes every start shorter. --disable-local-rpath: the loader would search each library in the program's
# own folder first, which costs 17 calls and runs what somebody puts there. The C++ library and the compiler's own one
# are linked in (+0.1 MB): Swift's runtime needs some 30 functions of them, and relocating the whole shared C++ library took
# 1.7 of the 2.8 million instructions of "inboxctl --version". The linker takes a library from the first folder that has
# it: here one that holds nothing but the static one. Where there is no static one, the shared one is linked.
#
# inbox-bench is built, and with it the programs that it measures: without a product, what the tests have in common would
# be optimized too.
#
# What depends on the folder of the build is left out by the linker: the hashes of the modules contain the compiler's
# options, and with them the paths that the prefix maps replace; the identifier of the build is a hash of everything.
# strip(1) of binutils 2.40 can remove these sections too, but then loses the program header GNU_RELRO, and the tables
# of addresses stay writable while the program runs.
build() {
    scratch=$1
    shift
    libraries=$scratch/static-libraries
    mkdir -p "$libraries"
    libraries=$(CDPATH='' cd -- "$libraries" && pwd -P)
    static=
    if command -v clang >/dev/null; then static=$(clang -print-file-name=libstdc++.a); fi
    if [ -f "$static" ]; then
        ln -sf "$static" "$libraries/libstdc++.a"
        set -- -Xlinker "-L$libraries" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc "$@"
    fi
    exec swift build -c release --product inbox-bench --static-swift-stdlib \
        --package-path "$checkout" --scratch-path "$scratch" --disable-local-rpath -Xswiftc -gnone \
        -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -file-prefix-map -Xswiftc "$checkout=." -Xcc "-ffile-prefix-map=$checkout=." \
        -Xswiftc -Xfrontend -Xswiftc -function-sections \
        -Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic \
        -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
        -Xlinker --defsym=_swift_stdlib_getScalarName=inbox_scalar_name \
        -Xlinker --build-id=none -Xlinker -T -Xlinker "$checkout/systemd/discarded-sections.ld" "$@"
}

strip_program() {
    strip --remove-section=.comment -o "$2" "$1"
}

case ${1-} in
build) shift && build "$@" ;;
strip) shift && strip_program "$@" ;;
*)
    echo "build.sh: build SCRATCH [OPTION…], or strip PROGRAM COPY" >&2
    exit 64
    ;;
esac
