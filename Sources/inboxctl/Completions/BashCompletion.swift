import InboxConfiguration

/// The script for bash, which uses nothing of the bash-completion package but takes its file completion if it is there.
enum BashCompletion {
    static var script: String {
        let verbs = Verb.all.map(\.name).joined(separator: " ")
        let withArgument = Set((Verb.all.flatMap(\.options) + .common).filter { $0.argument != nil }.map(\.name))
        return """
            # bash completion for inboxctl and inboxd; made by "inboxctl completions bash"
            _inboxctl() {
                local cur prev verb='' option='' word i
                # Bash takes --option=value apart at the equals sign; this puts it together again.
                local -a words=()
                local joined=''
                for ((i = 1; i <= COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    if [[ $word == '=' && ${words[-1]-} == --* ]]; then
                        words[-1]+='='
                        joined=1
                    elif [[ $joined ]]; then
                        words[-1]+=$word
                        joined=''
                    else
                        words+=("$word")
                    fi
                done
                cur=${words[-1]-}
                prev=''
                ((${#words[@]} > 1)) && prev=${words[-2]}
                COMPREPLY=()

                for ((i = 0; i + 1 < ${#words[@]}; i++)); do
                    case ${words[i]} in
                        \(withArgument.sorted().map { "--" + $0 }.joined(separator: " | "))) ((i++)) ;;
                        -*) ;;
                        *) verb=${words[i]}; break ;;
                    esac
                done

                if [[ $cur == --*=* ]]; then
                    option=${cur%%=*}
                    cur=${cur#*=}
                else
                    option=$prev
                fi
                case $verb:$option in
            \(optionCases)
                esac

                if [[ $cur == -* ]]; then
                    case $verb in
            \(Verb.all.map { "            \($0.name)) _inboxctl_words '\(names($0.allOptions))' ;;" }.joined(separator: "\n"))
                        *) _inboxctl_words '\(names(.common))' ;;
                    esac
                    # What takes an argument ends with an equals sign, and goes on without a blank.
                    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
                    return
                fi

                case $verb in
                    '') _inboxctl_words '\(verbs)' ;;
            \(Verb.all.map { "        \($0.name)) \(command($0.operandKind)) ;;" }.joined(separator: "\n"))
                esac
            }

            _inboxctl_words() {
                local IFS=$' \\t\\n'
                COMPREPLY=($(compgen -W "$1" -- "$cur"))
            }

            _inboxctl_types() {
                _inboxctl_words '\(ArgumentKind.typeNames.joined(separator: " "))'
            }

            _inboxctl_files() {
                compopt -o filenames 2>/dev/null
                local IFS=$'\\n'
                COMPREPLY=($(compgen "$1" -- "$cur"))
            }

            _inboxd() {
                local cur=${COMP_WORDS[COMP_CWORD]} option=''
                # Bash takes --option=value apart at the equals sign.
                if [[ $cur == '=' ]]; then
                    option=${COMP_WORDS[COMP_CWORD-1]}
                    cur=''
                elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
                    option=${COMP_WORDS[COMP_CWORD-2]}
                else
                    option=${COMP_WORDS[COMP_CWORD-1]}
                fi
                COMPREPLY=()
                case $option in
            \(daemonCases)
                esac
                if [[ $cur == -* ]]; then
                    _inboxctl_words '\(names(.daemon))'
                    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
                else
                    _inboxctl_files -f
                fi
            }

            complete -F _inboxctl inboxctl
            complete -F _inboxd inboxd

            """
    }

    /// The arguments of options. `--state` of one verb may not be that of another.
    private static var optionCases: String {
        var lines: [String] = []
        for (verb, options) in [("*", [Option].common)] + Verb.all.map({ ($0.name, $0.options) }) {
            for option in options {
                guard let kind = option.argumentKind else { continue }
                lines.append("        \(verb):--\(option.name)) \(command(kind)); return ;;")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static var daemonCases: String {
        [Option].daemon.compactMap { option in
            option.argumentKind.map { "        --\(option.name)) \(command($0)); return ;;" }
        }.joined(separator: "\n")
    }

    private static func command(_ kind: ArgumentKind) -> String {
        switch kind {
        case .nothing: ":"
        case .files: "_inboxctl_files -f"
        case .folders: "_inboxctl_files -d"
        case .types: "_inboxctl_types"
        case .filed: "_inboxctl_words \"$(\(ArgumentKind.filedCommand))\""
        case .words(let words): "_inboxctl_words '\(words.joined(separator: " "))'"
        case .verbs: "_inboxctl_words '\(Verb.all.map(\.name).joined(separator: " "))'"
        }
    }

    private static func names(_ options: [Option]) -> String {
        options.map { "--" + $0.name + ($0.argument == nil ? "" : "=") }.joined(separator: " ")
    }
}
