# Completion of jukectl for bash: install as /usr/share/bash-completion/completions/jukectl,
# or source it. What can be typed is told by jukectl itself.
_jukectl() {
    local candidate word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        if [[ $candidate == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$word")
        else
            [[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
            COMPREPLY+=("$candidate")
        fi
    done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _jukectl jukectl
