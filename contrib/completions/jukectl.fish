# Completion of jukectl for fish: install as ~/.config/fish/completions/jukectl.fish or in
# /usr/share/fish/vendor_completions.d. What can be typed is told by jukectl itself.
function __jukectl_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates ($words[1] __complete $words[2..-1] 2>/dev/null)
    if test "$candidates" = :files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $candidates
    end
end
complete -c jukectl -f -a '(__jukectl_candidates)'
