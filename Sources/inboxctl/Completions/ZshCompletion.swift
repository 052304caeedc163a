import InboxConfiguration

/// The script for zsh: a file `_inboxctl` of the function path, or sourced after compinit.
enum ZshCompletion {
    static var script: String {
        """
        #compdef inboxctl inboxd
        # zsh completion for inboxctl and inboxd; made by "inboxctl completions zsh"
        _inboxctl() {
            local curcontext=$curcontext state line
            typeset -A opt_args
            _arguments -C -S \\
        \(Array.common.map { "        " + specification($0) + " \\" }.joined(separator: "\n"))
                '1:verb:_inboxctl_verbs' '*::argument:->rest' && return
            [[ $state == rest ]] || return 1
            case $line[1] in
        \(Verb.all.map(verbCase).joined(separator: "\n"))
            esac
        }

        _inboxctl_verbs() {
            local -a verbs=(
        \(Verb.all.map { "        " + quoted(escaped($0.name) + ":" + $0.summary) }.joined(separator: "\n"))
            )
            _describe verb verbs
        }

        _inboxctl_types() {
            local -a types=(\(ArgumentKind.typeNames.joined(separator: " ")))
            _multi_parts . types || compadd -a types
        }

        _inboxctl_filed() {
            local -a filed=(${(f)"$(\(ArgumentKind.filedCommand))"})
            compadd -V filed -a filed
        }

        _inboxd() {
            _arguments -S \\
        \([Option].daemon.map { "        " + specification($0) + " \\" }.joined(separator: "\n"))
                '*:path:_files'
        }

        # Sourced, or run as the body of the autoloaded function.
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
            if [[ $service == inboxd ]]; then _inboxd "$@"; else _inboxctl "$@"; fi
        else
            compdef _inboxctl inboxctl
            compdef _inboxd inboxd
        fi

        """
    }

    private static func verbCase(_ verb: Verb) -> String {
        var words = verb.allOptions.map(specification)
        if verb.operandKind != .nothing {
            // One of a few words is typed once.
            let position = if case .words = verb.operandKind { "1" } else { "*" }
            words.append(quoted("\(position):\(label(verb.operands)):" + action(verb.operandKind)))
        }
        return "        \(verb.name)) _arguments -S \\\n            " + words.joined(separator: " \\\n            ")
            + " ;;"
    }

    private static func specification(_ option: Option) -> String {
        let help = "[" + escaped(option.help) + "]"
        let argument = option.argument.flatMap { name in option.argumentKind.map { (name, $0) } }
        let long = "*--" + option.name
        guard let (name, kind) = argument else {
            let short = option.short.map { quoted("-\($0)" + help) + " " } ?? ""
            return short + quoted(long + help)
        }
        return quoted(long + "=" + help + ":\(label(name)):" + action(kind))
    }

    private static func action(_ kind: ArgumentKind) -> String {
        switch kind {
        case .nothing: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .types: "_inboxctl_types"
        case .filed: "_inboxctl_filed"
        case .words(let words): "(" + words.joined(separator: " ") + ")"
        case .verbs: "_inboxctl_verbs"
        }
    }

    private static func label(_ name: String) -> String {
        name.contains("|") ? "word" : escaped(name.filter { !"[]…".contains($0) })
    }

    /// Colons and brackets separate the fields of a specification.
    private static func escaped(_ text: String) -> String {
        text.map { ":[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
