# Sourced by install.sh: makes a Debian package of the staged tree.
# shellcheck shell=sh disable=SC2154

# A file of the package's control information.
control() { cat >"$tree/DEBIAN/$1" && chmod "${2:-644}" "$tree/DEBIAN/$1"; }

# What the programs need, by the symbols that they use.
dependencies() {
    mkdir -p "$work/shlibs/debian"
    printf 'Source: inboxd\n\nPackage: inboxd\nArchitecture: any\n' >"$work/shlibs/debian/control"
    (cd "$work/shlibs" && dpkg-shlibdeps -O "$tree$prefix"/bin/* 2>"$work/shlibs.log") |
        sed -n 's/^shlibs:Depends=//p' >"$work/needed"
    # Relative relocations in a bit map are no symbol, so that dpkg-shlibdeps does not see that the loader has to know
    # them, as it does since 2.36.
    libc=$(sed -n 's/.*libc6 (>= \([^)]*\)).*/\1/p' "$work/needed")
    if [ -n "$libc" ] && dpkg --compare-versions "$libc" lt 2.36 &&
        readelf -dW "$tree$prefix"/bin/* | grep '(RELR)' >/dev/null; then
        sed -i 's/libc6 (>= [^)]*)/libc6 (>= 2.36)/' "$work/needed"
    fi
    cat "$work/needed"
}

# A path as a shell takes it.
quoted() {
    case $1 in
    *[!A-Za-z0-9/._+~:@%-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf %s "$1" ;;
    esac
}

documentation() {
    folder=$tree/usr/share/doc/inboxd
    mkdir -p "$folder"
    cat >"$folder/copyright" <<'END'
Copyright 2026 The authors of inboxd, whom the history of its source names.

No licence has been chosen for inboxd itself yet: whoever publishes this package has to name one here.

The programs contain the Swift runtime, the Swift Foundation library (FoundationEssentials) and swift-collections, which
are copyright Apple Inc. and the Swift project authors, and licensed under the Apache License 2.0 with the Runtime
Library Exception. On Debian systems the text of the Apache License is in /usr/share/common-licenses/Apache-2.0.

They contain parts of libstdc++ and libgcc, which are copyright the Free Software Foundation, and licensed under the GNU
General Public License, version 3 or later, with the GCC Runtime Library Exception, version 3.1. On Debian systems the
text of that License is in /usr/share/common-licenses/GPL-3.
END
    gzip -9n >"$folder/changelog.gz" <<END
inboxd ($version) unstable; urgency=medium

  * Built from the source by systemd/install.sh --deb.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
END
    find "$tree/usr/share/man" -name '*.[1-8]' -exec gzip -9n {} +
    find "$folder" -type f -exec chmod 644 {} +
}

# The parts below follow what debhelper generates for a unit that is enabled and started at the installation, and
# restarted at an upgrade, and for a socket that is neither. The links of instances debhelper knows nothing of.
maintainer_scripts() {
    control preinst 755 <<'END'
#!/bin/sh
set -e
# Units in these folders win over the package's, and so would their program.
for unit in /etc/systemd/system/inboxd.service /usr/local/lib/systemd/system/inboxd.service; do
    if [ "$1" = install ] && [ -e "$unit" ]; then
        echo "inboxd: $unit is in force, not this package's unit: remove the other installation" >&2
        echo "inboxd: (systemd/install.sh --uninstall), then: systemctl enable --now inboxd" >&2
    fi
done
END
    control postinst 755 <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ] || [ "$1" = abort-upgrade ] || [ "$1" = abort-remove ]; then
    systemd-sysusers inboxd.conf
    systemd-tmpfiles --create inboxd.conf || true
    deb-systemd-helper unmask inboxd.service >/dev/null || true
    if deb-systemd-helper --quiet was-enabled inboxd.service; then
        deb-systemd-helper enable inboxd.service >/dev/null || true
    else
        deb-systemd-helper update-state inboxd.service >/dev/null || true
    fi
    if deb-systemd-helper debian-installed inboxd.socket; then
        deb-systemd-helper unmask inboxd.socket >/dev/null || true
        if deb-systemd-helper --quiet was-enabled inboxd.socket; then
            deb-systemd-helper enable inboxd.socket >/dev/null || true
        fi
    fi
    deb-systemd-helper update-state inboxd.socket >/dev/null || true
    if [ -d /run/systemd/system ]; then
        systemctl --system daemon-reload >/dev/null || true
        if [ -n "$2" ]; then
            instances=$(systemctl list-units --plain --no-legend 'inboxd@*.service' | sed 's/ .*//')
            deb-systemd-invoke restart inboxd.service $instances >/dev/null || true
        else
            deb-systemd-invoke start inboxd.service >/dev/null || true
        fi
    fi
fi
END
    control prerm 755 <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    instances=$(systemctl list-units --plain --no-legend 'inboxd@*.service' | sed 's/ .*//')
    deb-systemd-invoke stop inboxd.socket inboxd.service $instances >/dev/null || true
fi
END
    # The documents are never removed, nor the user, who may own some of them.
    control postrm 755 <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ]; then
    if command -v deb-systemd-helper >/dev/null; then
        deb-systemd-helper mask inboxd.service inboxd.socket >/dev/null || true
    fi
fi
if [ "$1" = purge ]; then
    if command -v deb-systemd-helper >/dev/null; then
        deb-systemd-helper purge inboxd.service inboxd.socket >/dev/null || true
        deb-systemd-helper unmask inboxd.service inboxd.socket >/dev/null || true
    fi
    # What systemctl has made since: enabled instances, and the wants of other mounts.
    for link in /etc/systemd/system/*.wants/inboxd.service /etc/systemd/system/*.wants/inboxd.socket \
        /etc/systemd/system/*.wants/inboxd@*.service; do
        if [ -L "$link" ]; then rm "$link" && rmdir --ignore-fail-on-non-empty "${link%/*}"; fi
    done
    rm -rf /var/lib/inboxd /var/lib/inboxd-* /run/inboxd /run/inboxd-*
    if [ -d /etc/inboxd ]; then rmdir --ignore-fail-on-non-empty /etc/inboxd; fi
fi
if [ -d /run/systemd/system ]; then systemctl --system daemon-reload >/dev/null || true; fi
END
}

make_package() {
    if [ -n "$dry" ] && [ ! -e "$programs/inboxd" ]; then
        version=VERSION
    else
        version=$("$programs/inboxd" --version | sed -n 's/^inboxd \([0-9][0-9A-Za-z.+~]*\)$/\1/p')
    fi
    [ -n "$version" ] || complain "$programs/inboxd does not say its version"
    architecture=$(dpkg --print-architecture)
    : "${package:=.}"
    [ ! -d "$package" ] || package=${package%/}/inboxd_${version}_$architecture.deb
    maintainer="${DEBFULLNAME:-The maintainers of inboxd} <${DEBEMAIL:-maintainers@inboxd.invalid}>"
    # The same source gives the same package.
    : "${SOURCE_DATE_EPOCH:=$(git -C "$checkout" log -1 --format=%ct 2>/dev/null || date +%s)}"
    export SOURCE_DATE_EPOCH
    if [ -n "$dry" ]; then
        say "would make $package of:"
        staged_files
        return
    fi
    mkdir -p "$tree/DEBIAN" "$tree$configuration"
    mv "$tree$prefix/share/inboxd/inboxd.conf" "$tree$configuration/inboxd.conf"
    rmdir "$tree$prefix/share/inboxd"
    # Where this Debian's units are: /usr/lib once /lib is a link for good.
    folder=$(systemd-path systemd-system-unit 2>/dev/null || echo "$units")
    if [ "$folder" != "$units" ]; then
        mkdir -p "$tree$folder"
        mv "$tree$units"/* "$tree$folder"
        rmdir "$tree$units"
    fi
    documentation
    needed=$(dependencies)
    [ -n "$needed" ] || complain "dpkg-shlibdeps: $(tail -n 1 "$work/shlibs.log")"
    maintainer_scripts
    printf '%s\n' "$configuration/inboxd.conf" | control conffiles
    control control <<END
Package: inboxd
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s "$tree/usr" | cut -f 1)
Depends: $needed, systemd, init-system-helpers (>= 1.62~)
Section: utils
Priority: optional
Description: keeps the Inbox of a Documents folder empty
 Whatever is dropped into the Inbox, by a scanner, a browser, scp, Samba or a
 phone, is waited for until it is complete, identified by its content, and
 moved into Documents under a free name. Nothing is ever overwritten, and each
 arrival is accounted for.
END
    (cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) |
        control md5sums
    find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z1 --build "$tree" "$package" >/dev/null
    say "made $package; install it with: apt install $(quoted "$(realpath "$package")")"
}
