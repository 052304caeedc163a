#!/bin/sh
# Installs inboxd: programs, units, configuration, man pages, message catalog. "install.sh --help" shows the options.
# POSIX sh. Everything is first put together in a temporary tree; installing, removing and packaging use that one tree.
set -eu
# Before the first file is made: what is installed, or put into a package, is for everybody to read.
umask 022

usage() {
    cat <<'END'
Usage: systemd/install.sh [OPTION…]
Installs inboxd as a system service, or for yourself with --user. Running it again upgrades, or changes nothing.

  --user           install below ~/.local, with a service of your own; needs no root
  --prefix DIR     install below DIR instead of /usr/local (with --user: ~/.local)
  --programs DIR   take inboxd and inboxctl from DIR instead of building them
  --uninstall      stop the service and remove what was installed; configuration, history and documents stay
  --dry-run        print what would be done, and do nothing
  --deb [FILE]     make a Debian package from the same files instead of installing them; FILE may be a folder for it
  --help           print this text

With DESTDIR in the environment the files are put below that folder, and no service is touched.
END
}

complain() {
    printf 'install.sh: %s\n' "$*" >&2
    exit "${status:-1}"
}
wrong_usage() { status=64 complain "$* (try --help)"; }
say() { printf '%s\n' "$*"; }

# Its own name may be a link.
checkout=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
scope=system action=install prefix='' programs='' dry='' package=''
DESTDIR=${DESTDIR-}

# What is done: one thing only.
act() {
    [ "$action" = install ] || [ "$action" = "$1" ] || wrong_usage "--deb and --uninstall cannot both be done"
    action=$1
}

while [ $# -gt 0 ]; do
    case $1 in
    --user) scope=user ;;
    --prefix= | --programs=) wrong_usage "${1%=} needs a folder" ;;
    --prefix=*) prefix=${1#*=} ;;
    --programs=*) programs=${1#*=} ;;
    --prefix | --programs)
        [ -n "${2-}" ] || wrong_usage "$1 needs a folder"
        if [ "$1" = --prefix ]; then prefix=$2; else programs=$2; fi
        shift
        ;;
    --uninstall) act uninstall ;;
    --dry-run) dry=yes ;;
    --deb) act deb ;;
    --deb=*) act deb && package=${1#*=} ;;
    --help | -h)
        usage
        exit 0
        ;;
    -*) wrong_usage "unknown option $1" ;;
    *)
        if [ "$action" = deb ] && [ -z "$package" ]; then package=$1; else wrong_usage "unexpected argument $1"; fi
        ;;
    esac
    shift
done

# --- Where everything goes

[ "$action" != deb ] || { [ "$scope" = system ] && [ -z "$prefix$DESTDIR" ]; } ||
    wrong_usage "--deb goes with neither --user nor --prefix nor DESTDIR"
if [ "$scope" = user ]; then
    [ -n "${HOME-}" ] || complain "HOME is not set"
    : "${prefix:=$HOME/.local}"
    configuration=${XDG_CONFIG_HOME:-$HOME/.config}/inboxd
    units=${XDG_DATA_HOME:-$HOME/.local/share}/systemd/user
    systemctl='systemctl --user'
else
    if [ "$action" = deb ]; then prefix=/usr; else : "${prefix:=/usr/local}"; fi
    configuration=/etc/inboxd
    systemctl=systemctl
    # Elsewhere systemd does not look for files of packages.
    case ${prefix%/} in
    /usr | /usr/local) units=${prefix%/}/lib/systemd/system library=${prefix%/}/lib ;;
    *) units=/etc/systemd/system library=/etc ;;
    esac
fi
case $prefix in
/*) prefix=${prefix%/} ;;
*) wrong_usage "--prefix needs an absolute path" ;;
esac
# What would have to be quoted in a unit is refused rather than quoted in three languages.
case $prefix$units in
*[!A-Za-z0-9/._-]*) complain "cannot install below $prefix: its path has a character that units would need quoted" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/tree

# --- What is needed: said before minutes are spent on a build

need_root() {
    [ "$scope" = user ] || [ -n "$DESTDIR$dry" ] || [ "$(id -u)" = 0 ] ||
        complain "a system service can be installed by root only: use sudo, or --user for yourself"
}

# need PACKAGE PROGRAM…
need_programs() {
    from=$1
    shift
    for program in "$@"; do
        command -v "$program" >/dev/null || complain "$program is missing: it is part of $from (apt-get install $from)"
    done
}

check_needs() {
    [ "$action" = deb ] || need_root
    [ -z "$dry" ] || return 0
    [ "$action" = uninstall ] || need_programs binutils strip
    [ "$action" != deb ] || need_programs dpkg-dev dpkg-deb dpkg-shlibdeps readelf gzip
    # Whatever it leads to is somebody's own arrangement.
    file=$DESTDIR$configuration/inboxd.conf
    [ "$action" != install ] || [ ! -L "$file" ] || [ -e "$file" ] ||
        complain "$file is a link to $(readlink "$file"), where there is nothing: mend or remove the link"
}

# --- The programs

# As root through sudo, the toolchain is the person's own, and so is the build folder.
as_builder() {
    if [ -n "$dry" ]; then
        say "would run: $*"
    elif [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER-}" ] && [ "$SUDO_USER" != root ] && command -v sudo >/dev/null; then
        sudo -u "$SUDO_USER" -i -- "$@" >&2
    else
        "$@" >&2
    fi
}

build() {
    for product in inboxd inboxctl; do
        as_builder "$checkout/systemd/build.sh" build "$checkout/.build/install" --product "$product" ||
            complain "the build failed: it needs a Swift 6.3 toolchain, see README.md"
    done
}

find_programs() {
    [ -z "$programs" ] || return 0
    programs=$checkout/.build/install/release
    build
}

stage_program() {
    mkdir -p "$tree$prefix/bin"
    if [ "$action" = uninstall ] || { [ -n "$dry" ] && [ ! -e "$programs/$1" ]; }; then
        : >"$tree$prefix/bin/$1"
    else
        [ -f "$programs/$1" ] || complain "there is no program $programs/$1"
        "$checkout/systemd/build.sh" strip "$programs/$1" "$tree$prefix/bin/$1" ||
            complain "cannot strip $programs/$1"
    fi
    chmod 755 "$tree$prefix/bin/$1"
}

# --- The tree

# stage SOURCE DESTINATION: with the paths of the programs as they will be.
stage() {
    mkdir -p "$(dirname "$tree$2")"
    sed -e "s|/usr/local/bin/|$prefix/bin/|g" -e "s|%h/.local/bin/|$prefix/bin/|g" \
        -e "s|/usr/local/share/|$prefix/share/|g" "$checkout/$1" >"$tree$2"
    chmod 644 "$tree$2"
}

# What the program itself prints; nothing where it cannot.
stage_completions() {
    while read -r shell file; do
        mkdir -p "$(dirname "$tree$file")"
        if [ "$action" = uninstall ] || { [ -n "$dry" ] && [ ! -e "$programs/inboxctl" ]; }; then
            : >"$tree$file"
        elif [ -x "$programs/inboxctl" ] && "$programs/inboxctl" completions "$shell" >"$tree$file" 2>/dev/null; then
            chmod 644 "$tree$file"
        else
            rm -f "$tree$file"
        fi
    done <<END
bash $prefix/share/bash-completion/completions/inboxctl
bash $prefix/share/bash-completion/completions/inboxd
zsh $prefix/share/zsh/site-functions/_inboxctl
fish $prefix/share/fish/vendor_completions.d/inboxctl.fish
fish $prefix/share/fish/vendor_completions.d/inboxd.fish
END
}

# The configuration of the system service has its own folder and socket mode; a person's is all comments.
stage_configuration() {
    stage config/inboxd.conf "$1"
    [ "$scope" = system ] || return 0
    sed -i -e 's|^#Documents=.*|Documents=/srv/documents|' -e 's|^#SocketMode=.*|SocketMode=0660|' "$tree$1"
    [ "$(grep -cE '^(Documents|SocketMode)=' "$tree$1")" = 2 ] || complain "config/inboxd.conf lacks an expected line"
}

# What systemd knows from this version on; nothing where it is older or not there.
systemd_version() { systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p'; }

# Since 253 systemd sends the signal itself and waits for the end of the reload; since 254 it can wait longer and longer
# between starts that fail.
stage_new_settings() {
    version=$(systemd_version)
    [ "$action" = uninstall ] && version=999
    [ "${version:-0}" -ge 253 ] && [ "$action" != deb ] || return 0
    for unit in "$tree$units"/inboxd*.service; do
        file=$unit.d/10-newer-systemd.conf
        mkdir -p "$unit.d"
        {
            echo "# Written by install.sh for systemd $version."
            echo '[Service]'
            echo 'Type=notify-reload'
            echo 'ExecReload='
            sed -n 's|^\(ExecReload=.*inboxd.*--check\)$|\1|p' "$unit"
            [ "$version" -lt 254 ] || printf 'RestartSteps=6\nRestartMaxDelaySec=1min\n'
        } >"$file"
        chmod 644 "$file"
    done
}

# A person's service is confined by a user namespace, which some kernels and AppArmor deny.
stage_without_namespaces() {
    [ "$scope" = user ] || return 0
    [ "$action" = uninstall ] || ! unshare --user --map-root-user --mount true 2>/dev/null || return 0
    file=$tree$units/inboxd.service.d/10-no-namespaces.conf
    mkdir -p "$(dirname "$file")"
    {
        echo '# Written by install.sh: user namespaces are denied here.'
        echo '[Service]'
        sed -n '/^PrivateUsers=/,/^DevicePolicy=/s/^\([A-Z][A-Za-z]*\)=.*/\1=no/p' \
            "$checkout/systemd/user/inboxd.service" |
            sed -e 's/^CapabilityBoundingSet=no/CapabilityBoundingSet=~/' -e 's/^ProtectProc=no/ProtectProc=default/' \
                -e 's/^DevicePolicy=no/DevicePolicy=auto/'
    } >"$file"
    chmod 644 "$file"
}

stage_all() {
    mkdir -p "$tree"
    [ "$action" = uninstall ] || find_programs
    stage_program inboxd
    stage_program inboxctl
    stage Sources/inboxctl/inboxctl.1 "$prefix/share/man/man1/inboxctl.1"
    stage Sources/inboxd/inboxd.conf.5 "$prefix/share/man/man5/inboxd.conf.5"
    stage Sources/InboxVarlink/io.inboxd.Inbox.7 "$prefix/share/man/man7/io.inboxd.Inbox.7"
    stage Sources/inboxd/inboxd.8 "$prefix/share/man/man8/inboxd.8"
    stage_completions
    if [ "$scope" = user ]; then
        for unit in inboxd.service inboxd.socket; do stage "systemd/user/$unit" "$units/$unit"; done
    else
        for unit in inboxd.service inboxd@.service inboxd.socket; do stage "systemd/$unit" "$units/$unit"; done
        stage systemd/inboxd.sysusers "$library/sysusers.d/inboxd.conf"
        stage systemd/inboxd.tmpfiles "$library/tmpfiles.d/inboxd.conf"
        [ "$library" = /etc ] || stage systemd/inboxd.catalog "$library/systemd/catalog/inboxd.catalog"
    fi
    stage_configuration "$prefix/share/inboxd/inboxd.conf"
    for example in household.conf office.conf photos.conf virus-scan.conf transfer.conf letters.conf letters; do
        stage "config/examples/$example" "$prefix/share/doc/inboxd/examples/$example"
    done
    stage_new_settings
    stage_without_namespaces
}

# The files of the tree, as they will be called.
staged_files() { (cd "$tree" && find . -type f | sed 's|^\.||' | LC_ALL=C sort); }

# --- Installing

changed=''

# run COMMAND…: does it, or says that it would.
run() {
    if [ -n "$dry" ]; then say "would run: $*"; else "$@"; fi
}

# put FILE: makes the destination like the staged file, in one step, and leaves alone what is like it already.
put() {
    from=$tree$1 to=$DESTDIR$1
    if [ -f "$to" ] && [ ! -L "$to" ] && cmp -s "$from" "$to" && [ "$(stat -c %a "$from")" = "$(stat -c %a "$to")" ]
    then
        return 0
    fi
    changed=yes
    if [ -n "$dry" ]; then
        say "would install $to"
        return 0
    fi
    mkdir -p "$(dirname "$to")"
    # A running program's file cannot be written to, but its name can be given to another.
    cp -p "$from" "$to.inboxd-new"
    mv -f "$to.inboxd-new" "$to"
    say "installed $to"
}

# A configuration that someone has changed differs from the pristine one that was installed with it.
put_configuration() {
    pristine=$prefix/share/inboxd/inboxd.conf
    file=$DESTDIR$configuration/inboxd.conf
    if cmp -s "$file" "$tree$pristine"; then return 0; fi
    if [ -e "$file" ] && ! cmp -s "$file" "$DESTDIR$pristine"; then
        cmp -s "$tree$pristine" "$DESTDIR$pristine" || say "kept $file, which was changed; the new one is $pristine"
        return 0
    fi
    changed=yes
    if [ -n "$dry" ]; then
        say "would install $file"
    else
        mkdir -p "$(dirname "$file")"
        cp "$tree$pristine" "$file"
        chmod 644 "$file"
        say "installed $file"
    fi
}

# The drop-ins of a run before, which this system does not call for any more: an older systemd would take
# Type=notify-reload for "simple".
remove_former() {
    for folder in "$units"/inboxd.service.d "$units"/inboxd@.service.d; do
        for file in "$folder/10-newer-systemd.conf" "$folder/10-no-namespaces.conf"; do
            [ -e "$tree$file" ] || remove "$DESTDIR$file"
        done
    done
}

# Whether a manager runs that the service belongs to.
manages() {
    [ -z "$DESTDIR" ] && command -v systemctl >/dev/null && $systemctl show --property=Version >/dev/null 2>&1
}

# Whether the service or an instance runs a program whose file was replaced: an upgrade that ended in the middle did not
# restart it.
is_outdated() {
    for process in $($systemctl show --property=MainPID --value 'inboxd.service' 'inboxd@*.service'); do
        case $(readlink "/proc/$process/exe") in *' (deleted)') return 0 ;; esac
    done
    return 1
}

install_all() {
    put_configuration
    for file in $(staged_files); do put "$file"; done
    remove_former
    [ -n "$changed" ] || say "everything is installed already; nothing was changed"
    # Each time: the run before may have ended in the middle, and where all is done already these change nothing.
    if [ "$scope" = system ] && [ -z "$DESTDIR" ]; then
        run systemd-sysusers inboxd.conf
        run systemd-tmpfiles --create inboxd.conf
        [ "$library" = /etc ] || run journalctl --update-catalog
    fi
    if manages; then
        run $systemctl daemon-reload
        [ -z "$changed" ] && ! is_outdated || run $systemctl try-restart 'inboxd.service' 'inboxd@*.service'
    fi
    [ -n "$dry" ] || next_steps
}

next_steps() {
    [ -z "$DESTDIR" ] || return 0
    if [ "$scope" = user ]; then
        cat <<END

Next:
  systemctl --user enable --now inboxd   start it, now and at every login
  loginctl enable-linger                 start it at boot instead, and keep it running after you log out
  inboxctl status                        ask how things are
Settings are in $configuration/inboxd.conf; after a change: systemctl --user reload inboxd
END
        case :$PATH: in
        *":$prefix/bin:"*) ;;
        *) say "$prefix/bin is not in your PATH: log in again, or add it." ;;
        esac
    else
        cat <<END

Next:
  systemctl enable --now inboxd          start it, now and at every boot
  usermod --append --groups inboxd NAME  let NAME drop documents into /srv/documents/Inbox (after the next login)
  inboxctl status                        ask how things are
Settings are in $configuration/inboxd.conf; after a change: systemctl reload inboxd
END
    fi
}

# --- Removing

remove() {
    [ -e "$1" ] || [ -L "$1" ] || return 0
    changed=yes
    if [ -n "$dry" ]; then say "would remove $1"; else rm -f "$1" && say "removed $1"; fi
}

# Whether the units are those of this prefix: installations below two prefixes may share the folder of the units, the
# configuration and the user.
owns_units() {
    case $units in "$prefix"/*) return 0 ;; esac
    [ ! -e "$DESTDIR$units/inboxd.service" ] ||
        grep -q "^ExecStart=$prefix/bin/inboxd" "$DESTDIR$units/inboxd.service"
}

# Whether the manager has a unit from this installation's own file.
has_own_unit() {
    case $1 in *@*) file=$units/inboxd@.service ;; *) file=$units/$1 ;; esac
    fragment=$($systemctl show --property=FragmentPath --value "$1" 2>/dev/null) || return 1
    [ -n "$fragment" ] && [ "$(readlink -f "$fragment")" = "$(readlink -f "$file")" ]
}

stop_units() {
    instances=$($systemctl list-units --all --plain --no-legend 'inboxd@*.service' | sed 's/ .*//')
    # The socket first, so that nobody's question starts the service again.
    for unit in inboxd.socket inboxd.service $instances; do
        if has_own_unit "$unit"; then run $systemctl disable --quiet --now "$unit"; fi
    done
}

uninstall_all() {
    own=''
    if owns_units; then own=yes; fi
    if [ -n "$own" ] && manages; then stop_units; fi
    pristine=$DESTDIR$prefix/share/inboxd/inboxd.conf
    file=$DESTDIR$configuration/inboxd.conf
    kept=''
    # Without the file that it was installed with nobody can tell whether it was changed, or whose it is.
    if [ -e "$pristine" ] && [ -e "$file" ]; then
        if cmp -s "$file" "$pristine"; then remove "$file"; else kept=$file; fi
    fi
    for name in $(staged_files); do
        case $name in
        "$prefix"/bin/* | "$prefix"/share/*) remove "$DESTDIR$name" ;;
        *) [ -z "$own" ] || remove "$DESTDIR$name" ;;
        esac
    done
    if [ -z "$dry" ]; then
        for folder in "$configuration" "$prefix/share/inboxd" "$prefix/share/doc/inboxd/examples" \
            "$prefix/share/doc/inboxd" "$units"/inboxd.service.d "$units"/inboxd@.service.d; do
            if [ -d "$DESTDIR$folder" ]; then rmdir "$DESTDIR$folder" 2>/dev/null || true; fi
        done
    fi
    if [ -z "$changed" ]; then
        say "nothing was installed below $prefix"
        return 0
    fi
    if manages; then run $systemctl daemon-reload; fi
    [ -z "$DESTDIR" ] || return 0
    [ "$scope" = user ] || [ "$library" = /etc ] || run journalctl --update-catalog
    [ -z "$kept" ] || say "kept $kept, which was changed"
    if [ "$scope" = user ]; then
        say "kept your documents and the history in ${XDG_STATE_HOME:-$HOME/.local/state}/inboxd"
    else
        say "kept the documents, the history in /var/lib/inboxd and the user and group inboxd"
    fi
}

# --- The Debian package

. "$checkout/systemd/debian.sh"

check_needs
stage_all
case $action in
install) install_all ;;
uninstall) uninstall_all ;;
deb) make_package ;;
esac
