/// What the keys do, a line each.
enum HelpText {
    static let lines = [
        "Enter  play                       a  add to the queue    n  play it next",
        "d  download                       D  cancel, or delete what was downloaded",
        "m  mark heard, or not heard       o  open the picture    w  open the map",
        "",
        "/  filter as you type; Esc takes the filter away",
        "t  kind: all, tracks, albums, episodes, stations",
        "u  only what was not heard        v  only what is here",
        "s  order        S  other way      f  only this source    r  read sources anew",
        "",
        "Up Down k j, PgUp PgDn, Home End g G    move",
        "Right, Tab  detail                Left, Esc  back",
        "",
        "Space  pause, play                < >  previous, next    x  stop",
        ", .  back 10 s, on 30 s           - +  volume",
        "",
        "q, Ctrl-C  leave                  any key  back from here",
    ]
}
